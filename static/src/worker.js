// The Worker: it runs the player and passes messages on. Texts are the player's
// protocol, objects are between the page and this script.
import 'wasm_exec'; // Go's own: it makes Go

addEventListener('message', ({ data }) => {
  if (typeof data === 'string') guarded(() => globalThis.onCommand(data));
  else if (data.ping) postMessage({ pong: true });
  else start(data);
});

/** @param {{module: WebAssembly.Module, catalog: Uint8Array, settings: string}} it */
async function start({ module, catalog, settings }) {
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject).catch(over);
  if (!instance) return;
  go.run(instance).then(() => over('the program ended'), over);
  guarded(() => {
    const problem = globalThis.lockstep({ catalog, settings });
    if (problem) over(problem);
  });
}

// A program that has ended, or is out of memory, no longer answers.
function guarded(act) {
  try {
    act();
  } catch (err) {
    over(err);
  }
}

function over(why) {
  postMessage({ over: String(why) });
}
