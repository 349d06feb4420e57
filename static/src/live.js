// The page of real clients: the server tells what changes, and the page draws it. Who goes
// back to a step stays there until they come back to now.
import { draw } from './morph.js';
import { follow, listenToHighlights } from './highlight.js';
import { listenToTabs } from './tabs.js';
import { fail, hide, show } from './notices.js';

/** @param {string} address of the events */
export function live(address) {
  /** @type {EventSource | undefined} */
  let events;
  listenToTabs();
  listenToHighlights();
  listen('');
  document.addEventListener('click', (e) => {
    const target = /** @type {HTMLElement | null} */ (/** @type {Element} */ (e.target).closest('[data-step], [data-number], [data-op]'));
    if (!target) return;
    if (target.dataset.op === 'now') return listen('');
    const step = target.dataset.step ?? JSON.parse(target.dataset.arg || '{}').pos;
    const number = target.dataset.number ?? (step !== undefined ? numberOf(Number(step)) : undefined);
    if (number !== undefined) listen(`?at=${number}`);
  });

  /** @param {string} at */
  function listen(at) {
    events?.close();
    events = new EventSource(address + at);
    events.addEventListener('open', () => hide('lost'));
    events.addEventListener('error', () => show('lost'));
    events.addEventListener('message', (e) => {
      try {
        const { frags, rows } = JSON.parse(e.data);
        draw(frags ?? [], rows ?? []);
      } catch (err) {
        fail(err.message);
      }
      follow();
    });
  }
}

// A step that is drawn has its place in what is kept; steps leave between others, so the server is asked by its number.
/** @param {number} step */
function numberOf(step) {
  return document.getElementById('f-live')?.dataset.numbers?.split(' ')[step];
}
