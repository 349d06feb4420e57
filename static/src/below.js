// Where the column of what there is to do goes on below its window, a button says so and goes there; where what is
// told does, its edge fades.
const slots = () => document.querySelector('.slots');

/** Looks again after each frame. */
export function tellBelow() {
  const area = slots();
  const cue = /** @type {HTMLElement | null} */ (document.querySelector('.below')); // beside the window, over nothing
  const ends = area.scrollHeight - area.clientHeight - area.scrollTop < 16;
  if (cue && cue.hidden !== ends) cue.hidden = ends;
  const words = told();
  words?.classList.toggle('goes-on', words.scrollHeight - words.clientHeight - words.scrollTop > 8);
}

const told = () => document.querySelector('.told');

export function listenToBelow() {
  told()?.addEventListener('scroll', tellBelow, { passive: true });
  slots()?.addEventListener('scroll', tellBelow, { passive: true });
  addEventListener('resize', tellBelow);
}

export const goBelow = () => slots().scrollBy({ top: 0.8 * slots().clientHeight });
