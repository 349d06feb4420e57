// Words and figures of a class, on its wall and above its lessons.

/**
 * @param {string | undefined} text
 * @param {unknown[]} args
 */
export function words(text = '', ...args) {
  return text.replace(/\{(\d)\}/g, (_, i) => String(args[Number(i)])); // a name may look like a place for a figure
}

/**
 * Shows how many gave each answer.
 * @param {HTMLElement} list
 * @param {{ value: string, text: string, n: number }[] | null | undefined} counts
 * @param {Record<string, string>} called
 */
export function showCounts(list, counts, called = {}) {
  list.hidden = !counts;
  const all = (counts ?? []).reduce((sum, c) => sum + c.n, 0);
  list.replaceChildren(...(counts ?? []).map((c) => {
    const meter = document.createElement('meter');
    meter.max = Math.max(all, 1);
    meter.value = c.n;
    return row(called[c.value] ?? c.text, meter, String(c.n));
  }));
}

/** @param {(string | Node)[]} parts */
export function row(...parts) {
  const li = document.createElement('li');
  for (const part of parts) {
    const span = document.createElement('span');
    span.append(part);
    li.append(span);
  }
  return li;
}
