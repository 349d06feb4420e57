import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after } from './way.js';

const stations = ['oversell', 'no-ttl', 'fencing'].map((lesson) => ({ dataset: { lesson } }));
const from = (lesson, ...done) => after(stations, lesson, new Set(done))?.dataset.lesson;

test('a station leads to the next one, done or not', () => {
  assert.equal(from('oversell', 'oversell', 'no-ttl'), 'no-ttl');
});

test('a side trip leads back to the first station that is not done', () => {
  assert.equal(from('set-nx', 'oversell', 'set-nx'), 'no-ttl');
});

test('the last station leads to no other, and neither does a side trip when all are done', () => {
  assert.equal(from('fencing'), undefined);
  assert.equal(from('set-nx', 'oversell', 'no-ttl', 'fencing'), undefined);
});
