// The editor is large and rarely needed at once, so it is loaded on demand. Until then there
// is only this: its panel in the page, and the messages when loading fails.
import { show as showTab } from './tabs.js';

let editor; // a promise of the editor, from the first request on
let tries = 0;

const panel = () => document.getElementById('editor');
const said = (text) => { document.getElementById('editor-said').textContent = text; };

// edit opens the editor on the part that a button names, or else on the code that is
// shown, unless a part is open already. What led there leads back.
export async function edit(button, request) {
  const open = document.body.dataset.editing === 'on';
  if (open && button.id === 'go') { // it says so
    closeEditor();
    return button.focus();
  }
  showEditor();
  if (button.id === 'go') untouched();
  if (!editor) said(panel().dataset.loading);
  try {
    editor ??= load(request);
    const { part, offered } = button.dataset;
    (await editor).open(part ?? shownPart(), { keep: open && !part, offered: offered !== undefined });
  } catch (err) {
    editor = undefined;
    said(panel().dataset.failed.replace('{0}', err.message));
    panel().focus();
  }
}

// untouched keeps Enter, which has gone on with the story, from writing into what it has opened, until something else is pressed there.
function untouched() {
  const touched = new AbortController();
  const touch = (event) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return touched.abort();
    event.preventDefault();
    event.stopPropagation();
  };
  for (const type of ['keydown', 'pointerdown']) panel().addEventListener(type, touch, { capture: true, signal: touched.signal });
}

const shownPart = () => document.getElementById(document.body.dataset.code === 'client' ? 'f-client' : 'f-call').dataset.part;

async function load(request) {
  const from = new URL(panel().dataset.from, document.baseURI); // import() resolves relative to this script
  if (tries++) from.searchParams.set('try', String(tries)); // browsers remember what failed
  const { start } = await import(from.href);
  return start({ panel: panel(), lesson: document.body.dataset.lesson, request });
}

// whenApplied goes on when all that was typed is applied. If it cannot be, the editor says why.
export async function whenApplied(goOn) {
  const loaded = await editor?.catch(() => undefined);
  if (!loaded || await loaded.applyAll()) return goOn();
  showEditor();
}

function showEditor() {
  document.body.dataset.editing = 'on';
  panel().hidden = false;
  showTab('tab', 'script');
  document.querySelector('.slots').scrollTop = 0; // what is to be repaired
  document.body.dispatchEvent(new Event('editing'));
}

export function closeEditor() {
  delete document.body.dataset.editing;
  document.body.dispatchEvent(new Event('editing'));
  panel().hidden = true;
  const opens = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-ui="edit"][data-key]')]);
  opens.find((button) => button.checkVisibility())?.focus();
}

// tellEditor passes a frame on to the editor, if it is loaded.
export function tellEditor(frame) {
  editor?.then((e) => e.frame(frame), () => { /* it was never there */ });
}
