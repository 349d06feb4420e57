// The Author view until its editor is loaded: its panel in the page, and the files with
// which the lesson is loaded.
import { closeEditor } from './editing.js';

let view; // a promise of the Author view, from the first request on
let tries = 0;
let good = null; // the author's files that are played: {folder, files}

const panel = () => document.getElementById('author');
const said = (text) => { document.getElementById('author-said').textContent = text; };

export const authoring = () => document.body.dataset.authoring === 'on';

// wantsAuthor tells whether an address is one of the Author view.
export const wantsAuthor = () => panel() !== null && document.documentElement.dataset.view !== 'embed' && (document.body.dataset.blank !== undefined || new URLSearchParams(location.search).has('a'));

// written is what a load command has in addition to the place: the author's files.
export const written = () => good ?? {};

// drafted tells whether the page plays what an author has typed.
export const drafted = () => good !== null;

// author opens the view. prepare promises a player that reads lessons.
export async function author({ request, prepare }) {
  if (document.body.dataset.editing === 'on') closeEditor();
  document.body.dataset.authoring = 'on';
  panel().hidden = false;
  if (!view) said(panel().dataset.loading);
  try {
    await prepare();
    view ??= load(request);
    await (await view).open();
  } catch (err) {
    view = undefined;
    said(panel().dataset.failed.replace('{0}', err.message));
    panel().focus();
  }
}

async function load(request) {
  const from = new URL(panel().dataset.from, document.baseURI); // import() resolves relative to this script
  if (tries++) from.searchParams.set('try', String(tries)); // browsers remember what failed
  const { write } = await import(from.href);
  const isNew = document.body.dataset.blank !== undefined;
  panel().addEventListener('keydown', (e) => { if (e.key === 'Escape' && !e.defaultPrevented) closeAuthor(); });
  return write({ panel: panel(), lesson: document.body.dataset.lesson, isNew, request, onGood: (files) => { good = files; }, onCreated });
}

// onCreated goes to a new lesson, where writing continues.
function onCreated(folder) {
  const to = new URL(`../${folder.replace(/^\d+-/, '')}/?a=1`, location.href);
  const engine = new URLSearchParams(location.search).get('e');
  if (engine) to.searchParams.set('e', engine);
  location.assign(to);
}

export function closeAuthor() {
  delete document.body.dataset.authoring;
  panel().hidden = true;
  document.querySelector('[data-ui="author"]').focus();
}

export function tellAuthor(frame) {
  view?.then((v) => v.frame(frame), () => { /* it was never there */ });
}
