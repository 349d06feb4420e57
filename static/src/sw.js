// The service worker of a static site: it keeps the site in the browser, so that later
// visits need no network. The list of files is prepended to this script as the constant
// site; when the list changes, browsers see a new service worker.
const { build, pages, files, zipped, later } = site;
const ours = `lockstep ${registration.scope} `; // another site of this origin has caches of its own
const cacheName = ours + build;
const at = (address) => new URL(address, registration.scope).href;

addEventListener('install', (e) => e.waitUntil(keep()));
addEventListener('activate', (e) => e.waitUntil(takeOver()));
addEventListener('message', (e) => { if (e.data === 'take over') skipWaiting(); });
addEventListener('fetch', (e) => {
  if (e.request.method === 'GET' && e.request.url.startsWith(registration.scope)) e.respondWith(answer(e.request));
});

async function keep() {
  const cache = await caches.open(cacheName);
  await cache.addAll([
    ...files.map(at),
    ...pages.map((page) => new Request(at(page), { cache: 'no-cache' })), // their addresses stay when they change
  ]);
  await Promise.all(zipped.map((file) => keepSmall(cache, at(file))));
}

// keepSmall keeps what the host compresses by itself, or else the compressed copy.
// The page has just fetched the same.
async function keepSmall(cache, file) {
  const stop = new AbortController();
  const plain = await fetch(file, { signal: stop.signal });
  if (plain.ok && plain.headers.has('Content-Encoding')) return cache.put(file, plain);
  stop.abort();
  return cache.add(`${file}.gz`);
}

async function takeOver() {
  for (const old of await caches.keys()) {
    if (old.startsWith(ours) && old !== cacheName) await caches.delete(old);
  }
  await clients.claim();
}

async function answer(request) {
  const cache = await caches.open(cacheName);
  const address = new URL(request.url);
  address.search = address.hash = ''; // the page itself goes to the place in the lesson
  if (request.mode === 'navigate') address.pathname = address.pathname.replace(/index\.html$/, '');
  const find = async () => await cache.match(address.href) ?? cache.match(`${address.href}.gz`);
  let kept = await find();
  if (!kept && later.map(at).includes(address.href)) {
    await keepSmall(cache, address.href);
    kept = await find();
  }
  if (kept) return kept;
  if (request.mode !== 'navigate') return fetch(request);
  if (await cache.match(`${address.href}/`)) return Response.redirect(`${address.href}/${new URL(request.url).search}`);
  return fetch(request).catch(() => cache.match(at('404.html')));
}
