// A story as it was recorded when the site was made: its frames are played until there is a
// player, which goes on at the same place.
import { unzipped } from './module.js';

/** @typedef {import('../types/protocol').Frame} Frame */
/** @typedef {import('../types/protocol').Command} Command */

/**
 * Fetches the frames of a story; without them the page waits for its player.
 * @param {string} address
 * @returns {Promise<Frame[]>}
 */
export async function storyAt(address) {
  try {
    const response = await fetch(address, { priority: 'high' });
    return response.ok ? await (await unzipped(response)).json() : [];
  } catch {
    return [];
  }
}

/**
 * Plays a story from its start.
 * @param {Frame[]} frames
 * @param {(frame: Frame) => void} draw
 */
export function recorded(frames, draw) {
  let at = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  /** @type {Partial<Command> | undefined} */
  let playing;

  // goOn draws the next frame, unless the page asks something or the story ends here.
  function goOn() {
    if (at + 1 >= frames.length) return false;
    draw(frames[++at]);
    return true;
  }

  function rest() {
    clearInterval(timer);
    playing = undefined;
  }

  const form = () => document.querySelector('#f-lead form');

  return {
    /**
     * Tells whether it did what a command wants: to go on with the story. All else is for the
     * player, and so is what comes after.
     * @param {Partial<Command>} command
     */
    does(command) {
      rest();
      if (command.op === 'play' && !form() && goOn()) {
        const goes = () => !form() && (!command.pos || frames[at].pos < command.pos) && goOn();
        if (command.pos && !command.hz) while (goes());
        else if (!command.pos || frames[at].pos < command.pos) {
          playing = command;
          timer = setInterval(() => { if (!goes()) rest(); }, 1000 / (command.hz || 1));
        }
        return true;
      }
      const goes = form() ? command.op === 'answer' && !command.text?.trim() : isNext(command);
      if (goes && goOn()) return true;
      frames = [];
      return false;
    },
    /** Ends it, and returns the command that the player goes on with, if the story plays by itself. */
    stop() {
      const goesOn = playing;
      rest();
      frames = [];
      return goesOn;
    },
  };
}

/** @param {Partial<Command>} command */
function isNext({ op, n }) {
  return op === 'step' && n === 1 && document.querySelector('#go[data-op="play"]') !== null;
}
