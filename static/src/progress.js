// Which lessons were played to their end, in this browser.
const key = 'lockstep-finished';

function finished() {
  try {
    return new Set((localStorage.getItem(key) ?? '').split(' ').filter(Boolean));
  } catch {
    return new Set(); // nothing is stored here
  }
}

// noteProgress remembers the lesson if its story is at its end.
export function noteProgress(lesson) {
  if (!document.querySelector('#f-story .done')) return;
  const all = finished();
  if (all.has(lesson)) return;
  try {
    localStorage.setItem(key, [...all.add(lesson)].join(' '));
  } catch { /* then it is not marked */ }
}

// showProgress marks the cards of lessons that were finished.
export function showProgress() {
  const all = finished();
  for (const mark of document.querySelectorAll('[data-finished]')) mark.hidden = !all.has(mark.dataset.finished);
}
