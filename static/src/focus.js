// The focus stays where the story goes on: on the field of a question that is typed, else on the button; and it never falls to the body when what had it goes away: what is left of
// its section has it then, or the section itself, for who presses Enter again must not leave what was just found.
const lead = () => document.getElementById('f-lead');
const field = () => /** @type {HTMLElement | null} */ (lead()?.querySelector('input[type="text"]'));
const question = () => lead()?.querySelector('.question');

let wanted = false;

/** @type {string | undefined} */
let gone; // the section that went away with the focus, as the challenge does while its solution begins as the story did

// toLead moves the focus to where the story goes on, when the next frame is drawn.
export function toLead() { wanted = true; }

// keepFocus draws a frame, and returns a new question with its answers, unless its field gets the focus, which
// would speak it.
export function keepFocus(draw) {
  const had = document.activeElement;
  const led = lead()?.contains(had);
  const asked = Boolean(question());
  const section = had === document.body ? gone : had?.closest('#f-challenge, #f-search, #f-edits, #f-clock, #f-transport, .actor')?.id;
  draw();
  const lost = had === document.body ? gone && document.getElementById(gone).checkVisibility() : (document.activeElement === document.body || had.matches(':disabled, .away'));
  const move = wanted || lost || (led && asked !== Boolean(question()));
  wanted = false;
  const shown = lost && had.matches('[data-step]') ? /** @type {HTMLElement | null} */ (document.querySelector('#f-broken .btn')) : null; // the step that was asked for broke a rule
  const beside = lost && section ? left(document.getElementById(section)) : null;
  if (move) (shown ?? beside ?? field() ?? document.getElementById('go'))?.focus({ preventScroll: true });
  gone = document.activeElement === document.body ? section : undefined;
  if (asked || !question() || move && field()) return '';
  return [question(), ...lead().querySelectorAll('.option')].map((e) => e.textContent.replace(/\s+/g, ' ').trim()).join(', ');
}

// left is what of a section can have the focus: no control that is hidden; but of a challenge, the clock and the transport the whole, as the next Enter
// would give the answer away there, leave what was just found, or make another move.
function left(section) {
  if (section.matches('#f-challenge, #f-clock, #f-transport')) return section;
  const controls = /** @type {HTMLElement[]} */ ([...section.querySelectorAll(':is(button, a, input):not(:disabled)')]);
  return controls.find((e) => e.checkVisibility({ visibilityProperty: true })) ?? section;
}

// keepInPlace draws a frame, and scrolls the story's column so that the button there which was
// pressed is still where it was; but a hint that was asked for stands there with its task.
export function keepInPlace(draw) {
  const slots = document.querySelector('.slots');
  const pressed = slots?.contains(document.activeElement) && document.activeElement !== slots ? document.activeElement : null;
  const top = pressed?.getBoundingClientRect().top;
  const hinted = hint();
  draw();
  if (!pressed) return;
  if (pressed.isConnected) slots.scrollTop += pressed.getBoundingClientRect().top - top;
  const asked = hinted ? null : hint();
  const task = asked?.closest('section').offsetTop;
  if (asked && asked.offsetTop + asked.offsetHeight - task <= slots.clientHeight) slots.scrollTop = Math.min(slots.scrollTop, task);
  asked?.scrollIntoView({ block: 'nearest' }); // where the pressed button stands below all
}

const hint = () => /** @type {HTMLElement | null} */ (document.querySelector('.challenge-hint'));
