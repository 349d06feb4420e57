package browsertest

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

const (
	authorLesson = "/lessons/compare-and-delete"

	inAuthor       = `document.querySelector('#author-text').shadowRoot?.querySelector('.cm-focused')`
	authorText     = `[...document.querySelector('#author-text').shadowRoot.querySelectorAll('.cm-line')].map(l => l.textContent).join('\n')`
	authorSaid     = `document.querySelector('#author-said').textContent`
	authorProblems = `document.querySelector('#author-problems').textContent`
)

// openAuthor presses W and waits for the Author view.
func (b *tab) openAuthor() {
	b.t.Helper()
	b.do(chromedp.KeyEvent("w"))
	b.until(inAuthor)
}

// typeTitle puts a line in place of the first one.
func (b *tab) typeTitle(line string) {
	b.t.Helper()
	b.do(
		chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)),
		chromedp.KeyEvent("l", chromedp.KeyModifiers(chromedp.ModifierAlt)), // the line, and what ends it
		chromedp.KeyEvent(line+kb.Enter),
	)
}

// paste puts a text in place of all that is there.
func (b *tab) paste(text string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	if _, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
		return chromedp.Void{}, err
	}); err != nil {
		b.t.Fatal(err)
	}
}

func TestALessonIsWrittenBesideThePage(t *testing.T) {
	t.Parallel()
	for _, engine := range sample.Sample(t, []string{"", "?e=browser", "?e=redis"}, sample.PlacesTried) {
		t.Run("engine"+engine, func(t *testing.T) {
			t.Parallel()
			a := serve(t)
			b := onScreen(t)
			b.visit(a.url + "/en" + authorLesson + engine)
			for range 3 {
				b.click(forward)
			}
			b.openAuthor()
			if text := eval[string](b, authorText); !strings.Contains(text, "chapter: simple") {
				t.Fatalf("the text is %s", text)
			}
			was := b.text("#f-title")
			b.typeTitle(`titel: {en: "Mine", zh: "我的"}`)
			b.until(authorProblems + `.includes('010-compare-and-delete/lesson.yaml:1:1: the lesson has no key "titel"')`)
			if said := eval[string](b, authorProblems); !strings.Contains(said, "    1 | titel: {en: \"Mine\", zh: \"我的\"}\n      | ^") || !strings.Contains(said, `did you mean "title"?`) {
				t.Errorf("the page says %s", said)
			}
			if b.text("#f-title") != was {
				t.Errorf("with a mistake the page shows %q", b.text("#f-title"))
			}
			b.at("3 / 3")
			b.typeTitle(`title: {en: "Mine", zh: "我的"}`)
			b.until(`document.querySelector('#f-title').textContent.startsWith('Mine')`)
			b.until(authorSaid + ` === 'The page plays your draft. It is stored in this browser only.'`)
			b.at("3 / 3")
			b.do(chromedp.KeyEvent(kb.Escape))
			b.click(forward)
			b.at("4 / 4")

			b.do(chromedp.Reload())
			b.until(revision + " > 0 && " + inAuthor)
			b.until(`document.querySelector('#f-title').textContent.startsWith('Mine')`)
			b.at("4 / 4")
			b.click("#author-reset")
			b.until(fmt.Sprintf(`document.querySelector('#f-title').textContent.trim() === %q`, was))
			b.until(authorSaid + ` === 'This is the original text.'`)
			b.at("4 / 4")
		})
	}
}

func TestTheAuthorViewIsAccessible(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(looks[0])
	b.play(serve(t).url+"/zh"+authorLesson, 5)
	b.openAuthor()
	b.isAccessible("zh", "author")
	b.typeTitle(`titel: {en: "Mine", zh: "我的"}`)
	b.until(`!document.querySelector('#author-problems').hidden`)
	b.isAccessible("zh", "author-error")
}

// exported presses a button and returns the file that the page offers to keep.
func (b *tab) exported(press func()) string {
	b.t.Helper()
	eval[bool](b, `(window.kept = null, HTMLAnchorElement.prototype.click = function () { window.kept.name = this.download },
		URL.createObjectURL = (blob) => { window.kept = {blob}; return 'blob:kept' }, true)`)
	press()
	b.until("window.kept?.name")
	data, err := base64.StdEncoding.DecodeString(eval[string](b, `kept.blob.arrayBuffer().then((all) => btoa(String.fromCharCode(...new Uint8Array(all))))`))
	if err != nil {
		b.t.Fatal(err)
	}
	name := filepath.Join(b.t.TempDir(), eval[string](b, "kept.name"))
	if err := os.WriteFile(name, data, 0o600); err != nil {
		b.t.Fatal(err)
	}
	return name
}

const newLesson = `title: {en: "A queue", zh: "队列"}
summary: {en: "Two clients, one list.", zh: "两个客户端，一个列表。"}
chapter: more
level: basic
scripts: {push: {source: "return redis.call('RPUSH', KEYS[1], ARGV[1])", keys: [queue], args: [who]}}
actors:
  A: {program: 'redis.eval("push", {"q"}, {me})'}
  B: {program: 'redis.eval("push", {"q"}, {me})'}
story:
  - {run: A, expect: {reply: 1}}
  - {run: B, expect: {reply: 2}}
`

