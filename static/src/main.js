// The client is a thin shell: it sends what the components ask for and draws the
// fragments that come back. It knows nothing of locks.
import { applyTheme, nextTheme } from './theme.js';
applyTheme();

import { play } from './player.js';
import { draw } from './morph.js';
import { keepFocus, keepInPlace, toLead } from './focus.js';
import { changeMode, opens, settleMode, told, whenTold } from './mode.js';
import { listenToKeys, toChoices } from './keys.js';
import { goBelow, listenToBelow, tellBelow } from './below.js';
import { listenToTabs, show as showTab } from './tabs.js';
import { endTravel, listenToHighlights, follow } from './highlight.js';
import { dismiss, fail, hide, notStarted, say, show, warn } from './notices.js';
import { remember, place, placeIn } from './place.js';
import { embed, save, share, withoutView } from './share.js';
import { listenToRemote, present, settleInFrame } from './present.js';
import { exportProgress, finishedLessons, importProgress, listenToProgress, noteProgress, showProgress } from './progress.js';
import { leadAlong, listenToWays, showWay } from './way.js';
import { listenToFind } from './find.js';
import { listenToOwn } from './own.js';
import { playStrip } from './strip.js';
import { showEnd } from './predict.js';
import { recorded, storyAt } from './recorded.js';
import { enter, rememberLanguage } from './doorway.js';
import { keepForOffline, reload } from './offline.js';
import { editAgain, forgetEdits, offerEdits } from './edits.js';
import { startAfresh } from './reloaded.js';
import { edit, closeEditor, tellEditor, whenApplied } from './editing.js';
import { live } from './live.js';
import { inClass } from './class.js';
import { wall } from './class-wall.js';
import { author, authoring, closeAuthor, tellAuthor, wantsAuthor } from './authoring.js';

const ready = document.readyState === 'loading'
  ? new Promise((done) => document.addEventListener('DOMContentLoaded', done, { once: true }))
  : Promise.resolve();

ready.then(() => {
  const page = document.body.dataset;
  if (page.doorway !== undefined) return enter(page.doorway, page.was);
  document.addEventListener('click', onClick);
  if (page.live) return live(page.live);
  if (page.wall) return wall(page.wall);
  listenToTabs();
  showProgress();
  listenToProgress();
  listenToWays();
  listenToFind();
  listenToOwn();
  if (page.lesson) showWay(page.lesson);
  playStrip();
  if (page.offline) rememberLanguage(page.lang);
  if (page.story && !location.search && !navigator.serviceWorker?.controller) storyAt(page.story).then(start); // the story first: it is small
  else if (page.socket || page.worker) start([]);
  else if (page.offline) keepForOffline(page.offline);
});

