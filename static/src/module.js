// The files of the player in the browser. From hosts that do not compress, compressed copies
// are fetched, which are recognized by their first bytes.
const wasm = 'application/wasm';

// moduleAt compiles while it fetches: browsers cache the compiled code of a response that
// is passed to them unchanged.
export async function moduleAt(address) {
  if (typeof WebAssembly !== 'object') throw new Unsupported();
  const response = await get(address);
  if (!WebAssembly.compileStreaming) return WebAssembly.compile(await (await unzipped(response)).arrayBuffer());
  const plain = response.headers.get('Content-Type')?.startsWith(wasm);
  return WebAssembly.compileStreaming(plain ? response : await unzipped(response));
}

export async function catalogAt(address) {
  return new Uint8Array(await (await unzipped(await get(address))).arrayBuffer());
}

export class Unsupported extends Error {}

// get fetches a file, or its compressed copy from a host that has one and does not
// compress. A service worker finds out itself which of the two it has.
async function get(address) {
  const stop = new AbortController();
  const response = await fetch(address, { signal: stop.signal });
  const copied = document.body.dataset.zipped !== undefined && typeof DecompressionStream === 'function';
  if (!copied || response.headers.has('Content-Encoding') || navigator.serviceWorker?.controller) return good(response);
  stop.abort();
  return good(await fetch(`${address}.gz`));
}

function good(response) {
  if (!response.ok) throw new Error(`${new URL(response.url).pathname}: ${response.status}`);
  return response;
}

// unzipped is a response whose body may be compressed.
export async function unzipped(response) {
  const reader = response.body.getReader();
  const { value: first } = await reader.read();
  const body = new ReadableStream({
    start: (to) => { if (first) to.enqueue(first); },
    async pull(to) {
      const { done, value } = await reader.read();
      if (done) to.close();
      else to.enqueue(value);
    },
  });
  const zipped = first?.[0] === 0x1f && first[1] === 0x8b;
  return new Response(zipped ? body.pipeThrough(new DecompressionStream('gzip')) : body, { headers: { 'Content-Type': wasm } });
}
