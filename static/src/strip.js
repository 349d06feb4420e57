// The strip of the first visit: frames that the server has drawn, each of which says which
// one follows when B asks, when the clock moves, and when the visitor does nothing.
import { say } from './notices.js';

/** How long a frame stands before the next one comes by itself, in milliseconds. */
const pause = 1600;

/**
 * How long the end of the strip leads nowhere, in milliseconds: it appears where the button
 * was, and the second click of a double one is not meant for it.
 */
const settle = 700;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Lets the strip play, if the page has one. */
export function playStrip() {
  const strip = document.getElementById('strip');
  if (!strip) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  strip.addEventListener('click', (e) => {
    const button = /** @type {Element} */ (e.target).closest('[data-move]');
    if (button instanceof HTMLElement && button.ariaDisabled !== 'true') move(strip, button.dataset.move);
    else if (!button && 'fresh' in strip.dataset) e.preventDefault();
  });
  if (still.matches) return; // its last frame stands there, and whoever wants to begins once more
  show(strip, 0);
  const seen = new IntersectionObserver(([it]) => {
    if (!it.isIntersecting) return;
    seen.disconnect();
    goOn(strip);
  }, { threshold: 0.5 });
  seen.observe(strip);
}

/**
 * @param {HTMLElement} strip
 * @param {string | undefined} how
 */
function move(strip, how) {
  const next = how === 'again' ? 0 : follower(strip, how);
  show(strip, next);
  say(shown(strip).querySelector('.says')?.textContent ?? '');
  const focus = how === 'again' ? '[data-move="asks"]' : ended(strip) && '.strip-end a';
  if (focus) /** @type {HTMLElement} */ (strip.querySelector(focus)).focus();
  goOn(strip);
}

/**
 * Shows the next frame after a pause, as long as one follows by itself.
 * @param {HTMLElement} strip
 */
function goOn(strip) {
  clearTimeout(timer);
  const then = follower(strip, 'then');
  if (!then || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  timer = setTimeout(() => {
    const inside = strip.querySelector('.strip-moves')?.contains(document.activeElement);
    show(strip, then);
    if (ended(strip)) {
      say(shown(strip).querySelector('.says')?.textContent ?? '');
      if (inside) /** @type {HTMLElement} */ (strip.querySelector('.strip-end a')).focus();
    }
    goOn(strip);
  }, pause);
}

/**
 * @param {HTMLElement} strip
 * @param {number} n
 */
function show(strip, n) {
  strip.querySelectorAll('.frame').forEach((frame, i) => { frame.classList.toggle('shown', i === n); });
  strip.dataset.live = ended(strip) ? 'ended' : follower(strip, 'then') ? 'on' : 'yours';
  clearTimeout(settling);
  if (ended(strip)) {
    strip.dataset.fresh = '';
    settling = setTimeout(() => { delete strip.dataset.fresh; }, settle);
  } else delete strip.dataset.fresh;
  for (const how of ['asks', 'waits']) {
    /** @type {HTMLElement} */ (strip.querySelector(`[data-move="${how}"]`)).ariaDisabled = String(!follower(strip, how));
  }
}

/** @param {HTMLElement} strip */
const shown = (strip) => /** @type {HTMLElement} */ (strip.querySelector('.frame.shown') ?? strip.querySelector('.frame.last'));
/**
 * @param {HTMLElement} strip
 * @param {string | undefined} how
 */
const follower = (strip, how) => Number(shown(strip).dataset[how ?? '']);
/** @param {HTMLElement} strip */
const ended = (strip) => !follower(strip, 'asks') && !follower(strip, 'waits');
