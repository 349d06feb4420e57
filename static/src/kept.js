// What this browser keeps for all its pages. Where it keeps nothing, as some are set to, a page goes on with what it has.

/**
 * The text of a key; null: there is none, undefined: this browser keeps nothing.
 * @param {string} key
 */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

/**
 * Keeps a text; null forgets it. False: this browser does not.
 * @param {string} key
 * @param {string | null} text
 */
export function keep(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
