// Fragments replace their elements by id. Focus, scrolling and a thumb that is
// being dragged stay as they are.
import { Idiomorph } from 'idiomorph';

let dragging = null;
addEventListener('pointerdown', (e) => { if (e.target instanceof Element && e.target.matches('[data-ui="scrub"]')) dragging = e.target; });
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { dragging = null; });

/** @type {Map<string, string>} */
let contents = new Map(); // of the rows, by id: Idiomorph may make a row of an element that was another, or none
const drawn = new WeakMap(); // what is in each row

/**
 * @param {import('../types/protocol').Frag[]} frags
 * @param {import('../types/protocol').Frag[]} rows
 */
export function draw(frags, rows = []) {
  const missing = [];
  for (const { id, html } of frags) {
    const element = document.getElementById(id);
    if (!element) {
      missing.push(id);
      continue;
    }
    Idiomorph.morph(element, parsed(html), {
      morphStyle: 'outerHTML',
      callbacks: {
        // What the learner drags or has opened stays.
        beforeAttributeUpdated: (name, node) => !(name === 'value' && node === dragging) && !(name === 'open' && node.matches('details')),
        beforeNodeMorphed: (node, fresh) => !keptRow(node, fresh),
        afterNodeMorphed: keepValue,
      },
    });
  }
  for (const { id, html } of rows) {
    contents.set(id, html);
    if (!document.getElementById(id)) missing.push(id);
  }
  fillRows();
  // Otherwise an outdated part of the page would stay without anybody noticing.
  if (missing.length) throw new Error(`there is no #${missing.join(', #')} in this page`);
}

// A document for each fragment, which is how Idiomorph parses, costs more than its parsing.
const parser = document.createElement('template');

function parsed(html) {
  parser.innerHTML = html;
  const element = parser.content.firstElementChild;
  element.remove();
  return element;
}

// A range that was once moved by hand no longer follows its attribute.
function keepValue(node) {
  if (node instanceof HTMLInputElement && node.type === 'range' && node !== dragging) {
    node.value = node.getAttribute('value');
  }
}

// fillRows draws what is not yet in its row, and forgets what is in none any more.
function fillRows() {
  const kept = new Map();
  for (const row of document.querySelectorAll('[data-row]')) {
    const html = contents.get(row.id);
    if (html === undefined) continue; // the page came with it
    if (drawn.get(row) !== html) fill(row, html);
    drawn.set(row, html);
    kept.set(row.id, html);
  }
  contents = kept;
}

// fill draws what is in a row: what may have the focus is morphed.
function fill(row, html) {
  if (!row.contains(document.activeElement)) row.innerHTML = html;
  else Idiomorph.morph(row, html, { morphStyle: 'innerHTML' });
}

// keptRow keeps what is in a row, and gives it its new attributes.
function keptRow(row, fresh) {
  const isRow = fresh instanceof Element && fresh.hasAttribute('data-row');
  if (!isRow || row.id !== fresh.id) drawn.delete(row);
  if (!isRow) return false;
  for (const { name } of [...row.attributes]) if (!fresh.hasAttribute(name)) row.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (row.getAttribute(name) !== value) row.setAttribute(name, value);
  return true;
}
