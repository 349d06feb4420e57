// What a page says to its class: of each kind, and about each learner, the newest, and again until the server has it.

/**
 * @param {string} address
 * @param {(text: string) => void} told what the server says when it takes something not at all
 */
export function sender(address, told) {
  /** @type {Map<string, object>} */
  const waiting = new Map();
  let busy = false;

  /**
   * @param {string} kind
   * @param {{ of?: string, [part: string]: unknown }} event
   * @param {number} [after] milliseconds, in which a newer one takes its place
   */
  return function say(kind, event, after = 0) {
    waiting.set(`${kind} ${event.of ?? ''}`, { kind, ...event });
    if (!busy) {
      busy = true;
      setTimeout(send, after);
    }
  };

  async function send() {
    while (waiting.size > 0) {
      const [about, event] = waiting.entries().next().value ?? [];
      let status = 0;
      let text = '';
      try {
        const response = await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(event) });
        status = response.status;
        text = response.headers.get('Content-Type')?.startsWith('text/plain') ? await response.text() : '';
      } catch { /* the connection was lost */ }
      if (text) told(text.trim());
      if (status === 0 || status === 429 || status >= 500) { // later, before what came after it
        setTimeout(send, 1000 + Math.random() * 1000);
        return;
      }
      if (waiting.get(about) === event) waiting.delete(about);
    }
    busy = false;
  }
}
