// The lanes' heads keep the room that they have once needed: what a step adds there pushes the
// timeline down once, and not up and down with each step.
let most = 0;

/** Measures them after each frame. */
export function keepHeads() {
  const cards = /** @type {HTMLElement | null} */ (document.querySelector('.cards'));
  const height = cards?.offsetHeight ?? 0;
  if (height <= most) return;
  most = height;
  document.documentElement.style.setProperty('--heads', `${height}px`);
}

/** Forgets it where they have other room. */
export function measureHeads() {
  addEventListener('resize', () => {
    most = 0;
    document.documentElement.style.removeProperty('--heads');
    keepHeads();
  });
}