/** @param {import('../types/protocol').Frame[]} frames that are shown until there is a player */
function start(frames) {
  const story = recorded(frames, onFrame);
  let wanted = wantsAuthor();
  let leading = false; // the story goes on, and what comes of it is not drawn yet
  let moving = false; // a beat plays by itself
  let moved = -Infinity; // when the last one was at its end
  const stands = () => performance.now() - moved > 250;
  const link = play({
    greet(afresh) {
      const goesOn = story.stop(); // what follows is for the player
      if (goesOn) link.send(goesOn);
      return { op: 'load', ...place(), ...(afresh && withoutSteps()), lang: document.body.dataset.lang, told: told() };
    },
    onFrame,
    onUp,
    onDown: (notice) => { leading = false; document.documentElement.dataset.link = notice; show(notice); },
    onFailed: notStarted,
    onRefused: (err) => { leading = false; warn(err.msg); },
    onUndone: () => show('undone'),
    onNewBuild: () => show('updated'),
  }, wanted);
  Object.assign(document.body, { settled: () => link.settled() && stands() }); // tests wait until what they have clicked is drawn, and the next click counts
  own.author = () => author({ request: link.request, prepare: link.author });
  own.save = (button) => save(button, link.request);
  own['edit-again'] = () => editAgain(send);
  own.edit = (button) => (authoring() ? own.author() : edit(button, (command) => {
    hide('failed');
    return link.request(command);
  }));
  document.body.addEventListener('editing', settleMode);
  whenTold((now) => link.send({ op: 'look', told: now }));
  settleInFrame();
  offerEdits();
  listenToRemote(); // before the other keys
  listenToKeys();
  listenToHighlights();
  listenToBelow();
  follow();
  tellBelow();
  const together = inClass({
    goTo(lesson, query) {
      const search = query && `?${query}`;
      if (lesson !== document.body.dataset.lesson) return location.assign(`../${lesson}/${search}`);
      history.replaceState(null, '', location.pathname + search);
      link.send({ op: 'load', ...placeIn(search), lang: document.body.dataset.lang, told: told() });
    },
    seek: (pos) => link.send({ op: 'seek', pos }),
    answer: (beat, text) => link.send({ op: 'answer', beat, text }),
  });

  function onUp() {
    document.documentElement.dataset.link = 'up';
    for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy');
    hide('lost');
    hide('loading');
    const { offline } = document.body.dataset;
    if (offline) keepForOffline(offline); // not before: the learner comes first
  }

  /** @param {import('../types/protocol').Frame} frame */
  function onFrame(frame) {
    leading &&= !link.settled(); // a frame of something else may come first
    if (moving && !frame.playing) moved = performance.now();
    moving = frame.playing;
    const ended = ends();
    let asks = '';
    try {
      asks = keepFocus(() => keepInPlace(() => draw(frame.frags, frame.rows)));
    } catch (err) {
      fail(err.message);
    }
    if (ends() && !ended) rest();
    settleMode();
    remember(frame);
    tellEditor(frame);
    bringForward();
    together.frame(frame);
    noteProgress(frame.lesson);
    leadAlong(frame.lesson, finishedLessons());
    tellAuthor(frame);
    document.body.dataset.rev = String(frame.rev); // last: a test that waits for it sees all of the frame
    const spoken = [frame.say, asks].filter(Boolean).join(' ');
    if (spoken) say(spoken);
    if (frame.frags.some((f) => f.id === 'f-lines')) showSide();
    follow();
    endTravel();
    tellBelow();
    link.send({ op: 'ack', rev: frame.rev });
    if (wanted) own.author();
    wanted = false;
  }

  document.addEventListener('click', (e) => {
    if (e.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (e.target);
    const button = target.closest('[data-op]:not(form)');
    if (button) {
      if (button.dataset.op === 'thread') {
        showTab('code', 'client');
        showTab('tab', 'script');
      }
      if (button.id === 'go' && (!stands() || leads())) return; // a press that comes just after a beat was meant to end it
      if (document.documentElement.dataset.link !== 'up') waits(button);
      if (button.dataset.applies !== undefined) return void whenApplied(() => send(opOf(button), fields(button)));
      return send(opOf(button), fields(button), button.closest('.diagram') !== null);
    }
    const event = target.closest('[data-step]');
    if (event) send('seek', { pos: Number(event.dataset.step) });
  });
  document.addEventListener('submit', (e) => {
    const form = /** @type {HTMLFormElement} */ (e.target);
    if (!form.matches('form[data-op]')) return;
    e.preventDefault();
    if (together.answers(form, /** @type {HTMLElement | null} */ (e.submitter)) || leads()) return;
    send(opOf(form), { ...fields(form), ...Object.fromEntries(new FormData(form, e.submitter)) });
  });
  document.addEventListener('input', (e) => {
    const input = /** @type {HTMLInputElement} */ (e.target);
    if (input.matches('[data-ends]')) showEnd(input);
    if (input.matches('[data-ui="scrub"]')) send(/** @type {Op} */ (input.dataset.moves), { pos: Number(input.value) });
  });
  document.addEventListener('change', (e) => {
    // A new speed counts at once while playing.
    if (/** @type {HTMLElement} */ (e.target).matches('[data-ui="speed"]') && document.querySelector('[data-op="pause"]')) send('play', {});
  });

  // leads tells whether the story is going on already: who clicks faster than it can be
  // drawn makes one step of what is seen, and none of what is not.
  function leads() {
    const already = leading;
    leading = true;
    return already;
  }

  /**
   * @param {import('../types/protocol').Op} op
   * @param {Partial<import('../types/protocol').Command>} args
   * @param {boolean} [drawn] whether what was pressed is in the diagram: from its arrow a script opens within the story
   */
  function send(op, args, drawn = false) {
    if (op === 'reset') toLead(); // the menu that has the focus closes
    if (op === 'play') args = args.pos ? { pos: args.pos, hz: still.matches ? 0 : pace } : { hz: speed() };
    if (op === 'solve' && still.matches) args = {};
    if (op === 'search') document.querySelector('#f-search')?.scrollIntoView({ block: 'start' }); // what it finds has the room below its button
    hide('failed');
    if (op !== 'line' || !drawn) opens(op);
    if (op === 'fork') toChoices(); // the button that was pressed goes away
    if (op === 'try' || op === 'solve') document.getElementById('f-challenge').focus({ preventScroll: true }); // who presses Enter again leaves nothing
    if (!story.does({ op, ...args })) link.send({ op, ...args });
  }
}

// waits says of a button that what it does is done once there is a player.
function waits(button) {
  button.ariaBusy = 'true';
  say(document.getElementById('loading').textContent);
}

let urgent = '';
let edited = document.getElementById('f-edits')?.textContent;
let said = '';
/** @type {Record<string, string>} */
const verdicts = {};

// bringForward shows the start of the story's column when the challenge has come to stand there or stands there no more,
// or something new in it, or what an edit has changed; the beginning of what is told; what a search has found, and whether a challenge is won.
function bringForward() {
  const now = document.getElementById('f-challenge').dataset.urgent ?? '';
  const edits = document.getElementById('f-edits').textContent;
  if (now !== urgent || edits && edits !== edited) document.querySelector('.slots').scrollTop = 0;
  urgent = now;
  edited = edits;
  const words = document.querySelector('.told');
  const says = words.textContent;
  if (says !== said) words.scrollTop = 0; // what is new begins at its beginning
  said = says;
  for (const section of ['#f-challenge', '#f-search']) {
    const all = [...document.querySelectorAll(`${section} :is(.grade, .missed)`)];
    const verdict = all.map((grade) => grade.textContent).join('\n');
    if (verdict && verdict !== verdicts[section]) {
      for (const grade of all.reverse()) grade.scrollIntoView({ block: 'nearest' });
      if (section === '#f-search' && matchMedia('(min-width: 64.01rem)').matches) document.querySelector('#f-search .missed, #f-search:not(:has(.missed)) .figures')?.scrollIntoView({ block: 'nearest' }); // with the tree there is no room for both
    }
    verdicts[section] = verdict;
  }
}

// showSide shows the side, Redis or client, whose line the learner has stepped to.
function showSide() {
  const { side } = document.getElementById('f-lines').dataset;
  if (side) showTab('code', side);
}

// withoutSteps loads a lesson at its start because its steps could not be loaded, and
// offers to try them again.
function withoutSteps() {
  /** @type {HTMLAnchorElement} */ (document.querySelector('#afresh a')).href = location.href;
  show('afresh');
  startAfresh();
  return { schedule: '', pos: 0, branches: [], beside: '' };
}

/** @typedef {import('../types/protocol').Op} Op */
const opOf = (element) => /** @type {Op} */ (element.dataset.op);
const fields = (element) => JSON.parse(element.dataset.arg || '{}');
// The button at the end of a story works only when it has stood for a second: who clicks fast has not seen it.
const ends = () => document.querySelector('#go[data-ends]') !== null;
function rest() {
  document.body.dataset.rest = '';
  setTimeout(() => delete document.body.dataset.rest, 1000);
}

const pace = 1.5; // steps a second on the way to the next sentence
const still = matchMedia('(prefers-reduced-motion: reduce)');
const speed = () => Number(/** @type {HTMLSelectElement | null} */ (document.querySelector('[data-ui="speed"]'))?.value || 1);

// What the page does without the player.
const own = {
  theme: nextTheme,
  help: () => /** @type {HTMLDialogElement} */ (document.getElementById('help')).showModal(),
  comments(button) {
    const original = document.body.dataset.comments !== 'original';
    document.body.dataset.comments = original ? 'original' : '';
    button.ariaPressed = String(original);
  },
  close: (button) => button.closest('dialog').close(),
  dismiss,
  reload,
  'forget-edits': forgetEdits,
  'close-editor': closeEditor,
  'close-author': closeAuthor,
  below: goBelow,
  unfold() {
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.unfold.data'))) card.hidden = !card.hidden;
    follow();
  },
  share,
  embed,
  present,
  mode: changeMode,
  'export-progress': exportProgress,
  'import-progress': importProgress,
};

function onClick(e) {
  const target = /** @type {HTMLElement} */ (e.target);
  if (target.closest('#go[data-ends]') && (e.detail > 1 || 'rest' in document.body.dataset)) return e.preventDefault();
  const button = target.closest('[data-ui]');
  if (button && own[button.dataset.ui]) own[button.dataset.ui](button);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest('a[data-keep-place]'));
  if (link) link.search = new URL(withoutView(location.href)).search; // the same place
  if (target instanceof HTMLDialogElement) target.close(); // its backdrop
}
