// The files of the Author view: a button for each, and a field to add others with.
const allowed = /^(clients\/)?[A-Za-z][A-Za-z0-9_-]*\.lua$/;

// fileBar shows the files. onShow and onAdd are told a name, onRemove that the file that
// is shown shall go, onBadName that there can be no such file.
export function fileBar({ panel, onShow, onAdd, onRemove, onBadName }) {
  const $ = (id) => panel.querySelector(`#author-${id}`);
  const name = $('add-name');

  $('adding').addEventListener('submit', (e) => {
    e.preventDefault();
    const wanted = name.value.trim().replace(/^(?!.*\.lua$)(?=.)(.*)$/, '$1.lua');
    if (!allowed.test(wanted)) return onBadName();
    name.value = '';
    onAdd(wanted);
  });
  $('remove').addEventListener('click', onRemove);

  return {
    list(names) {
      $('files').replaceChildren(...names.map((file) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'seg';
        button.textContent = button.dataset.file = file;
        button.addEventListener('click', () => onShow(file));
        return button;
      }));
    },
    offer(names) {
      $('offers').replaceChildren(...names.map((file) => new Option(file, file)));
    },
    // press shows which file is shown, and whether it can be removed.
    press(file, removable) {
      for (const b of $('files').children) b.setAttribute('aria-pressed', String(b.dataset.file === file));
      $('remove').hidden = !removable;
    },
    // wrong marks the files with mistakes.
    wrong(has) {
      for (const b of $('files').children) b.classList.toggle('wrong', has(b.dataset.file));
    },
  };
}
