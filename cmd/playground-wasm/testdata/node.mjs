// Runs the worker's script in Node: lines on stdin are the page's messages to it,
// lines on stdout its answers.
//
//	node node.mjs worker.js playground.wasm.gz lessons.json
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';

const [script, module, catalog] = process.argv.slice(2);
globalThis.postMessage = (m) => process.stdout.write((typeof m === 'string' ? m.trimEnd() : JSON.stringify(m)) + '\n');
globalThis.console.log = console.error; // what the program prints
let hear;
globalThis.addEventListener = (_, listener) => { hear = listener; };
(0, eval)(readFileSync(script, 'utf8'));
hear({ data: {
  module: await WebAssembly.compile(gunzipSync(readFileSync(module))),
  catalog: new Uint8Array(readFileSync(catalog)),
  settings: JSON.stringify({ Build: 'test', Engines: [] }),
} });
for await (const line of createInterface({ input: process.stdin })) {
  hear({ data: line[0] === '!' ? JSON.parse(line.slice(1)) : line });
}
process.exit(0);
