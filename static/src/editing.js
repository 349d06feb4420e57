// The editor is large and few need it at once, so it is loaded when it is asked
// for. Until then all of it is this: its frame in the page, and what goes wrong.
import { show as showTab } from './tabs.js';

let editor; // a promise of the editor, once it was asked for
let tries = 0;

const panel = () => document.getElementById('editor');
const said = (text) => { document.getElementById('editor-said').textContent = text; };

// edit opens the editor on the part that a button names, or else on the code that is
// shown, unless a part is open already.
export async function edit(button, request) {
  const open = document.body.dataset.editing === 'on';
  document.body.dataset.editing = 'on';
  panel().hidden = false;
  showTab('tab', 'script');
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

const shownPart = () => document.getElementById(document.body.dataset.code === 'client' ? 'f-client' : 'f-call').dataset.part;

async function load(request) {
  const from = new URL(panel().dataset.from, document.baseURI); // import() would count from this script
  if (tries++) from.searchParams.set('try', tries); // browsers remember what failed
  const { start } = await import(from.href);
  return start({ panel: panel(), lesson: document.body.dataset.lesson, request });
}

export function closeEditor() {
  delete document.body.dataset.editing;
  panel().hidden = true;
  document.querySelector('[data-ui="edit"][data-key]').focus();
}

// tellEditor passes a frame on to the editor, if there is one.
export function tellEditor(frame) {
  editor?.then((e) => e.frame(frame), () => { /* it was never there */ });
}
