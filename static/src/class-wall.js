// The wall of a class, for its teacher: who is where, what was asked, who broke the lock. Names come from
// learners, so they are text and never HTML.
import { listenTo } from './class-events.js';
import { sender } from './class-send.js';
import { row, showCounts, words } from './class-words.js';

/** @param {string} at the folder of the class */
export function wall(at) {
  const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const texts = part('class-tiles-of').dataset;
  const mode = /** @type {HTMLSelectElement} */ (document.querySelector('.class-mode'));
  const limit = /** @type {HTMLInputElement} */ (document.querySelector('.class-limit'));
  const names = /** @type {HTMLInputElement} */ (part('class-names'));
  const shut = /** @type {HTMLInputElement} */ (part('class-shut'));
  const { root, lang } = document.body.dataset;
  const down = (/** @type {string} */ text) => {
    part('class-down').textContent = text;
    part('class-down').hidden = !text;
  };
  const say = sender(`${at}events`, down);
  const link = /** @type {HTMLAnchorElement} */ (part('class-link'));
  link.textContent = link.href;
  const lead = /** @type {HTMLAnchorElement} */ (part('class-lead'));
  lead.textContent = lead.href;
  part('class-local').hidden = !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

  listenTo(`${at}events`, draw, () => down(part('class-down').dataset.lost ?? ''));

  const setMode = () => say('mode', { text: mode.value, step: Number(limit.value) });
  mode.addEventListener('change', setMode);
  limit.addEventListener('change', setMode);
  names.addEventListener('change', () => say('names', { text: names.checked ? 'hidden' : 'shown' }));
  shut.addEventListener('change', () => say('door', { text: shut.checked ? 'shut' : 'open' }));
  part('class-reveal').addEventListener('click', () => say('reveal', {}));
  part('class-end').addEventListener('click', () => { if (confirm(part('class-end').dataset.sure)) say('close', {}); });
  part('class-tiles').addEventListener('click', (e) => {
    const pressed = /** @type {HTMLElement} */ (e.target).closest('button');
    if (!pressed) return;
    const of = /** @type {HTMLElement} */ (pressed.closest('li'));
    if (!pressed.matches('.class-remove')) say('lead', { of: of.dataset.of });
    else if (confirm(words(texts.removeSure, of.querySelector('strong')?.textContent))) say('remove', { of: of.dataset.of });
  });

  function draw(now) {
    down(now.down ?? '');
    if (document.activeElement !== mode) mode.value = now.mode;
    if (document.activeElement !== limit) limit.value = String(now.limit);
    limit.hidden = mode.value !== 'pace';
    names.checked = now.namesHidden ?? false;
    shut.checked = now.shut ?? false;
    for (const control of [mode, limit, names, shut, part('class-end')]) /** @type {HTMLInputElement} */ (control).disabled = now.closed ?? false;
    part('class-over').hidden = !now.closed;
    part('class-way').hidden = now.closed ?? false;
    part('class-question').textContent = now.poll ? now.words : part('class-question').dataset.none ?? '';
    part('class-answered').textContent = now.poll ? words(part('class-answered').dataset.text, now.answered, now.learners.length) : '';
    part('class-reveal').hidden = !now.poll || now.poll.shown || now.closed;
    showCounts(part('class-answers'), now.poll?.shown ? now.answers : null);
    part('class-count').textContent = words(part('class-count').dataset.text, now.learners.length, now.learners.filter((l) => isStuck(l, now)).length);
    part('class-nobody').hidden = now.learners.length > 0;
    const called = (/** @type {string} */ name) => (now.namesHidden ? words(texts.learner, now.learners.find((l) => l.name === name)?.number) : name);
    const titled = (/** @type {string} */ name) => now.titles?.[name] ?? name; // a server before an upgrade has none
    tiles(now, called, titled);
    list(part('class-race'), now.race, (r) => row(anchor(r.place, words(texts.race, called(r.name), r.moves))));
    list(part('class-heat'), now.heat, (h) => row(words(texts.heat, titled(h.lesson), h.beat + 1, h.wrong, h.right)));
  }

  // tiles are kept, so that a button does not go away under a finger.
  function tiles(now, called, titled) {
    const shown = part('class-tiles');
    const gone = new Map([...shown.children].map((tile) => [/** @type {HTMLElement} */ (tile).dataset.of, tile]));
    now.learners.forEach((l) => {
      const tile = gone.get(l.id) ?? shown.appendChild(tileFor(l.id));
      gone.delete(l.id);
      const is = [isStuck(l, now) && words(texts.still, minutesOf(l, now)), l.broke && texts.broke, l.solved && texts.solved, l.ended && texts.ended];
      const lines = [called(l.name), `${words(texts.step, l.step)} · ${titled(l.place.lesson)}`, is.filter(Boolean).join(' · ')];
      lines.forEach((text, n) => {
        const line = tile.getElementsByTagName('summary')[0].children[n];
        if (line.textContent !== text) line.textContent = text;
      });
      tile.classList.toggle('stuck', isStuck(l, now));
      tile.querySelectorAll('button').forEach((b) => { b.hidden = now.closed ?? false; });
      tile.querySelector('a')?.setAttribute('href', address(l.place));
    });
    gone.forEach((tile) => tile.remove());
  }

  function tileFor(id) {
    const tile = document.createElement('li');
    tile.dataset.of = id;
    const tools = document.createElement('div');
    tools.className = 'row';
    tools.append(button('btn', texts.show), anchor({ lesson: '' }, texts.open ?? ''), button('btn quiet class-remove', texts.remove));
    const lines = document.createElement('summary'); // what can be done with thirty learners would be as much to read as who they are
    lines.append(document.createElement('strong'), document.createElement('span'), document.createElement('span'));
    const folded = document.createElement('details');
    folded.append(lines, tools);
    tile.append(folded);
    return tile;
  }

  function button(className, textContent) {
    return Object.assign(document.createElement('button'), { type: 'button', className, textContent });
  }

  const address = (place) => `${root}${lang}/lessons/${place.lesson}/?${place.query ?? ''}`;

  function anchor(place, text) {
    const a = document.createElement('a');
    Object.assign(a, { href: address(place), textContent: text, target: '_blank' });
    return a;
  }
}

const minutesOf = (learner, now) => Math.floor((now.now - learner.since) / 60000);
const isStuck = (learner, now) => minutesOf(learner, now) >= 2 && !learner.ended;

/**
 * @param {HTMLElement} to
 * @param {any[] | undefined} all
 * @param {(one: any) => HTMLElement} made
 */
function list(to, all, made) {
  const none = row(to.dataset.none ?? '');
  none.className = 'hint'; // it is no place of the list
  to.replaceChildren(...(all?.length ? all.map(made) : [none]));
}
