import { Unsupported } from './module.js';

// The client's own messages. Their texts are in the page, in its language.
export function show(id) {
  const notice = document.getElementById(id);
  if (notice.hidden) had = document.activeElement;
  notice.hidden = false;
}

/** @type {Element | null} */
let had; // the focus, as a notice came

// dismiss closes a notice, and gives the focus back.
export function dismiss(button) {
  button.closest('.notice').hidden = true;
  const back = [had, document.getElementById('go')].find((e) => e instanceof HTMLElement && e !== document.body && e.checkVisibility());
  /** @type {HTMLElement | undefined} */ (back)?.focus({ preventScroll: true });
}

export function hide(id) {
  const notice = document.getElementById(id);
  if (!notice.hidden) notice.hidden = true; // set once more, the page would be styled and drawn once more
}

export function fail(reason) {
  warn(document.querySelector('#failed p').dataset.text.replace('{0}', reason));
}

// warn shows a sentence as it is.
export function warn(text) {
  document.querySelector('#failed p').textContent = text;
  show('failed');
}

// notStarted says why there is no player in this browser.
export function notStarted(err) {
  const text = document.querySelector('#not-started p');
  text.textContent = text.dataset.text.replace('{0}', err instanceof Unsupported ? text.dataset.unsupported : err.message);
  hide('loading');
  show('not-started');
}

// say speaks one sentence to a screen reader.
export function say(sentence) {
  document.getElementById('live').textContent = sentence;
}
