// A site of files is kept in the browser by its service worker.
import { show } from './notices.js';

let kept = false;
let waiting; // a newer service worker, until the learner wants it

export async function keepForOffline(script) {
  if (kept || !navigator.serviceWorker) return; // browsers have it at safe addresses only
  kept = true;
  try {
    const registration = await navigator.serviceWorker.register(script);
    watch(registration);
    registration.addEventListener('updatefound', () => watch(registration));
  } catch { /* the site works as it did, with a network */ }
}

// watch tells of another build once all of it is here.
function watch({ waiting: ready, installing }) {
  if (ready) return tell(ready);
  installing?.addEventListener('statechange', () => {
    if (installing.state === 'installed' && navigator.serviceWorker.controller) tell(installing);
  });
}

function tell(worker) {
  waiting = worker;
  if (document.getElementById('updated')) show('updated');
}

// reload loads the page, of the newest build that is here.
export function reload() {
  if (!waiting) return location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  waiting.postMessage('take over');
}
