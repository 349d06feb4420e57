// Which panel a phone shows, whether the timeline is a diagram or sentences, how
// large it is, and whose code is shown: attributes of the body, which no fragment touches.
import { tellBelow } from './below.js';
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
  if (name === 'tab') toTop(value);
  follow(); // what was hidden had no size to scroll by
  tellBelow();
}

// toTop scrolls back when the top of what a tab shows lies behind the tabs.
function toTop(tab) {
  const tabs = document.querySelector('.tabs').getBoundingClientRect();
  const panels = [...document.querySelectorAll(`[data-panel="${tab}"]`)];
  const top = Math.min(...panels.map((panel) => panel.getBoundingClientRect().top));
  if (tabs.height && top < tabs.bottom) scrollBy(0, top - tabs.bottom);
}
