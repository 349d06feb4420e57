import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renamed } from './progress.js';

test('a lesson that has another name counts on, once', () => {
  const now = new Map([['multilock-ring', 'multilock'], ['late-watchdog', 'interrupted']]);
  assert.deepEqual(renamed(['set-nx', 'multilock-ring', 'multilock', 'late-watchdog'], now), ['set-nx', 'multilock', 'interrupted']);
});
