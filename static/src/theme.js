// The theme: as the system, light or dark. The first paint reads it too, in the page's head.
const key = 'lockstep-theme';
const order = ['', 'light', 'dark'];

export function applyTheme() {
  set(stored());
}

export function nextTheme() {
  const next = order[(order.indexOf(stored()) + 1) % order.length];
  try {
    if (next) localStorage.setItem(key, next);
    else localStorage.removeItem(key);
  } catch { /* a browser that stores nothing still changes its colours */ }
  set(next);
}

function set(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function stored() {
  try {
    return localStorage.getItem(key) || '';
  } catch {
    return document.documentElement.dataset.theme || '';
  }
}
