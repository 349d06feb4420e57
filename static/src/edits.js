// The learner's edits, as frames carry them: in the address while it stays short
// enough for a link, and in this browser, by lesson.
const longestAddress = 2000; // characters: what mail and chat programs pass on whole
const elsewhere = '-'; // in the address: too long for it, so only this browser has them

const key = () => `lockstep-edits:${document.body.dataset.lesson}`;
let last; // undefined until the first frame: edits that came with a link are not stored

export function keepEdits(edits) {
  if (last !== undefined && edits !== last) {
    document.getElementById('last-edits').hidden = true; // there are newer ones
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

// editsOf are the edits with which an address is opened: its own.
export function editsOf(query) {
  const x = query.get('x') ?? '';
  return x === elsewhere ? stored() : x;
}

function stored() {
  try {
    return localStorage.getItem(key()) ?? '';
  } catch {
    return '';
  }
}

// offerEdits offers those of last time where a lesson is opened at its start: it runs as it is
// written.
export function offerEdits() {
  const query = new URLSearchParams(location.search);
  document.getElementById('last-edits').hidden = query.has('x') || query.has('s') || !stored();
}

// editAgain applies those of last time.
export function editAgain() {
  const query = new URLSearchParams(location.search);
  addEdits(query, stored());
  location.search = query.toString();
}

export function forgetEdits() {
  document.getElementById('last-edits').hidden = true;
  try {
    localStorage.removeItem(key());
  } catch { /* they are asked about again */ }
}

// linkOf is the link to share, and whether the edits are missing in it.
export function linkOf(address) {
  const url = new URL(address);
  const lacks = url.searchParams.get('x') === elsewhere;
  if (lacks) url.searchParams.delete('x');
  return { link: url.href, lacks };
}
