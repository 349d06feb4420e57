// Text that is not applied yet is kept in this browser, by lesson and part.
const wait = 250; // ms after the last key

export function drafts(lesson) {
  const key = (part) => `lockstep-draft:${lesson}:${part}`;
  let pending = null;
  let timer;
  addEventListener('pagehide', flush);

  function flush() {
    clearTimeout(timer);
    if (!pending) return;
    const { part, text } = pending;
    pending = null;
    try {
      if (text === null) localStorage.removeItem(key(part));
      else localStorage.setItem(key(part), text);
    } catch { /* it lasts as long as the page */ }
  }

  return {
    flush,
    get(part) {
      if (pending?.part === part) return pending.text;
      try {
        return localStorage.getItem(key(part));
      } catch {
        return null;
      }
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
