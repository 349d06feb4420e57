// The channel to a player in this browser: a Worker. The page itself fetches and
// compiles what a Worker needs, so that another one can take over without waiting.
import { catalogAt, moduleAt } from './module.js';

const beat = 1000; // ms between two pings of the Worker
const patience = 5; // beats for which it may be silent …
const patienceAtLoad = 30; // … and while it starts and replays a schedule

const files = new Map(); // what was fetched, by address

/** @param {DOMStringMap} page what the page says of its player */
export function inBrowser({ worker: script, module, catalog, engines, build }) {
  return ({ receive, lost, failed }) => {
    let worker;
    let pulse;
    let silent = 0;
    let loading = true;
    let tried = false; // to load nothing but the lesson
    let closed = false;

    lost('loading');
    start();

    async function start() {
      try {
        const [code, lessons] = await Promise.all([once(module, moduleAt), once(catalog, catalogAt)]);
        if (closed) return;
        worker = new Worker(script);
        worker.onmessage = ({ data }) => hear(data);
        worker.onerror = (e) => end(e.message || script);
        worker.postMessage({ module: code, catalog: lessons, settings: JSON.stringify({ Build: build, Engines: JSON.parse(engines), Alone: navigator.hardwareConcurrency === 1 }) });
        silent = 0;
        pulse = setInterval(checkBeat, beat);
      } catch (err) {
        if (!closed) failed(err);
      }
    }

    function hear(data) {
      silent = 0;
      if (typeof data === 'string') receive(JSON.parse(data));
      else if (data.over) end(data.over);
    }

    // checkBeat counts beats, not seconds: while the page was asleep it could hear nothing.
    function checkBeat() {
      if (++silent > (loading ? patienceAtLoad : patience)) end('it does not answer');
      else worker.postMessage({ ping: true });
    }

    // end replaces the Worker by a new one, which loads the same place.
    function end(why) {
      close();
      if (loading && tried) return failed(new Error(why));
      tried = loading;
      closed = false;
      lost('restarted', loading);
      loading = true;
      start();
    }

    function close() {
      closed = true;
      clearInterval(pulse);
      if (worker) worker.onmessage = worker.onerror = null;
      worker?.terminate();
    }

    return {
      starts: true, // what is sent before the hello waits for it
      post(text) { worker.postMessage(text); },
      well() { loading = tried = false; },
      close,
    };
  };
}

function once(address, get) {
  if (!files.has(address)) {
    files.set(address, get(address).catch((err) => { files.delete(address); throw err; }));
  }
  return files.get(address);
}
