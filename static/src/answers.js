// What the learner has answered to the story's questions, in this tab: a reload grades it again.
import { keeps } from './branches.js';

/** @typedef {import('../types/protocol').KeptAnswer} KeptAnswer */

const most = 100; // answers: more than any story asks for

const key = () => `lockstep-answers:${document.body.dataset.lesson}`;

/** @type {KeptAnswer[] | undefined} */
let answers; // undefined until a player has told them

/**
 * Keeps the answers that a frame carries.
 * @param {import('../types/protocol').Frame} frame
 */
export function keepAnswers(frame) {
  answers = frame.answers ?? [];
  if (!keeps()) return;
  try {
    if (answers.length > 0) sessionStorage.setItem(key(), JSON.stringify(answers));
    else sessionStorage.removeItem(key());
  } catch { /* they last as long as the page */ }
}

/** The answers with which a lesson is loaded: those of the page, or else of its tab. */
export function answersKept() {
  if (answers) return answers;
  if (!keeps()) return [];
  try {
    return read(sessionStorage.getItem(key()) ?? '[]');
  } catch {
    return []; // nothing is stored here
  }
}

/**
 * The answers that a text has. A player refuses a lesson with what is none.
 * @param {string} stored
 * @returns {KeptAnswer[]}
 */
export function read(stored) {
  try {
    const all = JSON.parse(stored);
    return all.filter(isAnswer).slice(0, most).map(({ beat, text }) => ({ beat, text }));
  } catch {
    return [];
  }
}

const isAnswer = (/** @type {any} */ a) => Number.isSafeInteger(a?.beat) && typeof a.text === 'string';
