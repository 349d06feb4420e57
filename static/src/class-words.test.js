import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from './class-words.js';

test('a name that looks like a place for a figure is a name', () => {
  assert.equal(words('{0}: {1} moves', '{1} $& {0}', 5), '{1} $& {0}: 5 moves');
});
