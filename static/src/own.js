// Scripts of a visitor's own: the server makes a lesson of them and says what it found, and the editor of a new lesson
// begins with it.
import { authorDraft } from './author-drafts.js';

export function listenToOwn() {
  const form = document.getElementById('own');
  if (!(form instanceof HTMLFormElement)) return;
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  const said = document.getElementById('own-said');
  const kept = authorDraft(form.dataset.lesson, () => {});
  document.getElementById('own-kept').hidden = !kept.get();
  button.disabled = false;
  form.addEventListener('input', () => said.replaceChildren()); // it was said of another text
  form.addEventListener('submit', async (e) => {
    e.preventDefault();
    if (button.ariaBusy) return; // it keeps the focus, so it is not off
    button.ariaBusy = 'true';
    said.replaceChildren();
    const fields = /** @type {NodeListOf<HTMLTextAreaElement>} */ (form.querySelectorAll('textarea'));
    const texts = [...fields].map((t) => t.value).filter((t) => t.trim());
    try {
      const response = await fetch(form.dataset.post, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ texts }) });
      if (response.status === 413) {
        said.textContent = form.dataset.long;
      } else if (response.ok) {
        const { html, of, folder, files } = await response.json();
        said.innerHTML = html;
        if (files) offer({ of, folder, files });
      } else {
        said.textContent = form.dataset.failed;
      }
    } catch {
      said.textContent = form.dataset.failed;
    }
    button.ariaBusy = null;
    said.scrollIntoView({ block: 'nearest' });
  });

  // offer opens the lesson in the editor, and says before that what an author has begun there is replaced.
  function offer(lesson) {
    if (kept.get()) said.insertAdjacentText('beforeend', form.dataset.replaces);
    said.querySelector('#own-open').addEventListener('click', () => {
      kept.set(lesson); // stored as the page is left
      location.href = form.dataset.to;
    });
  }
}
