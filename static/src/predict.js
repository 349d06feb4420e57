// A time is predicted by dragging the end of a lease: the words beside it follow.

/** @param {HTMLInputElement} range */
export function showEnd(range) {
  const at = Number(range.value) / Number(range.step);
  const words = range.dataset.ends.split(',')[at];
  range.setAttribute('aria-valuetext', words);
  range.parentElement.querySelector('output').textContent = words;
}
