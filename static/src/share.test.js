import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedAddress, frameOf, withoutView } from './share.js';

test('a link says where, not how somebody looked at it', () => {
  assert.equal(withoutView('https://a.example/en/lessons/set-nx/?view=present&s=v1.0.A&p=1'), 'https://a.example/en/lessons/set-nx/?s=v1.0.A&p=1');
});

test('a frame shows the same place, also of a site in a folder', () => {
  assert.equal(
    embedAddress('https://a.example/some/where/zh/lessons/set-nx/?s=v1.0.A&p=1&view=present', '../../../embed/zh/set-nx/'),
    'https://a.example/some/where/embed/zh/set-nx/?s=v1.0.A&p=1',
  );
});

test('edits that are too long for an address are left out', () => {
  assert.equal(embedAddress('https://a.example/en/lessons/x/?x=-', '../../../embed/en/x/'), 'https://a.example/embed/en/x/');
});

test('the code of a frame is HTML', () => {
  assert.match(frameOf('https://a.example/?s=1&p=2', 'A "lock" <here>'), /^<iframe src="https:\/\/a\.example\/\?s=1&amp;p=2" title="A &quot;lock&quot; &lt;here>" /);
});
