// What the player in the browser is made of. Not every host compresses: there the
// files are gzip files, and are told by their first bytes.
const wasm = 'application/wasm';

// moduleAt compiles while it fetches. Browsers keep the compiled code of an answer
// that they may compile as it is.
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

async function get(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${new URL(address, location.href).pathname}: ${response.status}`);
  return response;
}

async function unzipped(response) {
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
