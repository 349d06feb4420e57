import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionOf } from './present.js';

const still = { typing: false, dark: false, full: false };
const keys = (state, ...names) => names.map((key) => actionOf({ key }, { ...still, ...state }));

test('the keys of a remote control', () => {
  assert.deepEqual(keys({}, 'PageDown', 'ArrowRight', 'ArrowDown'), ['next', 'next', 'next']);
  assert.deepEqual(keys({}, 'PageUp', 'ArrowLeft', 'ArrowUp'), ['back', 'back', 'back']);
  assert.deepEqual(keys({}, 'b', '.', 'F5', 'Escape'), ['dark', 'dark', 'full', 'end']);
  assert.deepEqual(keys({ full: true }, 'F5', 'Escape'), ['end', '']);
  assert.deepEqual(keys({}, 'Enter', 'x', 'Home'), ['', '', '']);
  assert.equal(actionOf({ key: 'ArrowRight', shiftKey: true }, still), '', 'which goes a line further');
});

test('in the dark, any of them brings the light back and does nothing else', () => {
  assert.deepEqual(keys({ dark: true }, 'PageDown', 'ArrowLeft', 'b', '.', 'Escape'), ['light', 'light', 'light', 'light', 'light']);
});

test('who types an answer moves in it with the arrows, and on with the remote control', () => {
  assert.deepEqual(keys({ typing: true }, 'ArrowLeft', 'b', '.', 'PageDown'), ['', '', '', 'next']);
});
