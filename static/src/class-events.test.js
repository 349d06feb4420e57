import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenTo } from './class-events.js';

// All pages of a class that is no more ask from one address, perhaps, which may not ask for it for ever.
test('a page asks more and more seldom, and soon again once it was told something', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Math, 'random', () => 0);
  let asked = [];
  globalThis.EventSource = class extends EventTarget {
    static CLOSED = 2;
    readyState = 2;
    constructor() {
      super();
      asked.push(this);
    }
    close() {}
  };
  const refuse = () => asked.at(-1).dispatchEvent(new Event('error'));
  const close = listenTo('events', () => {}, () => {});
  for (const pause of [2000, 4000, 8000, 16000, 32000, 60000, 60000]) {
    asked = asked.slice(-1);
    refuse();
    t.mock.timers.tick(pause - 1);
    assert.equal(asked.length, 1, `after ${pause} ms`);
    t.mock.timers.tick(1);
    assert.equal(asked.length, 2, `after ${pause} ms`);
  }
  asked.at(-1).dispatchEvent(Object.assign(new Event('message'), { data: '{}' }));
  asked = asked.slice(-1);
  refuse();
  t.mock.timers.tick(2000);
  assert.equal(asked.length, 2);
  close();
});
