import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { sender } from './class-send.js';

// A server that dies with a question in its hands gets it again before what was said meanwhile.
test('what is sent again keeps its place', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sent = [];
  let away = true;
  let say;
  t.mock.method(globalThis, 'fetch', async (_, { body }) => {
    sent.push(JSON.parse(body));
    if (away) {
      say('reveal', {});
      throw new TypeError('the server is away');
    }
    return { status: 204, headers: new Headers() };
  });
  say = sender('events', () => {});
  const later = async (ms) => {
    t.mock.timers.tick(ms);
    for (let i = 0; i < 5; i++) await setImmediate();
  };
  say('ask', { step: 1 });
  await later(1);
  say('at', { step: 1 });
  say('at', { step: 2 });
  away = false;
  await later(2000);
  assert.deepEqual(sent, [{ kind: 'ask', step: 1 }, { kind: 'ask', step: 1 }, { kind: 'reveal' }, { kind: 'at', step: 2 }]);
});
