import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reader } from './author-sync.js';

// A player that answers when it is told to.
function player() {
  const asked = [];
  const rests = [];
  const reading = reader(() => new Promise((answer) => { asked.push(answer); }), () => rests.push(asked.length));
  return { reading, asked, rests };
}

test('what is typed while a reply is awaited is sent once, after it', async () => {
  const { reading, asked, rests } = player();
  const done = reading.now();
  await reading.now();
  await reading.now();
  assert.equal(asked.length, 1);
  asked[0](true);
  await Promise.resolve().then(() => {}).then(() => {});
  assert.equal(asked.length, 2);
  assert.ok(reading.busy());
  asked[1](true);
  await done;
  assert.equal(asked.length, 2);
  assert.ok(!reading.busy());
  assert.deepEqual(rests, [2]);
});

test('a player that is lost is asked no more', async () => {
  const { reading, asked } = player();
  const done = reading.now();
  await reading.now();
  asked[0](false);
  await done;
  assert.equal(asked.length, 1);
});

test('keys in a row are one request', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { reading, asked } = player();
  for (let i = 0; i < 5; i += 1) {
    reading.soon();
    t.mock.timers.tick(100);
  }
  assert.equal(asked.length, 0);
  t.mock.timers.tick(250);
  assert.equal(asked.length, 1);
});
