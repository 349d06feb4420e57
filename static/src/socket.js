// The channel to a server: a websocket that reconnects by itself. The server sends something
// at least every three seconds; if it is silent for longer, it counts as gone.
const firstWait = 300; // ms
const longestWait = 8000;
const beat = 1000; // ms between two checks for messages
const patience = 8; // beats for which it may be silent
const moved = 1012; // the code with which a server that drains closes: another one goes on

export function overSocket(path) {
  return ({ receive, lost }) => {
    let socket;
    let again;
    let silent = 0;
    let wait = firstWait;

    open();
    addEventListener('online', () => { wait = firstWait; });
    const pulse = setInterval(() => { if (socket && ++silent > patience) down(); }, beat);

    function open() {
      const url = new URL(path, location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      silent = 0;
      socket = new WebSocket(url);
      socket.onmessage = (e) => {
        silent = 0;
        receive(JSON.parse(e.data));
      };
      socket.onclose = (e) => (e.code === moved ? move() : down());
    }

    // move goes to another server at once, and says nothing: the learner has lost nothing.
    function move() {
      drop();
      lost('');
      open();
    }

    function down() {
      drop();
      again = setTimeout(open, wait * (0.75 + Math.random() / 2)); // randomized, so that after a restart not all pages come at once
      wait = Math.min(wait * 2, longestWait);
      lost('lost');
    }

    // drop ends the connection without waiting for the other side, which may be silent.
    function drop() {
      clearTimeout(again);
      if (!socket) return;
      socket.onclose = socket.onmessage = null;
      socket.close();
      socket = undefined;
    }

    return {
      repeats: true, // what was under way when it was lost is sent again
      post(text) { if (socket?.readyState === WebSocket.OPEN) socket.send(text); },
      well() { wait = firstWait; },
      rest: drop,
      wake: open,
      close() {
        clearInterval(pulse);
        drop();
      },
    };
  };
}
