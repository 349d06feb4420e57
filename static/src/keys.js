// Single keys press the button that names them in data-key: the components decide what a
// key does, and everything can also be done without the keyboard.
import { keep, kept } from './kept.js';
import { opens, told } from './mode.js';

const stored = 'lockstep-keys';

export function listenToKeys() {
  const box = switchBox();
  if (box) {
    box.checked = on();
    box.addEventListener('change', () => set(box.checked));
  }
  document.addEventListener('keydown', onKey);
}

function onKey(e) {
  if (e.repeat && e.key === 'Enter' && e.target instanceof Element && e.target.matches('#go[data-ends]')) return e.preventDefault(); // who holds the key has not seen the end
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey) return;
  if (!e.shiftKey && toAnswer(e.target, ways[e.key])) return e.preventDefault();
  if (!on()) return;
  if (document.querySelector('dialog[open]') || typing(e.target, e)) return;
  const name = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  const key = e.shiftKey && name.startsWith('Arrow') ? `Shift+${name}` : name;
  const named = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)]);
  const button = named.find((b) => !b.disabled && b.checkVisibility()) ?? named[0]; // a digit answers where nothing else has it
  if (key === 'f' && !button) { // at the present there is nothing to leave
    e.preventDefault();
    if (document.documentElement.dataset.view === undefined) opens('fork');
    toChoices();
    return;
  }
  if (key >= '0' && key <= '9' && told() && answers().length && !answers().includes(button)) return; // of a question, nobody means a client that is not seen
  if (!button || button.disabled || unseen(button) || (e.repeat && button.matches('[data-ends]'))) return;
  e.preventDefault();
  if (key === 'Enter') button.focus(); // which it stays on
  button.click();
}

/** @type {Record<string, number | undefined>} */
const ways = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const answers = () => /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('.predict .option')]);

// toAnswer moves the focus from one answer of a question to another, and tells whether it did.
function toAnswer(from, by) {
  const all = answers();
  if (!by || !all.includes(from)) return false;
  all[(all.indexOf(from) + by + all.length) % all.length].focus();
  return true;
}

// unseen tells whether a frame of another page, or an audience, does not see a button. Those
// in menus are seen when the menu is opened.
const unseen = (button) => document.documentElement.dataset.view !== undefined && !button.closest('[popover]') && !button.checkVisibility();

// toChoices focuses the first thing that may happen next.
export function toChoices() {
  document.querySelector('#f-actors .run:not(:disabled), #f-clock button:not(:disabled)')?.focus();
}

// typing tells whether the focused element wants the key for itself.
function typing(target, { key, shiftKey }) {
  if (!(target instanceof Element)) return false;
  if (target.matches('input[type="range"]')) return (key.startsWith('Arrow') && !shiftKey) || key === 'Home' || key === 'End' || (key === 'Enter' && target.closest('form') !== null);
  if (target.closest('input, textarea, select, [contenteditable], .editor-text')) return true;
  if (key === 'Enter' && target.matches('#f-clock, #f-transport')) return true; // they have it while a button of theirs is off
  if (key === ' ' || key === 'Enter') return target.closest('button, a, summary, #f-challenge') !== null; // in a challenge Enter leaves nothing
  return false;
}

/** @returns {HTMLInputElement | null} */
const switchBox = () => document.querySelector('[data-ui="keys"]');

function on() {
  const how = kept(stored);
  return how === undefined ? switchBox()?.checked ?? true : how !== 'off';
}

function set(checked) {
  keep(stored, checked ? 'on' : 'off');
}
