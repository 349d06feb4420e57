// Which player the page speaks to. The engine "browser" is in a Worker of this
// page, all others are behind the websocket; choosing one of the other side moves
// the lesson there, at the place where it is.
import { connect } from './transport.js';
import { overSocket } from './socket.js';
import { inBrowser } from './inbrowser.js';
import { show, hide } from './notices.js';

/** @typedef {import('../types/protocol').Command} Command */

export function play(on, writes) {
  const page = document.body.dataset;
  const sides = {
    server: page.socket && overSocket(page.socket),
    browser: page.worker && inBrowser(page),
    author: page.authorModule && inBrowser({ ...page, module: page.authorModule }),
  };
  const sideOf = (kind) => (kind !== 'browser' ? 'server' : writes ? 'author' : 'browser');
  let side = sideOf(sides.server ? page.engine : 'browser');
  let noBrowser = !sides.browser; // or it could not be started
  let current = connect(sides[side], { ...on, onFailed, onFull });
  let next = null; // a link that is not there yet

  // Without a player in the browser a page that has a server goes on there.
  function onFailed(err) {
    on.onFailed(err);
    noBrowser = true;
    if (sides.server) goOn('server', '');
  }

  // Without a place on the server a page that has a player of its own goes on with that.
  function onFull() {
    if (noBrowser) return false;
    show('crowded');
    goOn(sideOf('browser'), 'browser');
    return true;
  }

  // goOn moves to the other side, with the commands that are not done yet. The first frame
  // says which engine runs there.
  function goOn(to, engine) {
    stay();
    const undone = current.close();
    side = to;
    let wanted = true;
    current = connect(sides[to], {
      ...on,
      onFailed,
      onFull,
      greet: (afresh) => ({ ...on.greet(afresh), ...(wanted && { engine }) }),
      onFrame(frame) {
        wanted = false;
        on.onFrame(frame);
      },
    }, undone);
  }

  function move(kind, moved) {
    let arrived = false;
    let wanted = kind; // until there is a frame
    next = connect(sides[sideOf(kind)], {
      ...on,
      greet(afresh) {
        if (!arrived) {
          arrived = true;
          next.takeOver(current.close());
          [current, next, side] = [next, null, sideOf(kind)];
        }
        const place = on.greet(afresh);
        return wanted ? { ...place, engine: wanted } : place;
      },
      onFrame(frame) {
        wanted = '';
        on.onFrame(frame);
        moved?.();
      },
      onDown: (notice) => (arrived ? on.onDown(notice) : show(notice)), // till then the other side goes on
      onFailed(err) {
        if (arrived) return onFailed(err);
        stay();
        on.onFailed(err);
      },
      onFull() {
        if (arrived) return onFull();
        stay();
        show('crowded');
        return true;
      },
    });
  }

  // stay cancels a move to the other side that is under way.
  function stay() {
    next?.close();
    next = null;
    hide('loading');
    hide('lost');
  }

  return {
    send(command) {
      if (command.op !== 'engine') return current.send(command);
      stay();
      if (sideOf(command.kind) === side) return current.send(command);
      hide('crowded');
      move(command.kind);
    },
    settled: () => current.settled(),
    request: (command) => current.request(command),
    // author promises a player that reads lessons.
    author() {
      writes = true;
      if (side !== 'browser') return Promise.resolve();
      stay();
      return new Promise((moved) => { move('browser', moved); });
    },
  };
}
