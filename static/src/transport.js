// The websocket: commands out, frames in. It comes back by itself, and what it
// comes back to is said by greet(): lesson, engine, schedule and place.
const firstWait = 300; // ms
const longestWait = 8000;

export function connect({ path, greet, onFrame, onUp, onDown, onRefused, onNewBuild }) {
  let socket;
  let wait = firstWait;
  let id = 0;
  let rev = 0; // of the frame drawn last; 0: none on this connection
  let build = ''; // of the server that this page came from

  open();
  addEventListener('online', () => { if (socket.readyState > WebSocket.OPEN) { wait = firstWait; } });

  function open() {
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    socket = new WebSocket(url);
    socket.onmessage = (e) => receive(JSON.parse(e.data));
    socket.onclose = () => {
      rev = 0;
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
        // What an engine could not do is said by the frame's notice.
        if (!m.ok && m.err.code !== 'engine') onRefused(m.err);
    }
  }

  function send(command) {
    if (socket.readyState !== WebSocket.OPEN) return false;
    const known = command.op === 'ack' ? {} : { id: ++id };
    socket.send(JSON.stringify({ v: 1, ...known, ...command }));
    return true;
  }

  return { send };
}
