// The Author view: the files of a lesson, which the player reads while they are typed.
// What it makes of them is played on the page; mistakes are marked in the text and
// listed below it.
import { authorDraft } from './author-drafts.js';
import { codeView } from './editor-view.js';
import { zip } from './zip.js';

const readAfter = 250; // ms after the last key

// write begins in a panel. ask sends a command and promises its reply; onGood is told
// the files that are played, null for the lesson's own; onCreated of the folder in
// which a new lesson was saved.
export function write({ panel, lesson, isNew, ask, onGood, onCreated }) {
  const $ = (id) => panel.querySelector(`#author-${id}`);
  const words = panel.dataset;
  const kept = authorDraft(lesson, () => { unkept = true; tell(); });
  let own = { of: '', folder: '', files: [] }; // the lesson as it is kept
  let base = ''; // what the draft was made of, or was saved as
  let texts = new Map(); // as they are typed, by file
  const states = new Map(); // of the editor, by file
  let shown = '';
  let stale = false; // the draft was made of another original
  let unkept = false;
  let saves = false; // the server may write the files
  let saved = false; // they are as the texts are
  let problems = [];
  let refusal = ''; // why the texts were not read, or not saved
  let busy = false; // a reply is awaited
  let again = false; // there are newer texts to read
  let syncing = false;
  let timer;

  const view = codeView({
    element: $('text'),
    onChange: changed,
    onLeave: () => panel.focus({ preventScroll: true }),
    keys: { 'Mod-s': keep },
  });
  $('name').addEventListener('input', changed);
  $('export').addEventListener('click', download);
  $('reset').addEventListener('click', reset);
  $('save').addEventListener('click', save);
  panel.addEventListener('keydown', (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.key !== 's' || e.defaultPrevented) return;
    e.preventDefault();
    keep();
  });

  const folder = () => $('name').value.trim();
  const files = () => [...texts].map(([name, text]) => ({ name, text: name === shown ? view.text() : text }));
  const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const isOwn = () => folder() === own.folder && equal(files(), own.files);

  async function open() {
    if (!own.of && !await begin()) return;
    view.focus();
  }

  // begin asks for the lesson's own files, and goes on with the draft, if there is one.
  async function begin() {
    if (!await fetchOwn()) return false;
    const draft = kept.get();
    base = draft?.of ?? own.of;
    stale = base !== own.of;
    take(draft ?? own);
    if (draft) await read();
    return true;
  }

  async function fetchOwn() {
    const reply = await ask({ op: 'author' });
    if (!reply.ok) {
      say(reply.err.code === 'lost' ? words.offline : reply.err.msg, true);
      return false;
    }
    saves = Boolean(reply.saves);
    $('save').hidden = !saves;
    $('name').readOnly = saves && !isNew;
    $('export').classList.toggle('primary', !saves);
    own = { of: reply.of, folder: reply.folder, files: reply.files.map((f) => ({ ...f, text: normal(f.text) })) };
    return true;
  }

  function take(what) {
    states.clear();
    texts = new Map(what.files.map((f) => [f.name, f.text]));
    $('name').value = what.folder;
    $('files').replaceChildren(...what.files.map((f) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'seg';
      button.textContent = button.dataset.file = f.name;
      button.addEventListener('click', () => { show(f.name); view.focus(); });
      return button;
    }));
    const name = texts.has(shown) ? shown : what.files[0].name;
    shown = '';
    show(name);
    problems = [];
    list();
    tell();
  }

  function show(name) {
    if (shown) {
      texts.set(shown, view.text());
      states.set(shown, view.state());
    }
    shown = name;
    const language = name.endsWith('.lua') ? 'lua' : 'yaml';
    view.show({ state: states.get(name), text: texts.get(name), language, original: '', name: words.text.replace('{0}', name) });
    for (const b of $('files').children) b.setAttribute('aria-pressed', String(b.dataset.file === name));
    mark();
  }

  function changed() {
    if (!shown) return;
    stale &&= !isOwn();
    saved = false;
    refusal = '';
    keepDraft();
    clearTimeout(timer);
    timer = setTimeout(read, readAfter);
    $('reset').disabled = isOwn();
  }

  function keepDraft() {
    kept.set(isOwn() ? null : { of: base, folder: folder(), files: files() });
  }

  // read lets the player make a lesson of the texts. Only one is under way at a time.
  async function read() {
    clearTimeout(timer);
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    const sent = { folder: folder(), files: files() };
    const of = isOwn();
    const reply = await ask({ op: 'author', ...sent });
    busy = false;
    if (!reply.ok && reply.err.code === 'lost') {
      again = false;
      return say(words.offline, true);
    }
    if (reply.ok) onGood(of ? null : sent);
    if (!reply.ok && reply.err.code !== 'mistakes') refusal = reply.err.msg;
    problems = reply.problems ?? [];
    list();
    mark();
    tell();
    if (again) {
      again = false;
      await read();
    }
  }

  function list() {
    $('problems').hidden = problems.length === 0;
    $('problems').replaceChildren(...problems.map((p) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = `problem ${p.severity}`;
      button.textContent = p.text;
      button.addEventListener('click', () => {
        if (texts.has(p.file) && p.file !== shown) show(p.file);
        if (p.file === shown) view.goTo(p);
        view.focus();
      });
      return button;
    }));
    for (const b of $('files').children) b.classList.toggle('wrong', problems.some((p) => p.file === b.dataset.file && p.severity === 'error'));
  }

  function mark() {
    view.mark(problems.filter((p) => p.file === shown));
  }

  // tell says how the texts stand to what the page shows.
  function tell() {
    const mistakes = problems.filter((p) => p.severity === 'error').length;
    $('reset').disabled = isOwn();
    if (refusal) say(refusal, true);
    else if (mistakes) say(words.mistakes.replace('{0}', mistakes), true);
    else if (stale) say(words.stale, true);
    else if (unkept && !isOwn()) say(words.notKept, true);
    else say(saved ? words.saved : isOwn() ? words.original : words.plays);
  }

  async function reset() {
    stale = saved = false;
    base = own.of;
    refusal = '';
    take(own);
    kept.set(null);
    view.focus();
    await read();
  }

  function keep() {
    return saves ? save() : download();
  }

  function save() {
    return isNew ? create() : replace();
  }

  // create saves a new lesson, and forgets its draft.
  async function create() {
    panel.inert = true; // what was typed now would be in no file
    const reply = await ask({ op: 'save', folder: folder(), files: files() });
    if (reply.ok) {
      kept.set(null);
      return onCreated(reply.folder);
    }
    panel.inert = false;
    view.focus();
    refuse(reply);
  }

  async function replace() {
    const sent = files();
    const reply = await ask({ op: 'save', of: base, files: sent });
    if (!reply.ok) return refuse(reply);
    base = reply.of;
    stale = false;
    refusal = '';
    saved = equal(sent, files());
    keepDraft();
    tell();
  }

  function refuse({ err }) {
    refusal = err.code === 'lost' ? words.offline : err.msg;
    tell();
  }

  function download() {
    const inside = (name) => (name.startsWith('clients/') ? name : `${folder()}/${name}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(zip(files().map((f) => ({ name: inside(f.name), text: f.text }))));
    link.download = `${folder()}.zip`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function say(text, failed) {
    $('said').textContent = text;
    $('said').classList.toggle('failed', Boolean(failed));
  }

  // sync is for a player that may have begun anew, or a lesson that was kept anew.
  async function sync() {
    syncing = true;
    const untouched = isOwn();
    const was = own.of;
    const there = await fetchOwn();
    syncing = false;
    if (!there) return;
    if (own.of !== was && untouched) {
      base = own.of;
      return take(own);
    }
    stale ||= own.of !== was && own.of !== base && !isOwn();
    if (isOwn()) base = own.of;
    keepDraft();
    await read();
  }

  return {
    open,
    // frame hears of each frame. A whole one that is not the answer to a draft comes
    // from a player that may not know of it.
    frame({ base, original }) {
      if (!own.of || busy || syncing) return;
      if (base === 0 || original !== own.of) sync();
    },
  };
}

const normal = (text) => text.replaceAll('\r\n', '\n');
