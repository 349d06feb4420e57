// Which lessons were played to their end, in this browser.
const key = 'lockstep-finished';

/** @returns {Set<string>} */
function finished() {
  try {
    return new Set((localStorage.getItem(key) ?? '').split(' ').filter(Boolean));
  } catch {
    return new Set(); // nothing is stored here
  }
}

/** @param {Set<string>} all */
function keep(all) {
  try {
    localStorage.setItem(key, [...all].join(' '));
  } catch { /* then it is not marked */ }
}

/**
 * Remembers the lesson if its story is at its end.
 * @param {string} lesson
 */
export function noteProgress(lesson) {
  if (!document.querySelector('#f-story .done')) return;
  const all = finished();
  if (!all.has(lesson)) keep(all.add(lesson));
}

/** Marks the cards of lessons that were finished, and counts them. */
export function showProgress() {
  const all = finished();
  const marks = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-finished]'));
  let done = 0;
  for (const mark of marks) {
    mark.hidden = !all.has(mark.dataset.finished ?? '');
    if (!mark.hidden) done += 1;
  }
  const tally = document.getElementById('tally');
  if (!tally) return;
  tally.textContent = (tally.dataset.text ?? '').replace('{0}', String(done)).replace('{1}', String(marks.length));
  tally.hidden = done === 0;
  /** @type {HTMLElement} */ (document.querySelector('.progress-file')).hidden = false;
}

/** Offers the progress as a small file. */
export function exportProgress() {
  const text = JSON.stringify({ lockstep: 'progress', version: 1, finished: [...finished()].sort() }, null, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'application/json' }));
  link.download = 'lockstep-progress.json';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Asks for such a file. */
export function importProgress() {
  const input = /** @type {HTMLInputElement} */ (document.getElementById('progress-file'));
  input.value = ''; // the same file again is a change, too
  input.click();
}

/** Adds what a chosen file has to what was finished here. */
export function listenToProgress() {
  const input = document.getElementById('progress-file');
  if (!(input instanceof HTMLInputElement)) return;
  input.addEventListener('change', async () => {
    const said = /** @type {HTMLElement} */ (document.getElementById('imported'));
    const file = input.files?.[0];
    const names = file && file.size < 1 << 20 ? read(await file.text()) : undefined;
    if (!names) {
      said.textContent = said.dataset.wrong ?? '';
      return;
    }
    const all = finished();
    const before = all.size;
    for (const name of names) all.add(name);
    keep(all);
    showProgress();
    said.textContent = (said.dataset.done ?? '').replace('{0}', String(all.size - before));
  });
}

/**
 * The lessons that a file names; undefined: it is none that was exported here.
 * @param {string} text
 * @returns {string[] | undefined}
 */
function read(text) {
  try {
    const it = JSON.parse(text);
    const right = it.lockstep === 'progress' && it.version === 1 && it.finished.every((/** @type {unknown} */ n) => /^[A-Za-z0-9_-]{1,80}$/.test(String(n)));
    return right ? it.finished.map(String) : undefined;
  } catch {
    return undefined;
  }
}
