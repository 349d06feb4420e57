import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from './find.js';

const entries = [
  { name: 'A lock without a TTL', says: 'Three locks, and each makes its key in another way.', words: 'no-ttl · 没有过期时间的锁 · 持有者崩溃后，锁什么时候结束 · SETNX · EXPIRE' },
  { name: 'A paused process is not renewed', says: 'The watchdog pauses with its process.', words: 'watchdog-and-pause · 进程停顿，看门狗也停顿 · PEXPIRE' },
  { name: 'The watchdog renews the lease', says: 'Every ten seconds.', words: 'watchdog-renews · 看门狗续期' },
  { name: '锁明明空着，为什么没人拿到？', says: '', words: 'Why did nobody get it?' },
  { name: 'SET NX EX, and one DEL too many', says: '', words: 'set-nx' },
];
const found = (sought) => search(entries, sought).found.map((e) => entries.indexOf(e));

test('a title counts more than other words, in any case', () => {
  assert.deepEqual(found('WATCHDOG'), [2, 1]);
});

test('each word must be there, and may be the beginning of one', () => {
  assert.deepEqual(found('watchdog pau'), [1]);
  assert.deepEqual(found('watchdog renews'), [2]);
});

test('a word that begins with what is sought comes before one that has it within', () => {
  assert.deepEqual(found('expire'), [0, 1]);
});

test('each page finds the words of both languages', () => {
  assert.deepEqual(found('看门狗'), [1, 2]);
  assert.deepEqual(found('nobody'), [3]);
});

test('Chinese is found without spaces, by pairs of characters', () => {
  assert.deepEqual(found('没有过期时间'), [0]);
  assert.deepEqual(found('持有者崩溃了'), [0]);
  assert.deepEqual(found('为什么没人拿到锁'), [3]);
});

test('a question is found by what it is about', () => {
  assert.deepEqual(found('看门狗什么时候续期？'), [2]);
  assert.deepEqual(found('锁为什么没人拿到呢'), [3]);
  assert.deepEqual(found('SETNX的锁'), [0]);
});

test('a command is found though its words are written as one, or as two', () => {
  assert.deepEqual(found('SETNX'), [4, 0]);
  assert.deepEqual(found('set nx'), [4, 0]);
});

test('a slip is forgiven where nothing has what was typed', () => {
  for (const typed of ['wachdog', 'watchddog', 'watchdof', 'wathcdog']) assert.deepEqual(found(typed), [2, 1], typed);
  assert.deepEqual(found('lokc'), found('lock'));
  assert.deepEqual(found('hund'), []);
});

test('where nothing has every word, what has some is found', () => {
  assert.deepEqual(found('tryLock(0, 10) watchdog'), [2, 1]);
  assert.equal(search(entries, 'tryLock(0, 10) watchdog').all, false);
  assert.equal(search(entries, 'watchdog').all, true);
});

test('nothing is found of nothing', () => {
  assert.deepEqual(found('  ？'), []);
});
