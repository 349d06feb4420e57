package browsertest

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

const (
	unlockLesson = "/lessons/compare-and-delete/"
	plainDel     = "return redis.call('DEL', KEYS[1])"

	inEditor   = `document.querySelector('#editor-text').shadowRoot?.querySelector('.cm-focused')`
	editorText = `[...document.querySelector('#editor-text').shadowRoot.querySelectorAll('.cm-line')].map(l => l.textContent).join('\n')`
	editorSaid = `document.querySelector('#editor-said').textContent`
	showsStep  = `#f-edits [data-step]:not(.away)`
)

// toTheEnd plays the story.
func (b *tab) toTheEnd() {
	b.t.Helper()
	for !b.exists("#f-story .done") {
		b.key(kb.ArrowRight) // its button is in the lab
	}
}

// openEditor presses E and waits for the editor.
func (b *tab) openEditor() {
	b.t.Helper()
	b.do(chromedp.KeyEvent("e"))
	b.until(inEditor)
}

// retype replaces all text of the editor.
func (b *tab) retype(text string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(text))
}

// apply presses Ctrl+Enter.
func (b *tab) apply() {
	b.t.Helper()
	b.key(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.until(editorSaid + ` === 'Applied.'`)
}

// differing checks that the page says where the story differs.
func (b *tab) differing(where string) {
	b.t.Helper()
	if said := b.text("#f-edits"); !strings.Contains(said, "Edited: the script unlock. "+where) {
		b.t.Fatalf("the page says %q", said)
	}
}

const fromStep10 = "Differs from step 10: B got 1 instead of 0."

func TestAnEditedUnlockMakesTheStoryDiffer(t *testing.T) {
	t.Parallel()
	for _, engine := range sample.Sample(t, []string{"", "?e=redis", "?e=browser", "files"}, sample.PlacesTried) {
		t.Run("engine"+engine, func(t *testing.T) {
			t.Parallel()
			var home string
			if engine == "files" {
				home, engine = exported(t, false).home, ""
			} else {
				home = serve(t).url + "/"
			}
			b := onScreen(t)
			b.visit(home + "en" + unlockLesson + engine)
			b.toTheEnd()
			was := b.shown()
			b.openEditor()
			if text := eval[string](b, editorText); !strings.Contains(text, "redis.call('get', KEYS[1]) == ARGV[1]") {
				t.Fatalf("the editor shows %s", text)
			}
			b.retype(strings.TrimSuffix(plainDel, ")"))
			b.until(`document.querySelector('#editor-errors').textContent.startsWith("line 1: ')' expected")`)
			if !eval[bool](b, `document.querySelector('#editor-text').shadowRoot.querySelector('.cm-lint-marker-error') !== null`) {
				t.Error("no mark stands at the line")
			}
			b.do(chromedp.KeyEvent(")"))
			b.until(`!document.querySelector('#editor-errors').textContent`)
			b.apply()
			b.differing(fromStep10)
			b.at("14 / 14")
			if !b.exists("#f-ticks .differs") {
				t.Error("the strip has no mark")
			}

			b.click(showsStep)
			b.at("10 / 14")
			if said := b.text("#f-diff"); !strings.Contains(said, "The story differs from here on.") || !strings.Contains(said, "lock1not therestring C, TTL 5 s") {
				t.Errorf("beside the step stands %q", said)
			}
			if said := b.text("#f-story"); !strings.Contains(said, "reply: expected 0, here 1") {
				t.Errorf("the story says %q", said)
			}
			if !b.exists("#f-timeline line.differs") {
				t.Error("the timeline has no mark at the step")
			}
			if engine != "" {
				return // what follows is about the page, wherever the lesson is played
			}

			b.do(chromedp.Reload())
			b.until(revision + " > 0")
			b.at("10 / 14")
			b.differing(fromStep10)

			friend := onScreen(t) // has nothing of this browser's
			friend.visit(eval[string](b, "location.href"))
			friend.at("10 / 14")
			friend.differing(fromStep10)

			b.visit(home + "en" + unlockLesson) // as it is written, with the edits kept in the browser
			if b.exists("#f-edits .notice") || !eval[bool](b, `document.querySelector('#last-edits').checkVisibility()`) {
				t.Error("a lesson that is opened at its start does not run as written, or does not offer the edits")
			}
			b.do(press(`[data-ui="edit-again"]`))
			b.until(`location.search.includes('x=') && ` + revision + ` > 0`)
			b.differing("No difference yet; one may show as the story goes on.")
			b.toTheEnd()
			b.differing(fromStep10)
			b.openEditor()
			b.click("#editor-reset")
			b.until(editorSaid + ` === 'This is the original text.'`)
			if b.exists("#f-edits .notice") {
				t.Errorf("the page still says %q", b.text("#f-edits"))
			}
			for id, text := range b.shown() {
				if id != "f-place" && text != was[id] { // it leads back to the edit
					t.Errorf("after the reset %s shows\n%s\nwas\n%s", id, text, was[id])
				}
			}
			b.click(".ghost")
			b.differing(fromStep10)
			b.until(editorText + ` === "` + plainDel + `"`) // an editor without changes of its own follows
			b.click(`#f-edits [data-op="unedit"]`)
			b.visit(home + "en" + unlockLesson)
			if b.exists("#f-edits .notice") {
				t.Errorf("an edit that was taken back came again: %q", b.text("#f-edits"))
			}
		})
	}
}

func TestWhatWasTypedIsNotLost(t *testing.T) {
	t.Parallel()
	c := plugged(t)
	b := onScreen(t)
	b.expect("WebSocket connection|ERR_CONNECTION_REFUSED")
	b.visit(c.url + "/en" + unlockLesson)
	b.click(forward)
	b.openEditor()
	b.retype("return 5")
	b.until(editorSaid + ` === 'Not applied yet.'`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement.matches('#editor .editor-foot')`)
	b.key(kb.ArrowRight) // single keys work again
	b.at("2 / 2")
	if text := eval[string](b, editorText); text != "return 5" {
		t.Errorf("after a frame the editor holds %q", text)
	}
	b.do(press(`[data-ui="close-editor"]`))
	b.do(chromedp.Reload())
	b.until(revision + " > 0")
	b.openEditor()
	if text := eval[string](b, editorText); text != "return 5" {
		t.Errorf("after a reload the editor holds %q", text)
	}
	b.do(fill("#editor-part", "program:A"))
	eval[bool](b, `document.querySelector('#editor-part').dispatchEvent(new Event('change'))`)
	b.until(editorText + `.includes('unlock_in_two_steps')`)
	b.do(fill("#editor-part", "script:unlock"))
	eval[bool](b, `document.querySelector('#editor-part').dispatchEvent(new Event('change'))`)
	b.until(editorText + ` === 'return 5'`)

	c.pull()
	b.until(`document.documentElement.dataset.link === 'lost'`)
	b.do(press("#editor-apply"))
	b.until(editorSaid + `.startsWith('The connection is lost')`)
	c.plugAgain()
	b.until(`document.documentElement.dataset.link === 'up'`)
	b.click("#editor-apply")
	b.until(editorSaid + ` === 'Applied.'`)
	b.differing("No difference up to step 2.")
}

func TestTheEditorIsLoadedWhenItIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"main.js", "main.js.map"} {
		text, err := os.ReadFile("../../static/dist/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "codemirror") || strings.Contains(string(text), "cm-line") {
			t.Errorf("%s holds the editor", name)
		}
	}
	a := serve(t)
	b := onScreen(t)
	b.visit(a.url + "/en" + unlockLesson)
	const loaded = `performance.getEntriesByType('resource').some(r => r.name.includes('editor'))`
	if eval[bool](b, loaded) {
		t.Error("the editor is loaded before it is asked for")
	}
	b.openEditor()
	if !eval[bool](b, loaded) {
		t.Error("the editor was not loaded")
	}
}

func TestAnEditorThatCannotBeLoadedSaysSo(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.expect("Failed to load resource|404")
	b.visit(a.url + "/zh" + unlockLesson)
	from := eval[string](b, `(() => { const d = document.querySelector('#editor').dataset, from = d.from; d.from = '/static/nowhere.js?v=1'; return from })()`)
	b.do(chromedp.KeyEvent("e"))
	b.until(editorSaid + `.startsWith('编辑器加载失败')`)
	b.do(press(`[data-ui="close-editor"]`))
	b.click(forward)
	eval[bool](b, `Boolean(document.querySelector('#editor').dataset.from = '`+from+`')`)
	b.openEditor()
}

// Edits that are too long for an address stay in the browser that made them.
func TestLongEditsAreNotInTheLink(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.visit(a.url + "/en" + unlockLesson)
	b.click(forward)
	b.openEditor()
	noise := eval[string](b, `[...crypto.getRandomValues(new Uint8Array(1600))].map(n => n.toString(36)).join('')`)
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	if _, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: "return 0 --" + noise})
		return chromedp.Void{}, err
	}); err != nil {
		t.Fatal(err)
	}
	b.apply()
	if query := eval[string](b, "location.search"); !strings.HasSuffix(query, "&x=-") {
		t.Fatalf("the address has %s", query)
	}
	b.do(chromedp.Reload())
	b.until(revision + " > 0")
	b.differing("No difference up to step 1.")
	eval[bool](b, `(navigator.clipboard.writeText = async (text) => { window.copied = text }, true)`)
	b.do(press(`[data-ui="share"]`))
	b.until(`window.copied && !window.copied.includes('x=') && document.querySelector('#failed').textContent.includes('too long')`)
}

// Who empties a text and applies that is told that the original is back, and sees it.
func TestAnEmptiedTextIsTheOriginalAgain(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.visit(serve(t).url + "/en" + unlockLesson)
	b.openEditor()
	before := eval[string](b, editorText)
	b.retype("return 5")
	b.apply()
	b.retype(" ")
	b.do(press("#editor-apply"))
	b.until(editorSaid + `.includes('the original again')`)
	if text := eval[string](b, editorText); text != before {
		t.Errorf("the editor holds %q", text)
	}
}

// An edit of a text that has changed since is shown when it is asked for.
func TestAnEditOfAnOlderVersionCanBeShown(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.visit(a.url + "/en" + unlockLesson)
	code := eval[string](b, `(async () => {
		const text = JSON.stringify([{p: 'script:unlock', o: '00000000', s: "`+plainDel+`"}]);
		const packed = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer();
		return btoa(String.fromCharCode(...new Uint8Array(packed))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
	})()`)
	b.visit(a.url + "/en" + unlockLesson + "?x=" + code)
	if said := b.text("#f-edits"); !strings.Contains(said, "older version") {
		t.Fatalf("the page says %q", said)
	}
	b.do(press(`#f-edits [data-offered]`))
	b.until(inEditor + ` && ` + editorText + ` === "` + plainDel + `"`)
	b.apply()
	b.differing("No difference yet; one may show as the story goes on.")
	if said := b.text("#f-edits"); strings.Contains(said, "older version") {
		t.Errorf("the page still says %q", said)
	}
}

// A shared Redis on which nobody can be confined runs nothing that a visitor wrote,
// and the editor says so at once.
func TestAnEngineThatRunsNoEditsIsExplained(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	redis.cli("ACL", "SETUSER", "plain", "on", ">secret", "~*", "&*", "+@all", "-acl")
	a := serve(t, "--redis-url", "unix://plain:secret@"+redis.socket)
	b := onScreen(t)
	b.visit(a.url + "/en" + unlockLesson + "?e=redis")
	b.openEditor()
	if said := b.text("#editor-said"); !strings.Contains(said, "--allow-edits") || !b.exists("#editor-apply:disabled") {
		t.Errorf("the editor says %q", said)
	}
	b.retype("return 1")
	b.click(embedded)
	b.until(`!document.querySelector('#editor-apply').disabled`)
	b.click("#editor-apply")
	b.differing("No difference yet; one may show as the story goes on.")
}

func TestTheEditorIsAccessible(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(looks[0])
	b.play(serve(t).url+"/en"+unlockLesson, 14)
	b.openEditor()
	b.isAccessible("en", "editor")
	for _, l := range looks {
		b.emulate(l)
		if !eval[bool](b, `document.querySelector('.caption').getBoundingClientRect().bottom === innerHeight`) {
			t.Errorf("%s: opening the editor moved the page", l.name)
		}
	}
	b.retype("-- anybody may\nreturn redis.call('DEL', KEYS[1]")
	b.until(`document.querySelector('#editor-errors').textContent`)
	b.isAccessible("en", "editor-error")
	b.do(chromedp.KeyEvent(")"))
	b.key(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.click(showsStep)
	b.do(press("#editor-diff"))
	b.isAccessible("en", "editor-diff")
	b.do(press("#editor-text"), chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Tab))
	if got := eval[string](b, `document.activeElement.id`); got != "editor-apply" {
		t.Errorf("who leaves the text with Esc and Tab comes to %q", got)
	}
	b.do(press(`[data-ui="close-editor"]`))
	b.isAccessible("en", "edited")
}

// An edit that is applied moves no button, and what it breaks is seen, wherever the column stood.
func TestAnEditMovesNothing(t *testing.T) {
	t.Parallel()
	for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}} {
		t.Run(screen.name, func(t *testing.T) {
			t.Parallel()
			b := onScreen(t)
			b.emulate(screen)
			b.visit(serve(t).url + "/en" + unlockLesson)
			b.toTheEnd()
			b.openEditor()
			b.retype("-- " + plainDel)
			eval[bool](b, `(document.querySelector('.slots').scrollTop = 1e6, true)`)
			const where = `JSON.stringify([...document.querySelectorAll('.run, #editor, #editor-text, #editor-apply, .col-timeline, .clock, #f-transport, #go')].map((e) => e.getBoundingClientRect()))`
			before := eval[string](b, where)
			b.apply()
			if after := eval[string](b, where); after != before {
				t.Errorf("the places were %s and are %s", before, after)
			}
			b.inSight("what the edit has done", "#f-edits .notice", ".slots")
		})
	}
}

const (
	caretAt  = `(() => { const r = document.querySelector('#editor-text').shadowRoot.querySelector('.cm-cursor-primary').getBoundingClientRect(); return r.left + ' ' + r.top })()`
	scrolled = `document.querySelector('#editor-text').shadowRoot.querySelector('.cm-scroller').scrollTop`
)

// Who applies a text types on where they were, whether it could be applied or not.
func TestTheCaretSurvivesApply(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(look{name: "laptop", width: 1280, height: 720})
	b.visit(serve(t).url + "/en/lessons/fair-lock/")
	b.openEditor()
	control := chromedp.KeyModifiers(chromedp.ModifierCtrl)
	b.do(chromedp.KeyEvent(kb.Home, control), chromedp.KeyEvent("local = 1\n"), chromedp.KeyEvent(kb.End, control), chromedp.KeyEvent("--xy"))
	b.until(`document.querySelector('#editor-errors').textContent.startsWith('line 1: ')`)
	b.until(scrolled + ` > 100`)
	caret, scroll := eval[string](b, caretAt), eval[float64](b, scrolled)
	b.do(chromedp.KeyEvent(kb.Enter, control))
	b.until(`document.querySelector('#editor-said').classList.contains('failed')`)
	if now := eval[string](b, caretAt); now != caret {
		t.Errorf("the caret was at %s and is at %s", caret, now)
	}
	if now := eval[float64](b, scrolled); now != scroll {
		t.Errorf("the text was scrolled to %v and is scrolled to %v", scroll, now)
	}
	b.do(chromedp.KeyEvent(kb.Backspace))
	b.until(editorText + `.endsWith('--x')`)

	b.do(press("#editor-errors button")) // to where it is wrong
	b.until(inEditor)
	b.do(chromedp.KeyEvent(kb.Home), chromedp.KeyEvent("--"))
	b.until(`!document.querySelector('#editor-errors').textContent`)
	caret = eval[string](b, caretAt)
	b.apply()
	if now := eval[string](b, caretAt); now != caret {
		t.Errorf("applied, the caret was at %s and is at %s", caret, now)
	}
	b.do(chromedp.KeyEvent("!"))
	b.until(editorText + `.startsWith('--!local')`)
}
