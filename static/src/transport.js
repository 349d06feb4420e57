// The websocket: commands out, frames in. It comes back by itself, and what it
// comes back to is said by greet(): lesson, engine, schedule and place.
const firstWait = 300; // ms
const longestWait = 8000;

const lost = { ok: false, err: { code: 'lost', msg: '' } }; // the connection ended before there was a reply
const inNotice = new Set(['engine', 'no-edits']); // what a frame says in a notice is not said twice

export function connect({ path, greet, onFrame, onUp, onDown, onRefused, onNewBuild }) {
  let socket;
  let wait = firstWait;
  let id = 0;
  let rev = 0; // of the frame drawn last; 0: none on this connection
  let build = ''; // of the server that this page came from
  const asked = new Map(); // who waits for a reply, by id

  open();
  addEventListener('online', () => { if (socket.readyState > WebSocket.OPEN) { wait = firstWait; } });

  function open() {
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    socket = new WebSocket(url);
    socket.onmessage = (e) => receive(JSON.parse(e.data));
    socket.onclose = () => {
      rev = 0;
      for (const answer of asked.values()) answer(lost);
      asked.clear();
      onDown();
      setTimeout(open, wait * (0.75 + Math.random() / 2)); // spread, so that a restart is not met by all at once
      wait = Math.min(wait * 2, longestWait);
    };
  }

  function receive(m) {
    switch (m.op) {
      case 'hello':
        if (build && m.build !== build) onNewBuild();
        build ||= m.build;
        send(greet());
        break;
      case 'frame':
        if (m.base !== 0 && m.base !== rev) { // a frame was lost: ask for all of it
          send(greet());
          break;
        }
        wait = firstWait;
        rev = m.rev;
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
    }
  }

  function send(command) {
    if (socket.readyState !== WebSocket.OPEN) return false;
    const known = command.op === 'ack' ? {} : { id: ++id };
    socket.send(JSON.stringify({ v: 1, ...known, ...command }));
    return true;
  }

  // ask sends a command and promises its reply.
  function ask(command) {
    return new Promise((answer) => {
      if (send(command)) asked.set(id, answer);
      else answer(lost);
    });
  }

  return { send, ask };
}
