// Text that is not applied yet is kept in this browser, by lesson and part.
import { keep, kept } from './kept.js';

const wait = 250; // ms after the last key

export function drafts(lesson) {
  const key = (part) => `lockstep-draft:${lesson}:${part}`;
  let pending = null;
  let timer;
  addEventListener('pagehide', flush);

  function flush() {
    clearTimeout(timer);
    if (!pending) return;
    keep(key(pending.part), pending.text);
    pending = null;
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
