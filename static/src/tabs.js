// Which panel a phone shows, whether the timeline is a diagram or sentences, how
// large it is, and whose code is shown: attributes of the body, which no fragment touches.
import { follow } from './highlight.js';

export function listenToTabs() {
  for (const name of ['tab', 'log', 'code', 'zoom']) {
    for (const button of document.querySelectorAll(`[data-ui="${name}"]`)) {
      button.addEventListener('click', () => show(name, button.dataset[name]));
    }
  }
}

export function show(name, value) {
  document.body.dataset[name] = value;
  for (const b of document.querySelectorAll(`[data-ui="${name}"]`)) b.setAttribute('aria-pressed', String(b.dataset[name] === value));
  follow(); // what was hidden had no size to scroll by
}
