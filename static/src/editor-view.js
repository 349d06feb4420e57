// CodeMirror, set up for the Lua and the YAML of a lesson. It lives in a shadow root, where its
// styles are sheets of their own: the page's policy allows no style elements.
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lua } from '@codemirror/legacy-modes/mode/lua';
import { yaml } from '@codemirror/legacy-modes/mode/yaml';
import { linter, lintGutter, setDiagnostics, setDiagnosticsEffect } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const checkAfter = 350; // ms after the last key

const languages = { lua: StreamLanguage.define(lua), yaml: StreamLanguage.define(yaml) };

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--lua-k)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--lua-s)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'var(--lua-n)' },
  { tag: tags.standard(tags.name), color: 'var(--lua-r)' },
  { tag: tags.comment, color: 'var(--lua-c)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--raised)', fontSize: 'var(--t1)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 26%, transparent)',
  },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--raised)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in oklab, var(--accent) 5%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--ink)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--panel)', border: '1px solid var(--line-strong)', borderRadius: '6px', maxWidth: '26rem' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--denied)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--fault)' },
  '.cm-insertedLine, .cm-changedLine': { backgroundColor: 'var(--ok-soft) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--denied-soft)', paddingLeft: '6px' },
  '.cm-deletedLine del': { textDecoration: 'none' },
  '.cm-changedText': { background: 'none !important', textDecoration: 'underline 2px var(--ok)', textUnderlineOffset: '3px' },
  '.cm-deletedChunk .cm-deletedText': { background: 'color-mix(in oklab, var(--denied) 18%, transparent) !important' },
  '.cm-changeGutter': { width: '4px', paddingLeft: '0' },
  '.cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-deletedLineGutter': { background: 'var(--denied)' },
});

// A browser that replaces several lines itself adds style attributes to the new text, which
// the page's Content-Security-Policy forbids.
const replacing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || !event.data || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

// codeView makes an editor in an element. check(text) returns a promise of the errors in a
// text; without it, mark sets them. onErrors is called with the errors, onChange after each
// change, and keys are additional key bindings.
/** @param {{element: HTMLElement, onChange: () => void, onLeave: () => void, onErrors?: Function, check?: Function, keys: Record<string, () => unknown>}} settings */
export function codeView({ element, onChange, onLeave, onErrors, check, keys }) {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  const diff = new Compartment();
  const label = new Compartment();
  let original = '';
  let name = '';
  let differing = false;

  const against = () => (differing ? unifiedMergeView({ original, mergeControls: false, syntaxHighlightDeletions: false }) : []);
  const named = () => EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' });
  const source = check && (async (v) => (await check(v.state.doc.toString())).map((e) => diagnostic(v.state.doc, e)));
  const extensions = [
    lineNumbers(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(),
    highlightActiveLine(), highlightActiveLineGutter(), EditorView.lineWrapping,
    EditorState.tabSize.of(2), indentUnit.of('  '),
    syntaxHighlighting(colours), theme, replacing,
    Prec.highest(keymap.of(Object.entries(keys).map(([key, act]) => ({ key, run: () => { act(); return true; } })))),
    keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab, { key: 'Escape', run: () => { onLeave(); return true; } }]),
    linter(source ?? null, { delay: checkAfter }),
    EditorView.updateListener.of((u) => {
      if (u.docChanged) onChange();
      for (const t of u.transactions) for (const e of t.effects) if (e.is(setDiagnosticsEffect)) onErrors?.(e.value);
    }),
    diff.of([]), label.of([]),
  ];
  const fresh = (doc, language = 'lua') => EditorState.create({ doc, extensions: [extensions, languages[language]] });
  const view = new EditorView({ state: fresh(''), parent: root, root });
  const reconfigure = () => view.dispatch({ effects: [diff.reconfigure(against()), label.reconfigure(named())] });

  return {
    text: () => view.state.doc.toString(),
    state: () => view.state,
    focus: () => view.focus(),
    // show displays an earlier state, or a text.
    show(what) {
      ({ original, name } = what);
      view.setState(what.state ?? fresh(what.text, what.language));
      reconfigure();
    },
    // replace changes the text where it differs, so that the cursor stays where it can; it can be undone. It returns
    // where the first difference is.
    replace(text) {
      const was = view.state.doc.toString();
      const least = Math.min(was.length, text.length);
      let from = 0;
      while (from < least && was[from] === text[from]) from++;
      let tail = 0;
      while (tail < least - from && was[was.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
      view.dispatch({ changes: { from, to: was.length - tail, insert: text.slice(from, text.length - tail) }, annotations: isolateHistory.of('full') });
      return from;
    },
    // showDiff marks what differs from the original, or from another text.
    showDiff(on, from = original) {
      original = from;
      differing = on;
      reconfigure();
    },
    mark(errors) {
      view.dispatch(setDiagnostics(view.state, errors.map((e) => diagnostic(view.state.doc, e))));
    },
    reveal(at) { view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'center' }) }); },
    // goTo puts the cursor at the place of an error.
    goTo(error) {
      view.dispatch({ selection: { anchor: diagnostic(view.state.doc, error).from }, scrollIntoView: true });
    },
  };
}

// diagnostic is an error {line, col, endCol, severity, msg} at its place. Columns count characters.
function diagnostic(doc, { line, col, endCol, severity, msg }) {
  const at = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
  const offset = (column) => [...at.text].slice(0, Math.max(column - 1, 0)).join('').length;
  const skip = offset(col ?? 1);
  const word = endCol > col ? offset(endCol) - skip : /^(\w+|\S)?/.exec(at.text.slice(skip))[0].length;
  const from = at.from + skip;
  return { from, to: from + word, severity: severity ?? 'error', message: msg, line: at.number, col };
}
