package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

func TestALessonIsWrittenBesideThePage(t *testing.T) {
	for _, engine := range []string{"", "?e=browser", "?e=redis"} {
		t.Run("engine"+engine, func(t *testing.T) {
			a := serve(t)
			b := open(t)
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
			b.until(authorProblems + `.includes('03-compare-and-delete/lesson.yaml:1:1: the lesson has no "titel"')`)
			if said := eval[string](b, authorProblems); !strings.Contains(said, "    1 | titel: {en: \"Mine\", zh: \"我的\"}\n      | ^") || !strings.Contains(said, "did you mean title?") {
				t.Errorf("the page says %s", said)
			}
			if b.text("#f-title") != was {
				t.Errorf("with a mistake the page shows %q", b.text("#f-title"))
			}
			b.at("3 / 3")
			b.typeTitle(`title: {en: "Mine", zh: "我的"}`)
			b.until(`document.querySelector('#f-title').textContent.startsWith('Mine')`)
			b.until(authorSaid + ` === 'The page plays your draft, which is kept in this browser.'`)
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
	a := serve(t)
	for _, l := range looks {
		t.Run(l.name, func(t *testing.T) {
			b := open(t)
			b.look(a, l, strings.TrimPrefix(authorLesson, "/"), 5)
			b.openAuthor()
			b.write(l.name + "-author.png")
			b.checkAxe()
			b.typeTitle(`titel: {en: "Mine", zh: "我的"}`)
			b.until(`!document.querySelector('#author-problems').hidden`)
			b.write(l.name + "-author-error.png")
			b.checkAxe()
		})
	}
}
