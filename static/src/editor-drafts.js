import { keep, kept } from './kept.js';

const wait = 250; // ms after the last key

// drafts are texts that are not applied yet, which stay in this browser, by the part of something.
export function drafts(of, onFailed = () => {}) {
  const key = (part) => `${of}:${part}`;
  let pending; // of which part, and its text; undefined: nothing is to be kept
  let timer;
  addEventListener('pagehide', flush);

  function flush() {
    clearTimeout(timer);
    if (!pending) return;
    if (keep(key(pending.part), pending.text)) pending = undefined;
    else onFailed();
  }

  return {
    flush,
    get(part) {
      return pending?.part === part ? pending.text : kept(key(part));
    },
    // set keeps a text; null forgets it.
    set(part, text) {
      if (pending && pending.part !== part) flush();
      pending = { part, text };
      clearTimeout(timer);
      timer = setTimeout(flush, wait);
    },
  };
}
