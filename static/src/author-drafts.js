// What an author has typed stays in this browser, by lesson: {of, folder, files}, of
// which original it was made, and all texts.
import { keep, kept } from './kept.js';

const wait = 250; // ms after the last key

export function authorDraft(lesson, onFailed) {
  const key = `lockstep-author:${lesson}`;
  let pending; // undefined: nothing is to be stored
  let timer;
  addEventListener('pagehide', flush);

  function flush() {
    clearTimeout(timer);
    if (pending === undefined) return;
    if (keep(key, pending && JSON.stringify(pending))) pending = undefined;
    else onFailed();
  }

  return {
    get() {
      try {
        const draft = JSON.parse(kept(key) ?? 'null');
        return Array.isArray(draft?.files) ? draft : null;
      } catch {
        return null;
      }
    },
    // set keeps a draft; null forgets it.
    set(draft) {
      pending = draft;
      clearTimeout(timer);
      timer = setTimeout(flush, wait);
    },
  };
}
