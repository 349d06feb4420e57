import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from './transport.js';

// A channel that keeps what is posted, and what happens to the page.
function link(options = {}) {
  const posted = [];
  const happened = [];
  let channel;
  const note = (what) => (...args) => { happened.push([what, ...args]); };
  const on = {
    greet: () => ({ op: 'load', lesson: 'x' }),
    onFrame: note('frame'), onUp() {}, onDown: note('down'), onFailed: note('failed'), onFull: () => false,
    onRefused: note('refused'), onUndone: note('undone'), onNewBuild: note('build'),
  };
  const made = connect((given) => {
    channel = { ...given, post: (text) => { posted.push(JSON.parse(text)); }, well() {}, close() {}, ...options };
    return channel;
  }, on);
  return { ...made, posted, happened, channel };
}

test('commands wait for the hello, after which the lesson is loaded first', () => {
  const l = link();
  l.send({ op: 'step', n: 1 });
  assert.deepEqual(l.posted, []);
  l.channel.receive({ op: 'hello', build: 'b1' });
  assert.deepEqual(l.posted.map((c) => c.op), ['load', 'step']);
  assert.deepEqual(l.posted.map((c) => c.id), [1, 2]);
});

test('all is settled when a frame has come that has it all', () => {
  const l = link();
  l.channel.receive({ op: 'hello', build: 'b1' });
  l.send({ op: 'step', n: 1 });
  l.channel.receive({ op: 'frame', rev: 1, base: 0, seen: 1 });
  assert.equal(l.settled(), false);
  l.channel.receive({ op: 'frame', rev: 2, base: 1, seen: 2 });
  assert.equal(l.settled(), true);
});

test('a frame that does not follow the last one is not drawn, and all is asked for', () => {
  const l = link();
  l.channel.receive({ op: 'hello', build: 'b1' });
  l.channel.receive({ op: 'frame', rev: 1, base: 0, seen: 1 });
  l.channel.receive({ op: 'frame', rev: 3, base: 2, seen: 1 });
  assert.equal(l.happened.filter(([what]) => what === 'frame').length, 1);
  assert.deepEqual(l.posted.map((c) => c.op), ['load', 'load']);
});

test('what is in no frame is sent once more after a loss, and only once', () => {
  const l = link({ repeats: true });
  l.channel.receive({ op: 'hello', build: 'b1' });
  l.channel.receive({ op: 'frame', rev: 1, base: 0, seen: 1 });
  l.send({ op: 'step', n: 1 });
  l.channel.lost('lost');
  l.channel.receive({ op: 'hello', build: 'b1' });
  assert.deepEqual(l.posted.map((c) => c.op), ['load', 'step', 'load', 'step']);
  l.channel.lost('lost');
  l.channel.receive({ op: 'hello', build: 'b1' });
  assert.deepEqual(l.posted.map((c) => c.op), ['load', 'step', 'load', 'step', 'load']);
  assert.ok(l.happened.some(([what]) => what === 'undone'));
});

test('a request is answered with its reply, or with the loss', async () => {
  const l = link();
  l.channel.receive({ op: 'hello', build: 'b1' });
  const first = l.request({ op: 'sources' });
  l.channel.receive({ op: 'reply', id: 2, ok: true, parts: [] });
  assert.deepEqual((await first).parts, []);
  const second = l.request({ op: 'sources' });
  l.channel.lost('lost');
  assert.equal((await second).err.code, 'lost');
});

test('a move to another server is not told, and what is asked meanwhile waits for it', async () => {
  const l = link({ repeats: true });
  l.channel.receive({ op: 'hello', build: 'b1' });
  l.send({ op: 'step', n: 1 });
  l.channel.lost('');
  const reply = l.request({ op: 'sources' });
  assert.deepEqual(l.happened, []);
  l.channel.receive({ op: 'hello', build: 'b1' });
  assert.deepEqual(l.posted.slice(2).map((c) => c.op), ['load', 'step', 'sources']);
  l.channel.receive({ op: 'reply', id: l.posted.at(-1).id, ok: true });
  assert.equal((await reply).ok, true);
});
