// What the scripts find that are no modules of the page: Go's own loader in the Worker, and
// the globals of a service worker.
declare module 'wasm_exec';

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** The files of a static site, which the export writes before sw.js. */
declare const site: { build: string; pages: string[]; files: string[]; zipped: string[]; later: string[] };

declare const registration: ServiceWorkerRegistration;
declare const clients: Clients;
declare function skipWaiting(): Promise<void>;
declare function addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
declare function addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
declare function addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;

/** What the player makes when it starts: the way to begin, which answers what is wrong, and for each command. */
declare var lockstep: (start: { catalog: Uint8Array; settings: string }) => string;
declare var onCommand: (command: string) => void;
