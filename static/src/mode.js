// While a story is told the diagram has the screen to itself, and what one can do stands in the lab.
// That opens when the learner acts, looks into code, or leaves the story; and by a button, which a reload of this lesson remembers.
const stored = `lockstep-mode ${location.pathname.split('/').at(-2)}`; // in both languages; as the first script of a page reads it
const acts = new Set(['choose', 'fork', 'line', 'thread', 'beside', 'try', 'solve', 'next-challenge']);
const root = document.documentElement;

let opened = false; // by what the learner did
let chosen = root.dataset.mode; // lab or story: what was stored, before anything was painted

/** Opens the lab when a command is one that a story has no use for. @param {string} op */
export function opens(op) {
  if (op === 'story') opened = false;
  if (!acts.has(op)) return;
  opened = true;
  settleMode();
}

/** Shows the lab when the learner is off the story, as a frame has it, or edits. */
export function settleMode() {
  const off = document.querySelector('#go[data-op="story"]') !== null;
  const edits = document.body.dataset.editing === 'on';
  root.dataset.mode = opened || off || edits ? 'lab' : chosen;
}

/** Goes from the story to the lab, or back. */
export function changeMode() {
  chosen = root.dataset.mode === 'story' ? 'lab' : 'story';
  opened = false;
  root.dataset.mode = chosen;
  try {
    sessionStorage.setItem(stored, chosen);
  } catch { /* it lasts as long as the page */ }
}

/** Whether a story is told, and nothing of the lab is seen. */
export const told = () => root.dataset.mode === 'story' && document.body.dataset.authoring !== 'on' && document.body.dataset.editing !== 'on';

/** Tells when that changes. @param {(told: boolean) => void} on */
export function whenTold(on) {
  let was = told();
  const look = new MutationObserver(() => {
    if (told() === was) return;
    was = told();
    on(was);
  });
  look.observe(root, { attributeFilter: ['data-mode'] });
  look.observe(document.body, { attributeFilter: ['data-authoring', 'data-editing'] });
}
