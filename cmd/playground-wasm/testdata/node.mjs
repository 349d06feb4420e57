// Runs the worker's script in Node: lines on stdin are the page's messages to it,
// lines on stdout its answers.
//
//	node node.mjs worker.js playground.wasm.gz lessons.json [alone]
//
// The line ? asks whether the program has anything left to do.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';

const [script, module, catalog, alone] = process.argv.slice(2);
globalThis.postMessage = (m) => process.stdout.write((typeof m === 'string' ? m.trimEnd() : JSON.stringify(m)) + '\n');
globalThis.console.log = console.error; // what the program prints
let hear;
globalThis.addEventListener = (_, listener) => { hear = listener; };
(0, eval)(readFileSync(script, 'utf8'));
hear({ data: {
  module: await WebAssembly.compile(gunzipSync(readFileSync(module))),
  catalog: new Uint8Array(readFileSync(catalog)),
  settings: JSON.stringify({ Build: 'test', Engines: [], Alone: alone !== undefined }),
} });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === '?') postMessage({ busy: process.getActiveResourcesInfo().includes('Timeout') });
  else hear({ data: line[0] === '!' ? JSON.parse(line.slice(1)) : line });
}
process.exit(0);
