// When an author's texts are sent to the player: a moment after the last key, one request at
// a time. What is typed while a reply is awaited is sent after it, the newest only.
const readAfter = 250; // ms after the last key

/**
 * @param {() => Promise<boolean>} read sends the texts as they are, and tells whether it was answered
 * @param {() => void} rest is called when all has been read
 */
export function reader(read, rest) {
  let busy = false; // a reply is awaited
  let again = false; // there are newer texts
  let timer;

  async function now() {
    clearTimeout(timer);
    if (busy) {
      again = true;
      return;
    }
    do {
      again = false;
      busy = true;
      let answered;
      try {
        answered = await read();
      } finally {
        busy = false;
      }
      if (!answered) return; // the player is lost, and is told all when it is back
    } while (again);
    rest();
  }

  return {
    now,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(now, readAfter);
    },
    busy: () => busy,
  };
}
