// A link to a player: commands out, frames in, over a channel that may be lost and
// come back. What it comes back to is said by greet(): lesson, engine, schedule and
// place.
//
// A channel is made with {receive, lost, failed} and has post, well and close:
// socket.js leads to a server, inbrowser.js to a Worker.
const gone = { ok: false, err: { code: 'lost', msg: '' } }; // the channel was lost before there was a reply
const inNotice = new Set(['engine', 'no-edits']); // what a frame says in a notice is not said twice

export function connect(channelTo, { greet, onFrame, onUp, onDown, onFailed, onRefused, onNewBuild }) {
  let id = 0;
  let rev = 0; // of the frame drawn last; 0: none since the channel was lost
  let build = ''; // of the player that this page came from
  let greeted = false;
  let afresh = false; // what was to be loaded could not be
  const asked = new Map(); // who waits for a reply, by id
  let waiting = []; // texts of commands, while a player is being started
  const channel = channelTo({ receive, lost, failed: onFailed });

  // lost is told whether what was loaded is to blame, and which notice says so.
  function lost(notice, loading = false) {
    rev = 0;
    greeted = false;
    afresh = loading;
    waiting = [];
    for (const answer of asked.values()) answer(gone);
    asked.clear();
    onDown(notice);
  }

  function receive(m) {
    switch (m.op) {
      case 'hello':
        if (build && m.build !== build) onNewBuild();
        build ||= m.build;
        greeted = true;
        send(greet(afresh));
        for (const text of waiting.splice(0)) channel.post(text);
        break;
      case 'frame':
        if (m.base !== 0 && m.base !== rev) { // a frame was lost: ask for all of it
          send(greet());
          break;
        }
        rev = m.rev;
        channel.well();
        onUp();
        onFrame(m);
        break;
      case 'reply':
        if (asked.has(m.id)) {
          asked.get(m.id)(m);
          asked.delete(m.id);
        } else if (!m.ok && !inNotice.has(m.err.code)) {
          onRefused(m.err);
        }
        if (!m.ok && m.err.code === 'crashed' && rev) { // the player has a fresh session
          rev = 0;
          send(greet());
        }
    }
  }

  // send tells whether the command is under way.
  function send(command) {
    const known = command.op === 'ack' ? {} : { id: ++id };
    const text = JSON.stringify({ v: 1, ...known, ...command });
    if (!greeted && channel.starts) {
      waiting.push(text);
      return true;
    }
    return channel.post(text);
  }

  // ask sends a command and promises its reply.
  function ask(command) {
    return new Promise((answer) => {
      if (send(command)) asked.set(id, answer);
      else answer(gone);
    });
  }

  return { send, ask, close: channel.close };
}
