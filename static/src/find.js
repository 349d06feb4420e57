// The search over the lessons and questions of the home page. It needs nothing but the page: what is searched stands in
// its links, in both languages.

/**
 * What can be found: an entry's name, what is said of it, and other words for it.
 * @typedef {{name: string, says: string, words: string}} Entry
 */

const most = 12; // that are shown
const close = 6; // that are shown where nothing has every word
const han = /\p{Script=Han}/u;
const letters = /^[a-z0-9]{4,}$/; // a word that is long enough to be known when it is not written as it stands

/** @param {string} text */
const plain = (text) => text.normalize('NFKC').toLowerCase();

// Words of a question that say nothing of what is asked about.
const filler = /什么时候|为什么|有什么|是什么|怎么办|怎么|会不会|能不能|是不是|要不要|有没有|哪[种个些]|该用|应该|如何|关系|请问|谁先|[吗呢跟和与]/gu;
const between = /(?<=\p{Script=Han})(?=[\p{Script=Latin}\p{N}@])|(?<=[\p{Script=Latin}\p{N}])(?=\p{Script=Han})/gu;

/**
 * The words of what is sought. A single character tells too little beside longer words.
 * @param {string} sought
 */
function wordsOf(sought) {
  const words = plain(sought).replace(filler, ' ').replace(between, ' ').split(/[\s,，。；;？?！!、()（）]+/u).filter(Boolean);
  const longer = words.filter((word) => word.length > 1);
  return longer.length > 0 ? longer : words;
}

/**
 * How well a text has a word, from 0 to 1. A word of letters may begin one of the text's, or stand within it, or stand
 * there as several (SET NX). Chinese has no spaces: of a longer run the pairs of characters count, too.
 * @param {string} text
 * @param {string} word
 */
function has(text, word) {
  const at = text.indexOf(word);
  if (at >= 0) return at === 0 || han.test(word) || !/[\p{L}\p{N}]/u.test(text[at - 1]) ? 1 : 0.6;
  const chars = [...word];
  if (letters.test(word) && new RegExp(`(?<![\\p{L}\\p{N}])${chars.join(' ?')}`, 'u').test(text)) return 0.6;
  if (chars.length < 3 || !han.test(word)) return 0;
  const pairs = chars.slice(1).map((c, i) => chars[i] + c);
  const share = pairs.filter((pair) => text.includes(pair)).length / pairs.length;
  return share >= 0.5 ? share / 2 : 0;
}

/**
 * The word that is meant: that of the texts which is the same but for a slip, when none has what was typed.
 * @param {string[]} texts
 * @param {string} word
 */
function meant(texts, word) {
  if (!letters.test(word) || texts.some((text) => has(text, word) > 0)) return word;
  const typed = new Set(slips(word));
  const near = (/** @type {string} */ other) => letters.test(other) && Math.abs(other.length - word.length) < 2 && slips(other).some((slip) => typed.has(slip));
  return texts.flatMap((text) => text.split(/[^a-z0-9]+/)).find(near) ?? word;
}

/**
 * A word, and what is left of it without one of its letters: a word with a letter too few, too many, another, or two in
 * the wrong order has one of them, too.
 * @param {string} word
 */
const slips = (word) => [word, ...[...word].map((_, i) => word.slice(0, i) + word.slice(i + 1))];

/**
 * The entries that have every word of what is sought, the best first. Where none has them all, those that come closest.
 * @template {Entry} T
 * @param {T[]} entries
 * @param {string} sought
 * @returns {{found: T[], all: boolean}}
 */
export function search(entries, sought) {
  const texts = entries.map((entry) => [entry.name, entry.says, entry.words].map(plain));
  const words = wordsOf(sought).map((word) => meant(texts.flat(), word));
  const scored = entries.map((entry, i) => {
    const [name, says, other] = texts[i];
    const each = words.map((word) => Math.max(8 * has(name, word), 4 * has(says, word), 3 * has(other, word)));
    return { entry, all: !each.includes(0), score: each.reduce((a, b) => a + b, 0) };
  });
  const all = scored.some((s) => s.all);
  const found = scored.filter((s) => s.score > 0 && s.all === all).sort((a, b) => b.score - a.score).map((s) => s.entry);
  return { found: all ? found : found.slice(0, close), all };
}

/** Lets the field search while somebody types. */
export function listenToFind() {
  const field = document.getElementById('find');
  const list = document.getElementById('found');
  if (!(field instanceof HTMLInputElement) || !list) return;
  /** @type {(Entry & {link: HTMLAnchorElement})[] | undefined} */
  let entries;
  field.disabled = false;
  field.addEventListener('input', () => {
    entries ??= entriesOf(list.dataset.step ?? '');
    show(list, search(entries, field.value), field.value);
  });
  field.addEventListener('keydown', (e) => {
    if (e.key === 'Enter') list.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (e) => {
    if (e.key === '/' && !(e.target instanceof HTMLInputElement) && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      field.focus();
    }
    const links = [...list.querySelectorAll('a')];
    const at = links.findIndex((a) => a === document.activeElement);
    if ((at < 0 && document.activeElement !== field) || !['ArrowDown', 'ArrowUp', 'Escape'].includes(e.key) || links.length === 0) return;
    e.preventDefault();
    if (e.key === 'Escape') show(list, { found: [], all: false }, field.value = '');
    const to = e.key === 'ArrowDown' ? Math.min(at + 1, links.length - 1) : at - 1;
    (e.key === 'Escape' || to < 0 ? field : links[to]).focus();
  });
}

/** @param {string} step what is said of a link that leads to a step */
function entriesOf(step) {
  return /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('a[data-find]')]).map((link) => ({
    link,
    name: (link.querySelector('strong') ?? link).lastChild?.textContent?.trim() ?? '',
    says: link.querySelector('.lesson-question')?.textContent ?? step,
    words: link.dataset.find ?? '',
  }));
}

/**
 * @param {HTMLElement} list
 * @param {{found: (Entry & {link: HTMLAnchorElement})[], all: boolean}} result
 * @param {string} sought
 */
function show(list, { found, all }, sought) {
  list.replaceChildren(...found.slice(0, most).map(({ link, name, says }) => {
    const a = document.createElement('a');
    a.href = link.href;
    const strong = document.createElement('strong');
    strong.textContent = name;
    const span = document.createElement('span');
    span.textContent = says.trim();
    a.append(strong, span);
    const item = document.createElement('li');
    item.append(a);
    return item;
  }));
  list.hidden = found.length === 0;
  list.scrollIntoView({ block: 'nearest' });
  const count = /** @type {HTMLElement} */ (document.getElementById('found-count'));
  const says = found.length === 0 ? count.dataset.none : !all ? count.dataset.closest : found.length > most ? count.dataset.best : count.dataset.text;
  count.textContent = sought.trim() === '' ? '' : (says ?? '').replace('{0}', String(found.length)).replace('{1}', String(most));
}
