// Which lessons were played to their end, which of their challenges were solved, and where the
// learner was last, in this browser.
import { keep, kept } from './kept.js';
import { nextOnWay, showNext } from './way.js';

const keys = {
  finished: 'lockstep-finished', // names of lessons
  solved: 'lockstep-solved', // challenges: set-nx/1 is the first of that lesson
  last: 'lockstep-last', // a lesson, and the query of its address
};

/** @param {keyof typeof keys} what */
const stored = (what) => (kept(keys[what]) ?? '').split(' ').filter(Boolean);

/** The lessons that were played to their end. */
export const finishedLessons = () => new Set(stored('finished'));

/**
 * @param {keyof typeof keys} what
 * @param {Iterable<string>} all
 */
const store = (what, all) => keep(keys[what], [...all].join(' '));

/**
 * @param {'finished' | 'solved'} what
 * @param {string} name
 */
function add(what, name) {
  const all = stored(what);
  if (!all.includes(name)) store(what, [...all, name]);
}

/**
 * Remembers where the learner is, the lesson if its story is at its end, and the challenge if
 * it is solved; and says of the challenge that is shown whether it was solved before.
 * @param {string} lesson
 */
export function noteProgress(lesson) {
  if (location.search) store('last', [lesson, location.search]);
  if (document.querySelector('#f-story .done')) add('finished', lesson);
  showAchieved();
  const mark = /** @type {HTMLElement | null} */ (document.querySelector('#f-challenge [data-solved]'));
  if (!mark) return;
  const name = `${lesson}/${mark.dataset.solved}`;
  const won = document.querySelector('#f-challenge[data-won]') !== null;
  if (won) add('solved', name);
  const before = stored('solved').includes(name);
  mark.hidden = won || !before;
  const next = /** @type {HTMLElement | null} */ (document.querySelector('#f-challenge [data-after-solved]'));
  if (next && before) next.hidden = false;
}

/** Says behind the last lesson what was done in this browser. */
function showAchieved() {
  const said = document.getElementById('achieved');
  if (!said) return;
  said.textContent = (said.dataset.text ?? '').replace('{0}', String(stored('finished').length)).replace('{1}', said.dataset.lessons ?? '').replace('{2}', String(stored('solved').length));
  said.hidden = false;
}

/**
 * Names as lessons are called now, each once.
 * @param {string[]} names
 * @param {Map<string, string>} now by the name that a lesson had
 */
export const renamed = (names, now) => [...new Set(names.map((name) => now.get(name) ?? name))];

/**
 * Takes over what was done in lessons that have another name now, as the home page tells. Challenges are not: a lesson
 * that took another one in has its own.
 */
function takeOver() {
  const now = new Map();
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.lesson-card[data-formerly]'))) {
    for (const old of (card.dataset.formerly ?? '').split(' ')) now.set(old, card.dataset.lesson);
  }
  const finished = stored('finished');
  if (finished.some((name) => now.has(name))) store('finished', renamed(finished, now));
  const [last] = stored('last');
  if (now.has(last)) store('last', [now.get(last)]); // without the moves, which were of another story
}

/** Marks the lessons that were finished, counts them, and leads to where the learner was. */
export function showProgress() {
  takeOver();
  const all = new Set(stored('finished'));
  for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-finished]'))) mark.hidden = !all.has(mark.dataset.finished ?? '');
  const solved = stored('solved');
  for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-challenges]'))) {
    const n = solved.filter((name) => name.startsWith(`${mark.dataset.challenges}/`)).length;
    mark.textContent = (mark.dataset.text ?? '').replace('{0}', String(n));
    mark.hidden = n === 0;
  }
  showNext(all);
  showLast(all);
  for (const said of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.way-done'))) {
    const list = said.dataset.doneOf ? document.querySelector(`ol[data-way="${said.dataset.doneOf}"]`) : said.closest('.fold');
    tell(said, all, list?.querySelectorAll('a[data-lesson]'));
  }
  const tally = document.getElementById('tally');
  if (!tally) return;
  tell(tally, all, document.querySelectorAll('.lesson-card'));
  /** @type {HTMLElement} */ (document.querySelector('.progress-file')).hidden = false;
}

/**
 * Says how many of some links lead to lessons that are done.
 * @param {HTMLElement} said
 * @param {Set<string>} done
 * @param {Iterable<Element>} links
 */
function tell(said, done, links = []) {
  const names = [...links].map((link) => /** @type {HTMLElement} */ (link).dataset.lesson ?? '');
  const n = names.filter((name) => done.has(name)).length;
  said.textContent = (said.dataset.text ?? '').replace('{0}', String(n)).replace('{1}', String(names.length));
  said.hidden = n === 0;
}

/**
 * Leads to where the learner was last or, when that lesson was finished, to the next one that
 * was not.
 * @param {Set<string>} done
 */
function showLast(done) {
  const goOn = document.getElementById('go-on');
  const [lesson, query = ''] = stored('last');
  if (!goOn || !lesson) return;
  const cards = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('.lesson-card')]);
  const at = cards.findIndex((card) => card.dataset.lesson === lesson);
  const along = nextOnWay(lesson, done);
  const to = done.has(lesson)
    ? cards.find((card) => card.dataset.lesson === along) ?? cards.find((card, i) => i > at && !done.has(card.dataset.lesson ?? ''))
    : cards[at];
  if (!to) return;
  const link = /** @type {HTMLAnchorElement} */ (goOn.querySelector('a'));
  link.href = to.href + (to === cards[at] ? query : '');
  link.textContent = ((to === cards[at] ? goOn.dataset.text : goOn.dataset.next) ?? '').replace('{0}', to.querySelector('strong')?.lastChild?.textContent?.trim() ?? '');
  goOn.hidden = false;
  const begin = /** @type {HTMLAnchorElement | null} */ (document.getElementById('begin'));
  if (begin) begin.hidden = begin.pathname === link.pathname; // once is enough
}

/** Offers the progress as a small file. */
export function exportProgress() {
  const text = JSON.stringify({ lockstep: 'progress', version: 1, finished: stored('finished').sort(), solved: stored('solved').sort() }, null, 2);
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
    const all = new Set(stored('finished'));
    const before = all.size;
    for (const name of names.finished) all.add(name);
    store('finished', all);
    store('solved', new Set([...stored('solved'), ...names.solved]));
    showProgress();
    said.textContent = (said.dataset.done ?? '').replace('{0}', String(all.size - before));
  });
}

/**
 * The lessons and challenges that a file names; undefined: it is none that was exported here.
 * @param {string} text
 * @returns {{finished: string[], solved: string[]} | undefined}
 */
function read(text) {
  try {
    const { lockstep, version, finished, solved = [] } = JSON.parse(text);
    const all = (/** @type {unknown[]} */ names, /** @type {RegExp} */ form) => names.every((n) => form.test(String(n)));
    const right = lockstep === 'progress' && version === 1 && all(finished, /^[A-Za-z0-9_-]{1,80}$/) && all(solved, /^[A-Za-z0-9_-]{1,80}\/\d{1,3}$/);
    return right ? { finished: finished.map(String), solved: solved.map(String) } : undefined;
  } catch {
    return undefined;
  }
}
