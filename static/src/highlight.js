// Pointing at an event, or focusing its sentence, lights it up together with its keys.
export function listenToHighlights() {
  for (const type of ['mouseover', 'focusin']) {
    document.addEventListener(type, (e) => light(e.target instanceof Element ? e.target.closest('[data-step]') : null));
  }
  for (const type of ['mouseleave', 'focusout']) {
    document.querySelector('[data-follow]')?.addEventListener(type, () => light(null));
  }
  // While it is said why a rule broke, its causes are lit alone. A selector that asks for the open popover would have each step style the page anew.
  document.addEventListener('toggle', (e) => {
    if (e.target instanceof Element && e.target.id === 'f-why') document.body.toggleAttribute('data-why', e.target.matches(':popover-open'));
  }, true);
  const area = document.querySelector('[data-follow]');
  if (area) new ResizeObserver(follow).observe(area); // a question or a sheet takes of its room
}

function light(event) {
  for (const old of document.querySelectorAll('.lit')) old.classList.remove('lit');
  if (!event) return;
  const keys = new Set();
  for (const e of document.querySelectorAll(`[data-step="${event.dataset.step}"]`)) {
    e.classList.add('lit');
    for (const key of e.dataset.keys?.split('\n') ?? []) keys.add(key);
  }
  for (const key of document.querySelectorAll('[data-key-name]')) {
    if (keys.has(key.dataset.keyName)) key.classList.add('lit');
  }
}

// follow scrolls the timeline to the step that is shown, the sources to their lines, the
// keys to the first that changed, and nothing else.
export function follow() {
  for (const source of document.querySelectorAll('.source')) scrollTo(source, lineOf(source), 24, 24);
  scrollTo(document.querySelector('.aside'), document.querySelector('.on-server:has(.at) > .source'), 8, 8); // on a low page code stands below
  const keys = document.querySelector('.col-keys');
  const alarm = /** @type {HTMLElement | null} */ (keys?.querySelector('.held:has(.clash)'));
  const above = alarm ? alarm.offsetHeight + 12 : 0; // it stays above them, below the panel's edge
  scrollTo(keys, keys?.querySelector('.key:is(.d-new, .d-changed, .d-gone)'), 34 + above, 8); // 34: the name of its node
  followBeside();
  const area = document.querySelector('[data-follow]');
  const current = area?.querySelector(document.body.dataset.log === 'text' ? 'tr[aria-current]' : '.current > .ev');
  const held = document.getElementById('f-held')?.offsetHeight ?? 0; // requests of real clients, which stay below
  const due = current?.closest('.current') ? 56 : 0; // what is due next, and who should not be inside together
  if (area && document.body.dataset.pos === '0') area.scrollTop = 0; // no step is shown
  const at = area?.scrollTop;
  scrollTo(area, current, 40, 8 + due + held); // 40: the lanes' names, which stay on top
  if (area?.scrollTop !== at) clearTop(area);
  followCard(area, current);
}

// clearTop leaves no label in half below the lanes' names.
function clearTop(area) {
  const top = area.getBoundingClientRect().top + (area.querySelector('.heads')?.clientHeight ?? 0);
  for (const label of area.querySelectorAll('.events .label')) {
    const r = label.getBoundingClientRect();
    if (r.top > top - 2 || r.bottom < top + 2) continue;
    const at = area.scrollTop;
    area.scrollTop += r.bottom - top;
    if (area.scrollTop - at < r.bottom - top - 1) area.scrollTop -= area.scrollTop - at + top - r.top; // there is no more of the diagram
    return;
  }
}

/** @type {string | undefined} */
let compared; // the step of which two timelines were last shown side by side

// followBeside scrolls two timelines that are opened side by side to where they part, then to each step that is shown.
function followBeside() {
  const beside = document.querySelector('.beside .scroll');
  const pos = beside ? document.body.dataset.pos : undefined;
  if (pos === compared) return;
  const parts = compared === undefined ? beside?.querySelector('.tear') : null;
  compared = pos;
  scrollTo(beside, beside?.querySelector('.current > .ev'), 64, 30); // 30: what is left of leases
  scrollTo(beside, parts, 88, 40); // 64: the halves' names and the lanes'; and above the tear the last step that both have
}

// followCard gives what is opened below its arrow the room that there is below it, and scrolls to the line where the
// learner stands.
function followCard(area, current) {
  const card = /** @type {HTMLElement | null} */ (area?.querySelector('.unfold:not([hidden]) > .unfolded'));
  if (!card || !current) return;
  const room = area.clientHeight - 48 - current.getBoundingClientRect().height;
  card.style.maxHeight = `${room}px`;
  scrollTo(area, current, 40, 8 + card.offsetHeight);
  const lines = card.querySelector('.lua');
  scrollTo(lines, lines?.querySelector('.now-at'), 24, 24);
}

// endTravel ends an arrow's travel once it is there: one that ended by itself would have the page draw its last frames one by one.
export function endTravel() {
  const travels = document.getAnimations().filter((a) => a instanceof CSSAnimation && a.animationName === 'travel');
  setTimeout(() => { for (const a of travels) a.cancel(); }, 300);
}

// lineOf is the line to be seen: where the learner stands, what the next reply is asked of, or the
// last that ran.
function lineOf(source) {
  const asked = document.querySelector('#f-lead [data-asks="reply"]');
  return source.querySelector('.at') ?? (asked ? source.querySelector('#f-script li:last-child') : [...source.querySelectorAll('#f-ran > .on')].at(-1));
}

function scrollTo(area, current, above, below) {
  if (!area || !current || area.scrollHeight <= area.clientHeight) return;
  const a = area.getBoundingClientRect();
  const c = current.getBoundingClientRect();
  if (c.top < a.top + above) area.scrollTop -= a.top + above - c.top;
  else if (c.bottom > a.bottom - below) area.scrollTop += Math.min(c.bottom - a.bottom + below, c.top - a.top - above); // of what has no room its beginning is seen
}
