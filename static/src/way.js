// The way through the lessons that the learner is on, which this browser alone knows: whoever follows a link of a way
// is on it, whoever goes elsewhere by a list of lessons is not. At the end of a lesson the way goes on; a side trip
// leads back to it.
import { keep, kept } from './kept.js';

const key = 'lockstep-way';

const way = () => kept(key) ?? ''; // none: each lesson leads to the one after it

/** @param {string} name */
const take = (name) => keep(key, name || null);

/** Keeps the way of a link that is followed. */
export function listenToWays() {
  document.addEventListener('click', (e) => {
    const link = /** @type {HTMLElement} */ (e.target).closest('a');
    const of = link?.closest('[data-way]');
    if (of instanceof HTMLElement) take(of.dataset.way ?? '');
    else if (link?.closest('#lessons, .lesson-card, .concerns, #found')) take('');
  });
}

/** @param {Element} list the stations of which are links */
const stationsOf = (list) => /** @type {HTMLAnchorElement[]} */ ([...list.querySelectorAll('a[data-lesson]')]);

/**
 * Where a way leads after a lesson: to the next station; from a side trip, to the first one that is not done. Undefined:
 * it is at its end, or all is done.
 * @template {{dataset: DOMStringMap}} T
 * @param {T[]} stations
 * @param {string} lesson
 * @param {Set<string>} done
 */
export function after(stations, lesson, done) {
  const at = stations.findIndex((s) => s.dataset.lesson === lesson);
  return at >= 0 ? stations[at + 1] : stations.find((s) => !done.has(s.dataset.lesson ?? ''));
}

/** Says in the lesson's bar where on the way it is. @param {string} lesson */
export function showWay(lesson) {
  const list = listed();
  const button = document.querySelector('.lessons-btn');
  if (!list || !button) return;
  const stations = stationsOf(list);
  const at = stations.findIndex((s) => s.dataset.lesson === lesson);
  const [title, count] = button.querySelectorAll('span');
  title.textContent = list.dataset.title ?? '';
  if (count) count.textContent = at < 0 ? list.dataset.aside ?? '' : `${at + 1} / ${stations.length}`;
}

/**
 * Lets the end of a lesson lead along the way.
 * @param {string} lesson
 * @param {Set<string>} done
 */
export function leadAlong(lesson, done) {
  const list = listed();
  const go = /** @type {HTMLAnchorElement | null} */ (document.querySelector('a:is(#go, #onward)'));
  const won = /** @type {HTMLAnchorElement | null} */ (document.querySelector('a#challenge-next'));
  if (!list) return;
  const stations = stationsOf(list);
  const next = after(stations, lesson, done);
  const aside = !stations.some((s) => s.dataset.lesson === lesson);
  const href = next?.href ?? list.dataset.ends;
  if (!href) return;
  if (won) {
    won.href = href;
    won.textContent = next ? ((aside ? list.dataset.backOn : list.dataset.on) ?? '').replace('{0}', next.dataset.title ?? '') : list.dataset.endsGo ?? '';
  }
  if (!go) return;
  go.href = href;
  if (go.firstChild) go.firstChild.textContent = `${(!next ? list.dataset.endsGo : aside ? list.dataset.back : list.dataset.next) ?? ''} `; // before the arrow
  const says = document.querySelector('#f-lead .next p');
  if (says) says.textContent = (next ? next.dataset.title : list.dataset.endsIn) ?? '';
}

/**
 * The lesson after another one on the learner's way, of the home page.
 * @param {string} lesson
 * @param {Set<string>} done
 */
export function nextOnWay(lesson, done) {
  const list = way() && document.querySelector(`ol[data-way="${CSS.escape(way())}"]`);
  return list ? after(stationsOf(list), lesson, done)?.dataset.lesson : undefined;
}

/** Marks the next station of each way, and leads to that of the first. @param {Set<string>} done */
export function showNext(done) {
  for (const list of document.querySelectorAll('ol[data-way]')) {
    const stations = stationsOf(list);
    const next = stations.some((s) => done.has(s.dataset.lesson ?? '')) ? after(stations, '', done) : undefined;
    for (const s of stations) s.classList.toggle('next', s === next);
    const begin = /** @type {HTMLAnchorElement | null} */ (document.getElementById('begin'));
    if (!next || !begin || !begin.closest(`[data-way="${/** @type {HTMLElement} */ (list).dataset.way}"]`)) continue;
    begin.href = next.href;
    begin.textContent = (begin.dataset.text ?? '').replace('{0}', next.querySelector('strong')?.textContent ?? '');
  }
}

/** @returns {HTMLElement | null} the list of the learner's way in a lesson's page; null: they are on none */
const listed = () => (way() ? document.querySelector(`#lessons [data-way="${CSS.escape(way())}"]`) : null);
