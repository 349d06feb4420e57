// A lesson that a class goes through: this page says where it stands, and goes where the teacher leads. It asks
// the server of the class alone; the player knows nothing of it.
import { listenTo } from './class-events.js';
import { sender } from './class-send.js';
import { showCounts, words } from './class-words.js';

const key = 'lockstep-class';
const outside = { frame() {}, answers: () => false };

/**
 * @param {{ goTo(lesson: string, query: string): void, seek(pos: number): void, answer(beat: number, text: string): void }} page
 */
export function inClass({ goTo, seek, answer }) {
  const bar = document.getElementById('class');
  const code = bar && codeOfTab();
  if (!bar || !code) return outside;
  const at = `${bar.dataset.at}${code}/`;
  const part = (/** @type {string} */ s) => /** @type {HTMLElement} */ (bar.querySelector(s));
  const mode = /** @type {HTMLSelectElement} */ (part('.class-mode'));
  const limit = /** @type {HTMLInputElement} */ (part('.class-limit'));
  /** @type {any} what the class is now */
  let now = null;
  /** @type {import('../types/protocol').Frame | null} */
  let drawn = null;
  let led = -1; // the number of the last event that led here
  let polled = 0; // of the last question that led here
  /** @type {{ n: number, beat: number, text: string } | null} */
  let given = null;
  /** @type {Record<string, string>} what answers are called in this page's language */
  const called = {};
  let beat = -1; // of the prediction that is open; -1: none is
  let asks = -1; // the last beat that has asked here
  const say = sender(`${at}events`, (text) => { part('p').textContent = text; });

  const close = listenTo(`${at}events`, (news) => {
    const before = now?.mode;
    now = news;
    goAlong();
    show();
    if (before && before !== now.mode) leadHere(); // the page has gone on meanwhile
  }, () => { part('p').textContent = bar.dataset.lost ?? ''; });
  part('.class-to-wall').setAttribute('href', `${bar.dataset.at}${code}`);
  bar.hidden = false;
  bar.addEventListener('click', (e) => {
    const target = /** @type {HTMLElement} */ (e.target).closest('[data-class], .class-shown');
    if (target?.matches('.class-shown')) {
      e.preventDefault();
      goTo(now.lead.lesson, now.lead.query ?? '');
    }
    if (target instanceof HTMLElement) ({ ask, reveal: () => say('reveal', {}), leave })[target.dataset.class ?? '']?.();
  });
  mode.addEventListener('change', setMode);
  limit.addEventListener('change', setMode);

  function setMode() {
    if (mode.value === 'pace' && mode.value !== now.mode) limit.value = String(drawn?.pos ?? 0);
    if (mode.value === 'lead') say('lead', { place: here() });
    say('mode', { text: mode.value, step: Number(limit.value) });
  }

  function leave() {
    sessionStorage.removeItem(key);
    close();
    bar.hidden = true;
    now = null;
  }

  // goAlong goes where the class is, once for each time that the teacher leads.
  function goAlong() {
    const { lead, poll } = now;
    const first = led < 0;
    const calls = lead.n > led && (now.teacher ? lead.shown && !first : now.mode === 'lead');
    if (calls) follow(lead);
    if (!calls && !now.teacher && poll && !poll.shown && poll.n > polled) follow(poll);
    if (now.mode === 'lead' || first || now.teacher) led = lead.n;
    polled = poll?.n ?? 0;
    if (poll?.shown && given?.n === poll.n) {
      if (form() && given.beat === beat) answer(given.beat, given.text);
      given = null;
    }
    keepPace();
  }

  // leadHere has the class follow this page. It is asked as the page goes on, so two pages of one teacher do not lead
  // each other.
  function leadHere() {
    if (now.teacher && !now.closed && now.mode === 'lead' && differs(now.lead)) say('lead', { place: here() }, 100);
  }

  function follow(place) {
    if (differs(place)) goTo(place.lesson, place.query ?? '');
  }

  function keepPace() {
    if (!now || now.teacher || now.closed || now.mode !== 'pace' || !drawn || drawn.pos <= now.limit) return false;
    seek(now.limit);
    return true;
  }

  function ask() {
    const f = form();
    if (!f) return;
    const options = [...f.querySelectorAll('button.option[value]')].map((b) => ({ value: b.getAttribute('value'), text: b.textContent }));
    say('ask', { place: here(), step: beat, text: f.querySelector('.question')?.textContent?.trim().slice(0, 100), options });
  }

  function show() {
    const open = now.poll && !now.poll.shown;
    part('.class-name').textContent = now.me ? words(bar.dataset.you, now.me) : code;
    part('p').textContent = says(open);
    part('.class-tools').hidden = !now.teacher || now.closed;
    if (document.activeElement !== mode) mode.value = now.mode;
    if (document.activeElement !== limit) limit.value = String(now.limit);
    limit.hidden = now.mode !== 'pace';
    part('[data-class="ask"]').hidden = !form() || open;
    part('[data-class="reveal"]').hidden = !open;
    const shown = part('.class-shown');
    shown.hidden = !now.lead.shown || now.mode === 'lead';
    shown.textContent = words(bar.dataset.shows, now.lead.by ?? bar.dataset.somebody);
    shown.setAttribute('href', `${bar.dataset.lessons}${now.lead.lesson}/?${now.lead.query ?? ''}`);
    showCounts(part('.class-counts'), isCounted() ? now.poll.counts : null, called);
  }

  // isCounted tells whether the class has answered what this page asks, or has just graded: what comes next has no counts.
  function isCounted() {
    const poll = now.poll;
    return poll?.shown && poll.lesson === here().lesson && (asks < 0 || asks === poll.beat) && Boolean(form() ?? graded());
  }

  // isAsked tells whether the prediction that is open here is the class's question.
  function isAsked() {
    const poll = now?.poll;
    return poll && !poll.shown && poll.beat === beat && poll.lesson === here().lesson;
  }

  function says(open) {
    if (now.down) return now.down;
    if (now.removed) return bar.dataset.removed;
    if (now.closed) return bar.dataset.closed;
    if (now.teacher) return open ? words(bar.dataset.answered, now.answered, now.learners.length) : '';
    if (isAsked()) return given?.n === now.poll.n ? bar.dataset.given : bar.dataset.asked;
    return words(bar.dataset[now.mode], now.limit);
  }

  return {
    /** @param {import('../types/protocol').Frame} frame that has been drawn */
    frame(frame) {
      drawn = frame;
      const guessed = beat;
      const f = form();
      beat = f ? JSON.parse(f.dataset.arg ?? '{}').beat : -1;
      for (const b of f?.querySelectorAll('button.option[value]') ?? []) called[b.getAttribute('value') ?? ''] = b.textContent ?? '';
      if (f) asks = beat;
      if (!now) return;
      show();
      if (now.closed || keepPace()) return;
      if (now.teacher) return leadHere();
      const grade = graded();
      if (!f && guessed >= 0 && grade?.matches('.right, .wrong')) say('guessed', { place: { lesson: frame.lesson }, step: guessed, text: grade.matches('.right') ? 'right' : 'wrong' });
      say('at', { place: here(), step: frame.pos, text: reached() }, 1500);
    },
    /**
     * Tells whether a prediction is for the class, and not yet for the player.
     * @param {HTMLFormElement} asked
     * @param {HTMLElement | null} submitter
     */
    answers(asked, submitter) {
      if (now?.teacher || now?.closed || !asked.matches('.predict') || !isAsked()) return false;
      const text = String(new FormData(asked, submitter).get('text') ?? '');
      if (text && given?.n !== now.poll.n) {
        given = { n: now.poll.n, beat, text };
        say('answer', { step: now.poll.n, text });
      }
      show();
      return true;
    },
  };
}

