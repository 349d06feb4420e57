// A link to a player: commands out, frames in, over a channel that may be lost and come
// back. After that, greet() says what to load: lesson, engine, schedule and place. Commands
// that are in no frame yet are sent once more.
//
// A channel is made with {receive, lost, failed} and has post, well and close; one
// that can rest has rest and wake. socket.js leads to a server, inbrowser.js to a
// Worker.
const gone = { ok: false, err: { code: 'lost', msg: '' } }; // the channel was lost before there was a reply
const inNotice = new Set(['engine', 'no-edits']); // errors that frames show in a notice already
const mostWaiting = 24; // commands that wait for a player; more are dropped

// connect makes a link that takes over the unfinished commands of another one.
export function connect(channelTo, on, left = []) {
  let id = 0;
  let rev = 0; // of the frame drawn last; 0: none since the channel was lost
  let build = ''; // of the player that this page came from
  let greeted = false;
  let resting = false; // the server has given the place to somebody else
  let moving = false; // to another server, which has not said hello yet
  let afresh = false; // the steps could not be loaded
  const asked = new Map(); // callbacks for replies, by id
  let waiting = left; // for a player: {command, again, answer}
  let unseen = []; // commands that were sent and are in no frame yet, with their ids
  let channel = null;
  channel = channelTo({ receive, lost, failed: on.onFailed });

  // lost is called with whether the loaded steps are to blame, and the notice to show; '': another
  // channel is on its way.
  function lost(notice, loading = false) {
    afresh = loading;
    moving = !notice;
    if (channel) collect();
    if (notice) on.onDown(notice);
  }

  // collect puts unfinished commands back in the queue and answers open requests with an
  // error. A command that was sent twice is dropped: it may be what crashes the player.
  function collect() {
    rev = 0;
    greeted = false;
    const undone = channel.repeats ? unseen : [];
    if (undone.some((c) => c.again)) on.onUndone();
    for (const c of waiting) c.answer?.(gone);
    for (const answer of asked.values()) answer(gone);
    asked.clear();
    waiting = [
      ...undone.filter((c) => !c.again).map(({ command }) => ({ command, again: true })),
      ...(channel.repeats ? waiting.filter((c) => !c.answer) : []),
    ];
    unseen = [];
  }

  /** @param {import('../types/protocol').Message} m */
  function receive(m) {
    switch (m.op) {
      case 'hello':
        if (build && m.build !== build) on.onNewBuild();
        build ||= m.build;
        load(afresh);
        greeted = true;
        moving = false;
        for (const c of waiting.splice(0)) post(c);
        break;
      case 'frame':
        if (m.base !== 0 && m.base !== rev) { // a frame was lost: ask for all of it
          load();
          break;
        }
        rev = m.rev;
        unseen = unseen.filter((c) => c.id > m.seen);
        channel.well();
        on.onUp();
        on.onFrame(m);
        break;
      case 'reply':
        answered(m);
    }
  }

  function answered(m) {
    if (!m.ok) unseen = unseen.filter((c) => c.id !== m.id);
    if (asked.has(m.id)) {
      asked.get(m.id)(m);
      asked.delete(m.id);
    } else if (!m.ok) {
      refused(m.err);
    }
  }

  /** @param {import('../types/protocol').Error} err */
  function refused(err) {
    if (err.code === 'full' && on.onFull()) return;
    if (err.code === 'idle') return rest();
    if (!inNotice.has(err.code)) on.onRefused(err);
    if (err.code === 'crashed' && rev) { // the player has a fresh session
      rev = 0;
      load();
    }
  }

  // rest leaves the server to others until the learner does something.
  function rest() {
    channel.rest();
    collect();
    resting = true;
    if (waiting.length) wake();
  }

  function wake() {
    resting = false;
    channel.wake();
  }

  function write(command) {
    const known = command.op === 'ack' ? {} : { id: ++id };
    channel.post(JSON.stringify({ v: 1, ...known, ...command }));
  }

  function load(anew) { write(on.greet(anew)); }

  function post(c) {
    write(c.command);
    if (c.answer) asked.set(id, c.answer);
    else unseen.push({ ...c, id });
  }

  function submit(c) {
    if (greeted) return post(c);
    if (waiting.length < mostWaiting) waiting.push(c);
    else on.onUndone();
    if (resting) wake();
  }

  return {
    send(command) {
      if (command.op !== 'ack') submit({ command });
      else if (greeted) write(command);
    },
    // settled tells whether all that was sent is drawn.
    settled: () => unseen.length + waiting.length === 0,
    // request sends a command and promises its reply.
    request(command) {
      return new Promise((answer) => {
        if (greeted || resting || moving || channel.starts) submit({ command, answer });
        else answer(gone);
      });
    },
    // close returns the unfinished commands.
    close() {
      const undone = [...unseen, ...waiting].filter((c) => !c.answer).map(({ command }) => ({ command }));
      for (const c of waiting) c.answer?.(gone);
      for (const answer of asked.values()) answer(gone);
      channel.close();
      return undone;
    },
    takeOver(undone) { waiting.push(...undone); },
  };
}
