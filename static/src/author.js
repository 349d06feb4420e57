// The Author view: the files of a lesson, which the player reads while they are typed.
// What it makes of them is played on the page; mistakes are marked in the text and
// listed below it.
import { authorDraft } from './author-drafts.js';
import { download } from './author-export.js';
import { fileBar } from './author-files.js';
import { problemList } from './author-problems.js';
import { reader } from './author-sync.js';
import { lessonTexts } from './author-texts.js';
import { codeView } from './editor-view.js';

// write begins in a panel. request sends a command and promises its reply; onGood is told
// the files that are played, null for the lesson's own; onCreated of the folder in
// which a new lesson was saved.
export function write({ panel, lesson, isNew, request, onGood, onCreated }) {
  const $ = (id) => panel.querySelector(`#author-${id}`);
  const words = panel.dataset;
  const kept = authorDraft(lesson, () => { unkept = true; tell(); });
  const texts = lessonTexts();
  let base = ''; // what the draft was made of, or was saved as
  const states = new Map(); // of the editor, by file
  let shown = '';
  let stale = false; // the draft was made of another original
  let unkept = false;
  let saves = false; // the server may write the files
  let saved = false; // they are as the texts are
  let problems = [];
  let played = true; // the page plays the texts, whatever their problems
  let refusal = ''; // why the texts were not read, or not saved
  let unproven = ''; // what was saved is not proven
  let said = ''; // of what was filled in
  let filling = false; // what happens is being searched for and written
  let saving = false; // a command to save waits for its proof
  let syncing = false;
  let newest = ''; // the original of the newest frame
  let synced = ''; // the same, when the lesson's own files were last asked for
  const reading = reader(read, catchUp);

  const view = codeView({
    element: $('text'),
    onChange: changed,
    onLeave: () => panel.querySelector('.editor-foot').focus({ preventScroll: true }), // Tab goes on behind the text, not into it again
    keys: { 'Mod-s': keep },
  });
  const bar = fileBar({
    panel,
    onShow: (name) => { show(name); view.focus(); },
    onAdd: (name) => { add(name); show(name); view.focus(); changed(); },
    onRemove: remove,
    onBadName: () => say(words.badFile, true),
  });
  const listed = problemList($('problems'), goTo);
  $('name').addEventListener('input', changed);
  $('export').addEventListener('click', exportAll);
  $('reset').addEventListener('click', reset);
  $('save').addEventListener('click', save);
  $('fill').addEventListener('click', fill);
  panel.addEventListener('click', (e) => { if (e.target.closest('#author-prove:not([aria-disabled])')) prove(); });
  panel.addEventListener('keydown', (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.key !== 's' || e.defaultPrevented) return;
    e.preventDefault();
    keep();
  });

  const folder = () => $('name').value.trim();
  const files = () => {
    if (shown) texts.set(shown, view.text());
    return texts.files();
  };
  const isOwn = () => {
    files();
    return folder() === texts.own().folder && texts.are(texts.own().files);
  };

  async function open() {
    if (!texts.own().of && !await begin()) return;
    view.focus();
  }

  // begin asks for the lesson's own files, and goes on with the draft, if there is one.
  async function begin() {
    if (!await fetchOwn()) return false;
    const draft = kept.get();
    base = draft?.of ?? texts.own().of;
    stale = base !== texts.own().of;
    take(draft ?? texts.own());
    if (saves && !isNew) $('name').value = texts.own().folder; // which may have another number than when the draft was begun
    if (draft) await reading.now();
    return true;
  }

  async function fetchOwn() {
    const reply = await request({ op: 'author' });
    if (!reply.ok) {
      say(reply.err.code === 'lost' ? words.offline : reply.err.msg, true);
      return false;
    }
    saves = Boolean(reply.saves);
    $('save').hidden = !saves;
    $('name').readOnly = saves && !isNew;
    $('export').classList.toggle('primary', !saves);
    texts.keep(reply);
    bar.offer(texts.offered());
    return true;
  }

  function take(what) {
    states.clear();
    texts.take(what.files);
    $('name').value = what.folder;
    bar.list(texts.names());
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
    said = '';
    view.showDiff(false);
    const language = name.endsWith('.lua') ? 'lua' : 'yaml';
    view.show({ state: states.get(name), text: texts.get(name), language, original: '', name: words.text.replace('{0}', name) });
    bar.press(name, removable(name));
    mark();
  }

  // removable tells whether a file may go: none that is kept, and of a new lesson, of which nothing is, any script.
  function removable(name) {
    return !texts.isKept(name) || isNew && name !== texts.own().files[0].name;
  }

  function add(name) {
    if (texts.has(name)) return;
    texts.add(name);
    bar.list(texts.names());
    bar.press(shown, removable(shown));
  }

  function remove() {
    const name = shown;
    shown = '';
    texts.remove(name);
    states.delete(name);
    bar.list(texts.names());
    show(texts.own().files[0].name);
    view.focus();
    changed();
  }

  function changed() {
    if (!shown) return;
    stale &&= !isOwn();
    if (saved) say(''); // the text typed since is not saved
    saved = false;
    refusal = '';
    if (!filling && said) {
      said = '';
      view.showDiff(false);
    }
    files(); // with what was just typed
    const client = texts.namedClient();
    if (client) add(client);
    keepDraft();
    reading.soon();
    $('reset').disabled = isOwn();
  }

  function keepDraft() {
    kept.set(isOwn() ? null : { of: base, folder: folder(), files: files() });
  }

  // read sends the texts to the player, which makes a lesson of them, and tells whether there
  // was an answer.
  async function read() {
    const sent = { folder: folder(), files: files() };
    const of = isOwn();
    const reply = await request({ op: 'author', ...sent });
    if (!reply.ok && reply.err.code === 'lost') {
      say(words.offline, true);
      return false;
    }
    if (reply.ok) onGood(of ? null : sent);
    if (!reply.ok && reply.err.code !== 'mistakes') refusal = reply.err.msg;
    played = reply.ok;
    problems = reply.problems ?? [];
    list();
    mark();
    tell();
    return true;
  }

  function list() {
    listed(problems);
    bar.wrong((file) => problems.some((p) => p.file === file && p.severity === 'error'));
  }

  function goTo(p) {
    if (texts.has(p.file) && p.file !== shown) show(p.file);
    if (p.file === shown) view.goTo(p);
    view.focus();
  }

  function mark() {
    view.mark(problems.filter((p) => p.file === shown));
  }

  // tell shows whether the page plays the texts as they are now.
  function tell() {
    const mistakes = problems.filter((p) => p.severity === 'error').length;
    $('reset').disabled = isOwn();
    if (refusal) say(refusal, true);
    else if (said) say(said);
    else if (mistakes) say((played ? words.unmet : words.mistakes).replace('{0}', mistakes), true);
    else if (stale) say(words.stale, true);
    else if (unkept && !isOwn()) say(words.notKept, true);
    else if (saved && unproven) say(unproven, true);
    else say(saved ? words.saved : isOwn() ? words.original : words.plays);
  }

  async function reset() {
    stale = saved = false;
    base = texts.own().of;
    refusal = '';
    take(texts.own());
    kept.set(null);
    view.focus();
    await reading.now();
  }

  function keep() {
    return saves ? save() : exportAll();
  }

  // exportAll leaves out what a new lesson does not use: the template's scripts are of no use to it.
  function exportAll() {
    const unused = isNew ? problems.filter((p) => p.unused).map((p) => p.file) : [];
    download(folder(), files().filter((f) => !unused.includes(f.name)));
  }

  // prove asks for the problems again when the searches have ended.
  async function prove() {
    const reply = await request({ op: 'prove', folder: folder(), files: files() });
    if (!reply.ok && reply.err.code !== 'mistakes') return refuse(reply);
    await reading.now();
  }

  // fill writes what happens into lesson.yaml, marks what it wrote, and proves it; not over what was typed meanwhile.
  async function fill() {
    if (filling) return;
    filling = true;
    said = refusal = '';
    say(words.filling);
    const sent = files();
    const reply = await request({ op: 'fill', folder: folder(), files: sent });
    files();
    if (!reply.ok) refuse(reply);
    else put(reply.files?.[0], sent);
    filling = false;
    if (said === words.filled) await prove();
  }

  // put writes what was filled in into the text that was sent; none: there is nothing to fill in.
  function put(filled, sent) {
    said = !texts.are(sent) ? words.typed : filled ? words.filled : words.full;
    if (said === words.filled) {
      if (shown !== filled.name) show(filled.name);
      const was = view.text();
      const first = view.replace(filled.text);
      view.showDiff(true, was);
      view.reveal(first);
      view.focus();
    }
    tell();
  }

  // save does nothing while the proof of what shall be saved goes on.
  async function save() {
    if (saving) return;
    saving = true;
    await (isNew ? create() : replace());
    saving = false;
    await reading.now(); // what was proven meanwhile
  }

  // create saves a new lesson, and forgets its draft.
  async function create() {
    const rest = panel.querySelectorAll(':scope > :not(#f-proof)'); // a proof can be stopped
    for (const part of rest) part.inert = true; // text typed now would be lost
    const reply = await request({ op: 'save', folder: folder(), files: files() });
    if (reply.ok) {
      kept.set(null);
      return onCreated(reply.folder);
    }
    for (const part of rest) part.inert = false;
    view.focus();
    refuse(reply);
  }

  async function replace() {
    const sent = files();
    const reply = await request({ op: 'save', of: base, files: sent });
    if (!reply.ok) return refuse(reply);
    base = reply.of;
    unproven = reply.unproven ?? '';
    stale = false;
    refusal = '';
    files();
    saved = texts.are(sent);
    keepDraft();
    tell();
  }

  function refuse({ err, problems: found }) {
    refusal = err.code === 'lost' ? words.offline : err.msg;
    if (found) {
      problems = found;
      list();
      mark();
    }
    tell();
  }

  function say(text, failed) {
    $('said').textContent = text;
    $('said').classList.toggle('failed', Boolean(failed));
  }

  // sync handles a player that may have restarted, or a lesson that was saved elsewhere.
  async function sync() {
    syncing = true;
    const untouched = isOwn() || saved;
    const was = texts.own().of;
    synced = newest;
    const there = await fetchOwn();
    syncing = false;
    if (!there) return;
    const replaced = texts.own().of !== was && texts.own().of !== base;
    if (replaced && untouched) {
      saved = false;
      take(texts.own());
    }
    bar.press(shown, !texts.isKept(shown));
    stale ||= replaced && !isOwn();
    if (isOwn()) base = texts.own().of;
    keepDraft();
    await reading.now();
  }

  // catchUp asks for the lesson's own files when they were replaced while texts were read.
  function catchUp() {
    if (!syncing && newest !== synced && newest !== texts.own().of) sync();
  }

  return {
    open,
    // frame is called for each frame. A complete frame that does not answer a draft comes from
    // a player that may not have the draft.
    frame(frame) {
      newest = frame.original;
      if (!texts.own().of || reading.busy() || syncing) return;
      if (frame.base === 0 || frame.original !== texts.own().of) sync();
    },
  };
}

