import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswers, readBranches, written } from './reloaded.js';

const fork = { schedule: 'v1.0.A.B', pos: 1, edits: '' };
const gone = { schedule: '?', pos: 0 };

test('what was written is read again', () => {
  assert.deepEqual(readBranches(written([fork, { ...fork, pos: 2, edits: 'x' }])), [fork, { ...fork, pos: 2, edits: 'x' }]);
  assert.equal(written([]), '');
  assert.deepEqual(readBranches(''), []);
});

test('a timeline without edits says nothing of them', () => {
  assert.deepEqual(readBranches('{"version":1,"timelines":[{"schedule":"v1.0.A.B","pos":1}]}'), [fork]);
});

test('of too many the newest are read', () => {
  const many = Array.from({ length: 40 }, (_, pos) => ({ ...fork, pos }));
  assert.deepEqual(readBranches(written(many)).map(({ pos }) => pos), Array.from({ length: 13 }, (_, n) => n + 27));
});

test('what is no timeline is one that cannot be played', () => {
  for (const text of ['hello', '{', 'null', '7', '[]', '{}', '{"version":2,"timelines":[]}', '{"version":1,"timelines":7}',
    `{"version":1,"timelines":[${JSON.stringify({ ...fork, schedule: 'v'.repeat(1 << 17) })}]}`]) {
    assert.deepEqual(readBranches(text), [gone], text.slice(0, 40));
  }
  for (const item of ['null', '7', '"x"', '[]', '{}', '{"schedule":7,"pos":1}', '{"schedule":"x","pos":1.5}', '{"schedule":"x","pos":1e99}', '{"schedule":"x","pos":1,"edits":{}}']) {
    assert.deepEqual(readBranches(`{"version":1,"timelines":[${item},${JSON.stringify(fork)}]}`), [gone, fork], item);
  }
});

const answer = { beat: 2, text: 'nil' };

test('answers that were kept are read again', () => {
  assert.deepEqual(readAnswers(JSON.stringify([answer, { beat: 5, text: '' }])), [answer, { beat: 5, text: '' }]);
});

test('what is no answer is left out', () => {
  for (const text of ['hello', '{', 'null', '7', '"x"', '[]', '{}', '[null,7,"x",[],{}]', '[{"beat":1.5,"text":"x"},{"beat":1e99,"text":"x"},{"beat":1,"text":7},{"beat":"1","text":"x"}]']) {
    assert.deepEqual(readAnswers(text), [], text);
  }
  assert.deepEqual(readAnswers(`[null,${JSON.stringify({ ...answer, right: true })}]`), [answer]);
});