// A new lesson is begun on the home page, named, and exported as what check reads: on
// a server, and where there are only files.
func TestANewLessonIsExported(t *testing.T) {
	t.Parallel()
	type place struct {
		name string
		home func() string
	}
	for _, where := range sample.Sample(t, []place{
		{"served", func() string { return serve(t).url + "/" }},
		{"as files", func() string { return exported(t, false).home }},
	}, sample.PlacesTried) {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			b := onScreen(t)
			b.do(chromedp.Navigate(where.home() + "en/"))
			b.do(press(".write a.btn"))
			b.until(revision + " > 0 && " + inAuthor)
			b.until(authorText + `.includes('This is a whole lesson')`)
			b.click(forward)
			b.at("1 / 1")
			named := func(name string) {
				b.do(fill("#author-name", name))
				eval[bool](b, `document.querySelector('#author-name').dispatchEvent(new Event('input'))`)
			}
			named("queue") // a name is right without a number
			b.do(press("#author-text"))
			b.paste(newLesson)
			b.until(`document.querySelector('#f-title').textContent.startsWith('A queue')`)
			b.at("1 / 1")
			b.until(authorSaid + ` === 'The page plays your draft. It is stored in this browser only.'`)
			if name := b.exported(b.save); filepath.Base(name) != "01-queue.zip" {
				t.Errorf("the file is called %s", filepath.Base(name))
			}
			named("07-queue")
			name := b.exported(b.save)
			if filepath.Base(name) != "07-queue.zip" {
				t.Errorf("the file is called %s", filepath.Base(name))
			}
			out, err := exec.Command(playground, "check", "--strict", name).CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), "ok    queue                  2 steps") {
				t.Errorf("check says %v\n%s", err, out)
			}

			b.do(chromedp.Reload())
			b.until(revision + " > 0 && " + inAuthor)
			b.until(`document.querySelector('#f-title').textContent.startsWith('A queue')`)
			if named := eval[string](b, `document.querySelector('#author-name').value`); named != "07-queue" {
				t.Errorf("after a reload it is called %s", named)
			}
		})
	}
}

// The texts that were played last come back with the connection, and so does what
// was typed without one.
func TestADraftSurvivesALostConnection(t *testing.T) {
	t.Parallel()
	c := plugged(t)
	b := onScreen(t)
	b.expect("WebSocket connection|ERR_CONNECTION_REFUSED")
	b.visit(c.url + "/en" + authorLesson)
	b.click(forward)
	b.openAuthor()
	b.typeTitle(`title: {en: "Mine", zh: "我的"}`)
	b.until(`document.querySelector('#f-title').textContent.startsWith('Mine')`)
	c.pull()
	b.until(`document.documentElement.dataset.link === 'lost'`)
	b.typeTitle(`title: {en: "Later", zh: "后来"}`)
	b.until(authorSaid + `.startsWith('The connection is lost')`)
	c.plugAgain()
	b.until(`document.querySelector('#f-title').textContent.startsWith('Later')`)
	b.at("1 / 1")
	b.until(authorSaid + `.startsWith('The page plays your draft')`)
}

// Learners fetch neither the editor nor what reads lessons.
func TestTheAuthorsModuleIsLoadedWhenItIsAskedFor(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.visit(a.url + "/en" + authorLesson + "?e=browser")
	const loaded = `performance.getEntriesByType('resource').some(r => r.name.includes('author.wasm'))`
	b.click(forward)
	if eval[bool](b, loaded) {
		t.Error("the module of the Author view is loaded before it is asked for")
	}
	b.openAuthor()
	if !eval[bool](b, loaded) {
		t.Error("the module of the Author view was not loaded")
	}
	b.at("1 / 1")
	b.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Escape))
	b.until(`document.querySelector('#author').hidden`)
	b.key(kb.ArrowRight)
	b.at("2 / 2")
}

const authorFiles = `[...document.querySelectorAll('#author-files button')].map(b => b.textContent).join(' ')`

// A site of files keeps what reads lessons once somebody wanted to write one.
func TestWhoWroteOnceNeedsNoNetwork(t *testing.T) {
	t.Parallel()
	for _, compresses := range sample.Sample(t, []bool{false, true}, sample.PlacesTried) {
		t.Run(fmt.Sprintf("compressing %v", compresses), func(t *testing.T) {
			t.Parallel()
			h := exported(t, compresses)
			b := offline(t)
			b.visit(h.home + "en/lessons/compare-and-delete/")
			b.until(isKept)
			asked := strings.Join(h.paths(), " ")
			if strings.Contains(asked, "author-") {
				t.Errorf("a learner fetches what reads lessons: %s", asked)
			}
			b.openAuthor()
			h.Close()
			b.do(chromedp.Navigate("about:blank"))
			b.visit(h.home + "en/lessons/new-lesson/")
			b.until(inAuthor)
			b.paste(newLesson)
			b.until(`document.querySelector('#f-title').textContent.startsWith('A queue')`)
		})
	}
}
