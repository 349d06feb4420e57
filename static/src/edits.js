// The learner's edits, as frames carry them: in the address while it stays short
// enough for a link, and in this browser, by lesson.
import { keep, kept } from './kept.js';

const longestAddress = 2000; // characters: what mail and chat programs pass on whole
const elsewhere = '-'; // in the address: too long for it, so only this browser has them

const key = () => `lockstep-edits:${document.body.dataset.lesson}`;
let last; // undefined until the first frame: edits that came with a link are not stored

export function keepEdits(edits) {
  if (last !== undefined && edits !== last) {
    document.getElementById('last-edits').hidden = true; // there are newer ones
    keep(key(), edits || null); // in the address, too, when they are short
  }
  last = edits;
}

// addEdits puts the edits into a query.
export function addEdits(query, edits) {
  if (!edits) return;
  query.set('x', edits);
  if (isLong(query)) query.set('x', elsewhere);
}

const isLong = (query) => `${location.origin}${location.pathname}?${query}`.length > longestAddress;

// addBeside puts the timeline that is shown beside this one into a query, and its edits if they are
// others.
export function addBeside(query, { beside = '', besideEdits = '', edits = '' }) {
  if (!beside) return;
  query.set('b', beside);
  if (besideEdits !== edits) query.set('y', besideEdits);
  if (!isLong(query) && query.get('x') !== elsewhere) return;
  query.set('b', elsewhere);
  query.delete('y');
}

// besideOf is the timeline with which an address is opened beside its own.
export function besideOf(query) {
  const beside = query.get('b') ?? '';
  return beside && beside !== elsewhere ? { beside, besideEdits: query.get('y') ?? editsOf(query) } : {};
}

// editsOf are the edits with which an address is opened: its own.
export function editsOf(query) {
  const x = query.get('x') ?? '';
  return x === elsewhere ? stored() : x;
}

const stored = () => kept(key()) ?? '';

// offerEdits offers those of last time where a lesson is opened at its start: it runs as it is
// written.
export function offerEdits() {
  const query = new URLSearchParams(location.search);
  document.getElementById('last-edits').hidden = query.has('x') || query.has('s') || !stored();
}

// editAgain applies those of last time.
export function editAgain(send) {
  document.getElementById('last-edits').hidden = true;
  send('edit', { edits: stored() });
}

export function forgetEdits() {
  document.getElementById('last-edits').hidden = true;
  keep(key(), null);
}

// linkOf is the link to share, whether the edits are missing in it, and whether the timeline is
// that is shown beside its own.
export function linkOf(address) {
  const url = new URL(address);
  const missing = (name) => {
    const lacks = url.searchParams.get(name) === elsewhere;
    if (lacks) url.searchParams.delete(name);
    return lacks;
  };
  const [lacks, halved] = [missing('x'), missing('b')];
  return { link: url.href, lacks, halved };
}
