// The learner's edits, as frames carry them: in the address while it stays short
// enough for a link, and in this browser, by lesson.
const longestAddress = 2000; // characters: what mail and chat programs pass on whole
const elsewhere = '-'; // in the address: too long for it, so only this browser has them

const key = () => `lockstep-edits:${document.body.dataset.lesson}`;
let last; // undefined until the first frame: edits that came with a link are not stored

export function keepEdits(edits) {
  if (last !== undefined && edits !== last) {
    try {
      if (edits) localStorage.setItem(key(), edits);
      else localStorage.removeItem(key());
    } catch { /* they are still in the address, when they are short */ }
  }
  last = edits;
}

// addEdits puts the edits into a query.
export function addEdits(query, edits) {
  if (!edits) return;
  query.set('x', edits);
  if (`${location.origin}${location.pathname}?${query}`.length > longestAddress) query.set('x', elsewhere);
}

// editsOf are the edits with which an address is opened: none if it names a place but no
// edits.
export function editsOf(query) {
  const x = query.get('x');
  if (x !== elsewhere && (x !== null || query.has('s'))) return x ?? '';
  try {
    return localStorage.getItem(key()) ?? '';
  } catch {
    return '';
  }
}

// linkOf is the link to share, and whether the edits are missing in it.
export function linkOf(address) {
  const url = new URL(address);
  const lacks = url.searchParams.get('x') === elsewhere;
  if (lacks) url.searchParams.delete('x');
  return { link: url.href, lacks };
}
