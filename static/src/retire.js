// A server answers with this where a site of files, served at the same address
// before, has its service worker: it would go on to show that site.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (e) => e.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(`lockstep ${registration.scope} `)) await caches.delete(name);
  }
  await registration.unregister();
  for (const page of await clients.matchAll({ type: 'window' })) page.navigate(page.url);
})()));
