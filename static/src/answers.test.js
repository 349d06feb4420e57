import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from './answers.js';

const answer = { beat: 2, text: 'nil' };

test('what was kept is read again', () => {
  assert.deepEqual(read(JSON.stringify([answer, { beat: 5, text: '' }])), [answer, { beat: 5, text: '' }]);
});

test('what is no answer is left out', () => {
  for (const text of ['hello', '{', 'null', '7', '"x"', '[]', '{}', '[null,7,"x",[],{}]', '[{"beat":1.5,"text":"x"},{"beat":1e99,"text":"x"},{"beat":1,"text":7},{"beat":"1","text":"x"}]']) {
    assert.deepEqual(read(text), [], text);
  }
  assert.deepEqual(read(`[null,${JSON.stringify({ ...answer, right: true })}]`), [answer]);
});
