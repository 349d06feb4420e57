// The channel to a server: a websocket, which comes back by itself.
const firstWait = 300; // ms
const longestWait = 8000;

export function overSocket(path) {
  return ({ receive, lost }) => {
    let socket;
    let again;
    let wait = firstWait;

    open();
    addEventListener('online', () => { wait = firstWait; });

    function open() {
      const url = new URL(path, location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      socket = new WebSocket(url);
      socket.onmessage = (e) => receive(JSON.parse(e.data));
      socket.onclose = () => {
        lost('lost');
        again = setTimeout(open, wait * (0.75 + Math.random() / 2)); // spread, so that a restart is not met by all at once
        wait = Math.min(wait * 2, longestWait);
      };
    }

    return {
      // post tells whether there is a connection to send over.
      post(text) {
        if (socket.readyState !== WebSocket.OPEN) return false;
        socket.send(text);
        return true;
      },
      well() { wait = firstWait; },
      close() {
        clearTimeout(again);
        socket.onclose = socket.onmessage = null;
        socket.close();
      },
    };
  };
}
