// A server sends this script in place of the service worker of a static site that was served
// at the same address before; otherwise browsers would go on showing that site.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (e) => e.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(`lockstep ${registration.scope} `)) await caches.delete(name);
  }
  await registration.unregister();
  for (const page of await clients.matchAll({ type: 'window' })) page.navigate(page.url);
})()));
