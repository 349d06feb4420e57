// Where the story's column goes on below its window, a button says so and goes there.
const slots = () => document.querySelector('.slots');

/** Looks again after each frame. */
export function tellBelow() {
  const area = slots();
  const cue = /** @type {HTMLElement | null} */ (document.querySelector('.below')); // beside the window, over nothing
  if (cue) cue.hidden = area.scrollHeight - area.clientHeight - area.scrollTop < 16;
}

export function listenToBelow() {
  slots()?.addEventListener('scroll', tellBelow, { passive: true });
  addEventListener('resize', tellBelow);
}

export const goBelow = () => slots().scrollBy({ top: 0.8 * slots().clientHeight });
