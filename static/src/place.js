// Where the learner stands is in the address, so that a reload, a shared link and
// a new connection all come back to it.
import { addBeside, addEdits, besideOf, editsOf, keepEdits } from './edits.js';
import { answersKept, branchesKept, keepLists } from './reloaded.js';
import { authoring, written } from './authoring.js';

/** @param {import('../types/protocol').Frame} frame */
export function remember(frame) {
  const b = document.body.dataset;
  const edits = frame.edits ?? '';
  const challenge = frame.challenge ? String(frame.challenge) : '';
  Object.assign(b, { schedule: frame.schedule, pos: String(frame.pos), engine: frame.engine, edits, challenge, beside: frame.beside ?? '', besideEdits: frame.besideEdits ?? '' });
  keepEdits(edits);
  keepLists(frame);
  const q = new URLSearchParams();
  const view = new URLSearchParams(location.search).get('view');
  if (view) q.set('view', view);
  if (frame.len > 0) {
    q.set('s', frame.schedule);
    q.set('p', String(frame.pos));
  }
  if (challenge) q.set('c', challenge);
  if (frame.engine !== usual()) q.set('e', frame.engine);
  if (authoring() && b.blank === undefined) q.set('a', '1');
  addEdits(q, edits);
  addBeside(q, frame);
  const query = q.toString();
  const address = location.pathname + (query && `?${query}`);
  try {
    if (address !== location.pathname + location.search) history.replaceState(null, '', address);
  } catch { /* browsers refuse very fast changes; the next frame says it again */ }
}

// usual is the default engine, which addresses leave out.
const usual = () => (document.body.dataset.socket ? 'embedded' : 'browser');

// Until the first frame, the place is read from the address, as the server did: so a message
// about a bad link is repeated and does not vanish with the first frame.
export function place() {
  const b = document.body.dataset;
  if (b.rev) return { lesson: b.lesson, engine: b.engine, schedule: b.schedule, pos: Number(b.pos), edits: b.edits, challenge: Number(b.challenge), branches: branchesKept(), answers: answersKept(), beside: b.beside, besideEdits: b.besideEdits, ...written() };
  return placeIn(location.search);
}

// placeIn is the place in the lesson that the query of an address names.
/** @param {string} query */
export function placeIn(query) {
  const b = document.body.dataset;
  const q = new URLSearchParams(query);
  const number = (/** @type {string} */ name) => (/^\d{1,6}$/.test(q.get(name) ?? '') ? Number(q.get(name)) : undefined);
  return { lesson: b.lesson, engine: q.get('e') ?? '', schedule: q.get('s') ?? '', pos: number('p'), edits: editsOf(q), challenge: number('c'), was: q.get('was') ?? undefined, branches: branchesKept(), answers: answersKept(), ...besideOf(q) };
}