// codeOfTab is the class of this tab: of its address when it has just joined, else as it was.
function codeOfTab() {
  const code = new URLSearchParams(location.search).get('class') ?? '';
  try {
    if (/^[A-Z2-9]{6}$/.test(code)) sessionStorage.setItem(key, code);
    return sessionStorage.getItem(key);
  } catch {
    return code; // for this page
  }
}

const form = () => /** @type {HTMLFormElement | null} */ (document.querySelector('form.predict'));

const graded = () => document.querySelector('.told .grade, .col-choices .grade');

const longest = 2000; // characters of a query that the class takes

/** Where the page stands, without its language and the way to look at it. */
function here() {
  const q = new URLSearchParams(location.search);
  for (const own of ['view', 'class', 'a']) q.delete(own);
  const query = q.toString();
  return { lesson: document.body.dataset.lesson ?? '', query: query.length > longest ? '' : query };
}

const differs = (place) => place.lesson !== here().lesson || (place.query ?? '') !== here().query;

// reached is what the learner has reached here, as the server knows it.
function reached() {
  const has = { broke: '#f-broken .broken', solved: '#f-challenge[data-won]', ended: '#f-story .done' };
  return Object.entries(has).filter(([, at]) => document.querySelector(at)).map(([what]) => what).join(' ');
}
