// The theme: as the system, light or dark. The first paint reads it too, in the page's head.
import { keep, kept } from './kept.js';

const key = 'lockstep-theme';
const order = ['', 'light', 'dark'];

export function applyTheme() {
  set(stored());
}

export function nextTheme() {
  const next = order[(order.indexOf(stored()) + 1) % order.length];
  keep(key, next || null); // a browser that keeps nothing still changes its colours
  set(next);
}

function set(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function stored() {
  const theme = kept(key);
  return (theme === undefined ? document.documentElement.dataset.theme : theme) ?? '';
}
