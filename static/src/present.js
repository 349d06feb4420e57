// The lesson before an audience: large type, and the keys of a remote control. Remotes send
// what slide programs know: Page Down and Page Up, arrows, F5 and Esc, B or a full stop.

/** @returns {string} how the page is looked at: empty, embed or present */
export const view = () => document.documentElement.dataset.view ?? '';

/**
 * What a key does before an audience.
 * @param {{key: string, shiftKey?: boolean}} event
 * @param {{typing: boolean, dark: boolean, full: boolean}} state typing: in a field with text
 * @returns {'' | 'next' | 'back' | 'dark' | 'light' | 'full' | 'end'}
 */
export function actionOf({ key, shiftKey = false }, { typing, dark, full }) {
  const moves = { PageDown: 'next', PageUp: 'back', ...(!typing && !shiftKey && { ArrowRight: 'next', ArrowDown: 'next', ArrowLeft: 'back', ArrowUp: 'back' }) };
  const move = /** @type {Record<string, 'next' | 'back'>} */ (moves)[key];
  if (dark && (move || key === 'Escape' || isDark(key))) return 'light';
  if (move) return move;
  if (key === 'F5') return full ? 'end' : 'full';
  if (key === 'Escape') return full ? '' : 'end'; // the browser itself ends the full screen
  return isDark(key) && !typing ? 'dark' : '';
}

/** @param {string} key */
const isDark = (key) => key === 'b' || key === 'B' || key === '.';

/** Begins to present, or ends it. */
export function present() {
  const on = view() !== 'present';
  if (on) document.documentElement.dataset.view = 'present';
  else delete document.documentElement.dataset.view;
  darken(false);
  const url = new URL(location.href);
  if (on) url.searchParams.set('view', 'present');
  else url.searchParams.delete('view');
  history.replaceState(null, '', url);
  if (!on && document.fullscreenElement) document.exitFullscreen();
  document.getElementById('go')?.focus({ preventScroll: true });
}

/** Listens to a remote control, for as long as somebody presents. */
export function listenToRemote() {
  document.addEventListener('keydown', (e) => {
    if (view() !== 'present' || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open], :popover-open')) return;
    const action = actionOf(e, { typing: isTyping(e.target), dark: isOff(), full: document.fullscreenElement !== null });
    if (!action) return;
    e.preventDefault();
    e.stopPropagation();
    act(action);
  }, { capture: true });
}

/** @param {ReturnType<typeof actionOf>} action */
function act(action) {
  switch (action) {
    case 'next': return /** @type {HTMLElement | null} */ (document.querySelector('#go:not([data-ends])'))?.click(); // a talk ends with its lesson
    case 'back': return /** @type {HTMLElement | null} */ (document.querySelector('#f-transport [data-key="ArrowLeft"]'))?.click();
    case 'dark': return darken(true);
    case 'light': return darken(false);
    case 'full': document.documentElement.requestFullscreen?.().catch(() => {}); return; // a browser may refuse
    case 'end': return present();
    default:
  }
}

const isOff = () => document.documentElement.dataset.dark !== undefined;

/** @param {boolean} off */
function darken(off) {
  if (off) document.documentElement.dataset.dark = '';
  else delete document.documentElement.dataset.dark;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLInputElement && target.value !== '' || target instanceof HTMLElement && target.closest('textarea, select, [contenteditable]') !== null;
}

/** In a frame of another page, links lead to pages of their own, and nothing can be written. */
export function settleInFrame() {
  if (view() !== 'embed') return;
  document.querySelector('[data-ui="author"]')?.remove();
  document.addEventListener('click', (e) => {
    const link = /** @type {HTMLAnchorElement | null} */ (e.target instanceof Element ? e.target.closest('a') : null);
    if (link && !link.getAttribute('href')?.startsWith('#')) link.target = '_blank';
  });
}
