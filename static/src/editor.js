// The code editor, loaded on demand. It gets texts from the player and sends changed ones
// back; text that is not applied yet is kept in the browser.
export { write } from './author.js';
import { drafts } from './editor-drafts.js';
import { codeView } from './editor-view.js';

export function start({ panel, lesson, request }) {
  const $ = (id) => panel.querySelector(`#editor-${id}`);
  const words = panel.dataset;
  const kept = drafts(`lockstep-draft:${lesson}`);
  const states = new Map(); // of the editor, by part
  let texts = new Map(); // {original, source, offered}, by part
  let part = '';
  let refused = ''; // why the engine runs no edited code
  let known = texted(document.body.dataset);

  const view = codeView({
    element: $('text'),
    onChange: changed,
    keys: { 'Mod-Enter': () => apply(view.text()), 'Ctrl-Enter': () => apply(view.text()) },
    onLeave: () => panel.querySelector('.editor-foot').focus({ preventScroll: true }), // Tab goes on behind the text, not into it again
    onErrors: listErrors,
    check,
  });
  $('part').addEventListener('change', () => show($('part').value));
  $('apply').addEventListener('click', () => apply(view.text()));
  $('reset').addEventListener('click', reset);
  $('diff').addEventListener('click', () => {
    const on = $('diff').getAttribute('aria-pressed') !== 'true';
    $('diff').setAttribute('aria-pressed', String(on));
    view.showDiff(on);
  });

  async function open(name, { keep, offered }) {
    if (!texts.size && !await refresh()) return;
    if (!keep || !part) show(name);
    if (offered) {
      view.replace(texts.get(name).offered ?? view.text());
      say(words.offered);
    }
    panel.scrollIntoView({ block: 'nearest' }); // on a phone it may be out of sight
    view.focus();
  }

  // refresh asks for the current texts. Parts that were not edited are replaced by them.
  async function refresh() {
    const reply = await request({ op: 'sources' });
    if (!reply.ok) {
      say(reply.err.code === 'lost' ? words.offline : reply.err.msg, true);
      return false;
    }
    refused = reply.noEdits ?? '';
    $('apply').disabled = refused !== '';
    const before = texts;
    texts = new Map(reply.parts.map((p) => [p.part, { ...p, original: normal(p.original), source: normal(p.source) }]));
    listParts();
    for (const option of $('part').options) {
      const { original, source } = texts.get(option.value);
      option.textContent = option.dataset.name ??= option.textContent;
      if (source !== original) option.textContent += words.edited;
    }
    const was = before.get(part);
    const now = texts.get(part);
    if (was && was.source !== now.source && view.text() === was.source) view.replace(now.source);
    for (const [p, { source }] of before) if (p !== part && texts.get(p).source !== source) states.delete(p);
    tell();
    return true;
  }

  // listParts updates the list when the lesson's author has changed its parts.
  function listParts() {
    for (const option of [...$('part').options]) if (!texts.has(option.value)) option.remove();
    for (const name of texts.keys()) {
      if ([...$('part').options].some((o) => o.value === name)) continue;
      const group = name.startsWith('script:') ? 'optgroup' : 'optgroup:last-of-type';
      $('part').querySelector(group).append(new Option(name.slice(name.indexOf(':') + 1), name));
    }
    if (!texts.has(part)) part = '';
  }

  function show(name) {
    if (part) states.set(part, view.state());
    part = name;
    $('part').value = name;
    const { original, source } = texts.get(name);
    const title = $('part').selectedOptions[0].dataset.name;
    view.show({ state: states.get(name), text: kept.get(name) ?? source, original, name: words.code.replace('{0}', title) });
    for (const m of panel.querySelectorAll('.meanings')) m.hidden = m.dataset.of !== (name.startsWith('script:') ? name : '');
    listErrors([]);
    tell();
  }

  function changed() {
    const { source } = texts.get(part);
    const text = view.text();
    kept.set(part, text === source ? null : text);
    tell();
  }

  // tell shows whether the text is the original, applied or not applied yet.
  function tell() {
    if (!part) return;
    const { original, source } = texts.get(part);
    const text = view.text();
    document.body.toggleAttribute('data-unapplied', drafted().length > 0); // verdicts say so
    say(refused || (text !== source ? words.draft : text === original ? words.original : words.applied), refused);
    $('reset').disabled = text === original && source === original;
  }

  async function apply(text) {
    const of = part;
    const reply = await request({ op: 'edit', part: of, source: text });
    if (reply.ok) {
      const { original } = texts.get(of);
      texts.get(of).source = text.trim() ? text : original;
      if (!text.trim() && of === part) view.replace(original);
      kept.set(of, null);
      kept.flush();
      listErrors([]);
      await refresh();
      if (!text.trim()) say(words.emptied);
      return true;
    }
    if (reply.err.code === 'syntax') { // the list below the text says what is wrong
      view.mark([reply.err]); // the cursor stays: who types on would change the text there
      say(words.draft, true);
    } else say(reply.err.code === 'lost' ? words.offline : reply.err.msg, true);
    return false;
  }

  // applyAll applies what was typed in every part. It tells whether that could be done.
  async function applyAll() {
    for (const { name, text } of drafted()) {
      if (name !== part) show(name);
      if (!await apply(text)) return false;
    }
    return true;
  }

  // drafted are the texts that are not applied yet.
  function drafted() {
    const all = [...texts].map(([name, { source }]) => ({ name, source, text: name === part ? view.text() : kept.get(name) ?? source }));
    return all.filter(({ source, text }) => text !== source);
  }

  async function reset() {
    const { original, source } = texts.get(part);
    view.replace(original);
    view.focus();
    if (source !== original) await apply(original);
  }

  async function check(text) {
    const { source, original } = texts.get(part) ?? {};
    if (text === source || text === original) return [];
    const reply = await request({ op: 'check', part, source: text });
    return reply.ok || reply.err.code === 'lost' ? [] : [reply.err];
  }

  function listErrors(errors) {
    $('errors').replaceChildren(...errors.map((e) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = place({ line: e.line, col: e.col, msg: e.message });
      button.addEventListener('click', () => { view.goTo(e); view.focus(); });
      return button;
    }));
  }

  function place({ line, col, msg }) {
    if (!line) return msg;
    const at = words.error.replace('{0}', line).replace('{1}', () => msg);
    return col ? at + words.column.replace('{0}', col) : at;
  }

  function say(text, failed) {
    $('said').textContent = text;
    $('said').classList.toggle('failed', Boolean(failed));
  }

  return {
    open,
    applyAll,
    // frame hears of each frame: other edits mean other texts, and another engine
    // may run them or not.
    frame({ edits, engine }) {
      const now = texted({ edits, engine });
      if (now !== known && texts.size) refresh();
      known = now;
    },
  };
}

// texted is what the texts depend on.
/** @param {{engine?: string, edits?: string}} frame */
const texted = ({ engine, edits }) => `${engine} ${edits ?? ''}`;

const normal = (text) => text.replaceAll('\r\n', '\n');
