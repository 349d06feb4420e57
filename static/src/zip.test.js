import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zip } from './zip.js';

test('an archive has each file with its name, its sum and its text', async () => {
  const bytes = new Uint8Array(await zip([{ name: '01-x/lesson.yaml', text: 'title: 锁\n' }, { name: 'clients/x.lua', text: '' }]).arrayBuffer());
  const view = new DataView(bytes.buffer);
  const end = bytes.length - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  assert.equal(view.getUint16(end + 10, true), 2, 'files');
  let at = view.getUint32(end + 16, true); // of the list
  const names = [];
  for (let i = 0; i < 2; i += 1) {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    const length = view.getUint16(at + 28, true);
    names.push(new TextDecoder().decode(bytes.slice(at + 46, at + 46 + length)));
    at += 46 + length;
  }
  assert.deepEqual(names, ['01-x/lesson.yaml', 'clients/x.lua']);
  assert.equal(view.getUint32(0, true), 0x04034b50);
  const text = new TextEncoder().encode('title: 锁\n');
  assert.equal(view.getUint32(18, true), text.length);
  assert.deepEqual(bytes.slice(30 + 16, 30 + 16 + text.length), text);
});
