// The focus stays where the story goes on: on the field of a question when there is one,
// else on the button; and it never falls to the body when what had it goes away: what is left of
// its section has it then, for who presses Enter again must not leave the lesson.
const lead = () => document.getElementById('f-lead');
const field = () => lead()?.querySelector('input');

let wanted = false;

// toLead moves the focus to where the story goes on, when the next frame is drawn.
export function toLead() { wanted = true; }

// keepFocus draws a frame, and returns a new question that does not get the focus, which would
// speak it.
export function keepFocus(draw) {
  const had = document.activeElement;
  const led = lead()?.contains(had);
  const asked = Boolean(field());
  const section = had?.closest('#f-challenge, #f-search')?.id;
  draw();
  const lost = had !== document.body && document.activeElement === document.body;
  const move = wanted || lost || (led && asked !== Boolean(field()));
  wanted = false;
  const beside = lost && section ? /** @type {HTMLElement | null} */ (document.querySelector(`#${section} :is(button, a, input):not(:disabled)`)) : null;
  if (move) (beside ?? field() ?? document.getElementById('go'))?.focus({ preventScroll: true });
  return move || asked || !field() ? '' : lead().querySelector('.question').textContent.replace(/\s+/g, ' ').trim();
}

// keepInPlace draws a frame, and scrolls the story's column so that the button there which was
// pressed is still where it was.
export function keepInPlace(draw) {
  const slots = document.querySelector('.slots');
  const pressed = slots?.contains(document.activeElement) && document.activeElement !== slots ? document.activeElement : null;
  const top = pressed?.getBoundingClientRect().top;
  draw();
  if (pressed?.isConnected) slots.scrollTop += pressed.getBoundingClientRect().top - top;
}
