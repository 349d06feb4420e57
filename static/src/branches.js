// The branches of a lesson, in this browser: a reload finds those of its tab again, and who opens the lesson another day
// those of the last tab. The timeline of the page is kept with them, as it is a branch then.
import { drafted } from './authoring.js';

/** @typedef {import('../types/protocol').KeptTimeline} KeptTimeline */

const most = 13; // timelines: as many as a player keeps, and that of the page
const largest = 1 << 17; // bytes of what is read
/** What the player says cannot be played any more. */
const unreadable = { schedule: '?', pos: 0 };

const key = () => `lockstep-branches:${document.body.dataset.lesson}`;
// A frame of another page shows what that page wants, and a draft's branches go with it.
export const keeps = () => !afresh && document.documentElement.dataset.view !== 'embed' && document.body.dataset.blank === undefined && !drafted();

/** @type {KeptTimeline[] | undefined} */
let branches; // undefined until a player has told them
let last = '';
let afresh = false;

/**
 * Keeps the branches that a frame carries, if they are others, and its timeline.
 * @param {import('../types/protocol').Frame} frame
 */
export function keepBranches(frame) {
  branches = frame.branches ?? branches;
  if (!branches || !keeps()) return;
  const { schedule, pos, edits } = frame;
  const text = written(frame.len > 0 || edits ? [...branches, { schedule, pos, edits }] : branches);
  if (text === last) return;
  last = text;
  try {
    sessionStorage.setItem(key(), text);
    if (text) localStorage.setItem(key(), text);
    else localStorage.removeItem(key());
  } catch { /* they last as long as the page */ }
}

/** The branches with which a lesson is loaded: those of the page, or else of its tab, or of last time. */
export function branchesKept() {
  if (branches) return branches;
  if (!keeps()) return [];
  try {
    return read(sessionStorage.getItem(key()) ?? localStorage.getItem(key()) ?? '');
  } catch {
    return []; // nothing is stored here
  }
}

/** Leaves what is kept as it is: the page goes on without it. */
export function startAfresh() {
  afresh = true;
  branches = [];
}

/** @param {KeptTimeline[]} timelines */
export const written = (timelines) => (timelines.length > 0 ? JSON.stringify({ version: 1, timelines }) : '');

/**
 * The timelines that a text has. What is none becomes one that no player can play, so that it is
 * said to be gone.
 * @param {string} text
 * @returns {KeptTimeline[]}
 */
export function read(text) {
  if (!text) return [];
  try {
    const { version, timelines } = JSON.parse(text);
    if (version !== 1 || !Array.isArray(timelines) || new TextEncoder().encode(text).length > largest) return [unreadable];
    return timelines.slice(-most).map(timelineOf);
  } catch {
    return [unreadable];
  }
}

/**
 * @param {any} kept
 * @returns {KeptTimeline}
 */
function timelineOf(kept) {
  const { schedule, pos, edits = '' } = kept ?? {};
  const right = typeof schedule === 'string' && typeof edits === 'string' && Number.isSafeInteger(pos);
  return right ? { schedule, pos, edits } : unreadable;
}
