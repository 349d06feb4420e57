// What a reload of a lesson finds again in its tab: the branches, and the answers to the story's questions. Who opens the
// lesson another day has the branches of the last tab. The timeline of the page is kept with them, as it is a branch then.
import { drafted } from './authoring.js';
import { keep, kept } from './kept.js';

/** @typedef {import('../types/protocol').KeptTimeline} KeptTimeline */
/** @typedef {import('../types/protocol').KeptAnswer} KeptAnswer */

const mostBranches = 13; // as many as a player keeps, and the timeline of the page
const mostAnswers = 100; // more than any story asks for
const largest = 1 << 17; // bytes of what is read
/** What the player says cannot be played any more. */
const unreadable = { schedule: '?', pos: 0 };

let afresh = false;
// A frame of another page shows what that page wants, and a draft's branches go with it.
const keeps = () => !afresh && document.documentElement.dataset.view !== 'embed' && document.body.dataset.blank === undefined && !drafted();

const branches = listOf('branches', readBranches, true);
const answers = listOf('answers', readAnswers);

/** The branches with which a lesson is loaded: those of the page, or else of its tab, or of last time. */
export const branchesKept = branches.kept;
/** The answers with which a lesson is loaded: the player grades them again. */
export const answersKept = answers.kept;

/**
 * Keeps the branches that a frame carries, and its timeline, and its answers.
 * @param {import('../types/protocol').Frame} frame
 */
export function keepLists({ branches: all = branches.now(), answers: given = [], schedule, pos, len, edits }) {
  if (all) branches.keep(all, written(len > 0 || edits ? [...all, { schedule, pos, edits }] : all));
  answers.keep(given, given.length > 0 ? JSON.stringify(given) : '');
}

/** Leaves what is kept as it is: the page goes on without it. */
export function startAfresh() {
  afresh = true;
  branches.keep([], '');
}

/**
 * A list that is kept by lesson.
 * @template T
 * @param {string} name
 * @param {(text: string) => T[]} read
 * @param {boolean} [lasts] longer than the tab
 */
function listOf(name, read, lasts = false) {
  const key = () => `lockstep-${name}:${document.body.dataset.lesson}`;
  /** @type {T[] | undefined} */
  let list; // undefined until a player has told it
  return {
    now: () => list,
    /** @param {T[]} all @param {string} text */
    keep(all, text) {
      list = all;
      if (!keeps()) return;
      try {
        if (text === (sessionStorage.getItem(key()) ?? '')) return;
        sessionStorage.setItem(key(), text);
        if (lasts) keep(key(), text || null);
      } catch { /* it lasts as long as the page */ }
    },
    kept() {
      if (list || !keeps()) return list ?? [];
      try {
        return read(sessionStorage.getItem(key()) ?? (lasts && kept(key()) || ''));
      } catch {
        return []; // nothing is stored here
      }
    },
  };
}

/** @param {KeptTimeline[]} timelines */
export const written = (timelines) => (timelines.length > 0 ? JSON.stringify({ version: 1, timelines }) : '');

/**
 * The timelines that a text has. What is none becomes one that no player can play, so that it is
 * said to be gone.
 * @param {string} text
 * @returns {KeptTimeline[]}
 */
export function readBranches(text) {
  if (!text) return [];
  try {
    const { version, timelines } = JSON.parse(text);
    if (version !== 1 || !Array.isArray(timelines) || new TextEncoder().encode(text).length > largest) return [unreadable];
    return timelines.slice(-mostBranches).map(timelineOf);
  } catch {
    return [unreadable];
  }
}

/**
 * @param {any} timeline
 * @returns {KeptTimeline}
 */
function timelineOf(timeline) {
  const { schedule, pos, edits = '' } = timeline ?? {};
  const right = typeof schedule === 'string' && typeof edits === 'string' && Number.isSafeInteger(pos);
  return right ? { schedule, pos, edits } : unreadable;
}

/**
 * The answers that a text has. A player refuses a lesson with what is none.
 * @param {string} text
 * @returns {KeptAnswer[]}
 */
export function readAnswers(text) {
  try {
    const all = JSON.parse(text);
    return all.filter(isAnswer).slice(0, mostAnswers).map((a) => ({ beat: a.beat, text: a.text }));
  } catch {
    return [];
  }
}

const isAnswer = (/** @type {any} */ a) => Number.isSafeInteger(a?.beat) && typeof a.text === 'string';
