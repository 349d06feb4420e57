import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lessonTexts } from './author-texts.js';

const reply = {
  of: 'a1', folder: '05-set-nx',
  files: [{ name: 'lesson.yaml', text: 'title: x\r\nclient: spin\r\n' }, { name: 'clients/set-nx.lua', text: 'return 1', of: 'c1' }],
  offers: [{ name: 'clients/spin.lua', text: 'return 2', of: 'c2' }],
};

function opened() {
  const texts = lessonTexts();
  texts.keep(reply);
  texts.take(texts.own().files);
  return texts;
}

test('texts that nobody touched are the lesson’s own, whatever ends their lines', () => {
  const texts = opened();
  assert.equal(texts.get('lesson.yaml'), 'title: x\nclient: spin\n');
  assert.ok(texts.are(texts.own().files));
  texts.set('lesson.yaml', 'title: y\n');
  assert.ok(!texts.are(texts.own().files));
});

test('a client that the lesson names is offered until it is there', () => {
  const texts = opened();
  assert.equal(texts.namedClient(), 'clients/spin.lua');
  texts.add('clients/spin.lua');
  assert.equal(texts.namedClient(), undefined);
  assert.deepEqual(texts.files().at(-1), { name: 'clients/spin.lua', text: 'return 2', of: 'c2' });
  texts.remove('clients/spin.lua');
  assert.ok(!texts.has('clients/spin.lua'));
});
