package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// toItsEnd plays the story of the lesson that is open.
func (b *tab) toItsEnd() {
	b.t.Helper()
	for b.exists(goesOn) {
		b.key(kb.Enter)
	}
}

const whereOnWay = `document.querySelector('.lessons-btn').textContent.trim().replace(/\s+/g, ' ')`

// Who is on a way is led along it, and from a side trip back to it; who opens a lesson from the list of all is not.
func TestTheEndLeadsAlongTheWay(t *testing.T) {
	t.Parallel()
	home := serve(t).url + "/en/"
	b := open(t)
	b.do(chromedp.Navigate(home))
	b.until(`!document.querySelector('.progress-file').hidden`)
	if done := b.text("#begin"); done != "Begin the hour" {
		t.Errorf("who has done nothing is offered %q", done)
	}
	b.do(press("#begin"))
	b.until(`location.pathname.endsWith('/lessons/oversell/') && ` + revision + ` > 0`)
	if at := eval[string](b, whereOnWay); !strings.HasPrefix(at, "One hour 1 / ") {
		t.Errorf("the bar says %q", at)
	}
	b.toItsEnd()
	leads := func(what, to string) {
		t.Helper()
		if got := eval[string](b, `document.querySelector('#onward').pathname`); !strings.HasSuffix(got, to) {
			t.Errorf("%s leads to %s, want %s", what, got, to)
		}
	}
	leads("the first station", "/lessons/no-ttl/")
	b.click("#challenge-help")
	b.click("#challenge-solve")
	if got := eval[string](b, `document.querySelector('a#challenge-next').pathname`); !strings.HasSuffix(got, "/lessons/no-ttl/") {
		t.Errorf("a challenge that is done leads to %s", got)
	}

	b.do(chromedp.Navigate(home))
	b.until(`document.querySelector('.stop.next') !== null`)
	if next := eval[string](b, `document.querySelector('.stop.next').dataset.lesson`); next != "no-ttl" {
		t.Errorf("the next station is %s", next)
	}
	b.do(press(`.trips a[href$="/lost-update/"]`))
	b.until(`location.pathname.endsWith('/lessons/lost-update/') && ` + revision + ` > 0`)
	if at := eval[string](b, whereOnWay); at != "One hour side trip" {
		t.Errorf("the bar says %q of a side trip", at)
	}
	b.toItsEnd()
	leads("a side trip", "/lessons/no-ttl/")
	if says := b.text("#onward") + ": " + b.text("#f-lead .next p"); says != "Back to “One hour”: A lock without a TTL" {
		t.Errorf("of where a side trip leads it says %q", says)
	}

	b.do(press(".lessons-btn"), press(`#lessons > ol a[href$="/lessons/lost-update/"]`))
	b.until(revision + ` > 0 && ` + whereOnWay + `.startsWith('Lesson ')`)
	b.toItsEnd()
	leads("a lesson of the list", "/lessons/stock-cas/")
}

// A way for some readers ends where ways are chosen, and not in the lesson that is next in the list of all.
func TestAReadersWayEndsAtTheWays(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.do(chromedp.Navigate(serve(t).url + "/en/"))
	b.do(press(`details:has(> ol[data-way="redisson"]) > summary`), press(`ol[data-way="redisson"] li:last-child a`))
	b.until(`location.pathname.endsWith('/lessons/same-name/') && ` + revision + ` > 0`)
	b.toItsEnd()
	if to := eval[string](b, `document.querySelector('#onward').getAttribute('href')`); !strings.HasSuffix(to, "/en/#readers") {
		t.Errorf("the last station leads to %s", to)
	}
	if says := b.text("#f-lead .next p"); says != "This way ends here" {
		t.Errorf("it says %q", says)
	}
}

// The last lesson of all leads home, and as a side trip back to the way.
func TestTheLastLessonLeadsOn(t *testing.T) {
	t.Parallel()
	b := open(t)
	all := catalog(t)
	home := serve(t).url + "/en/"
	last := home + "lessons/" + all[len(all)-1].Name + "/"
	for _, tt := range []struct{ way, says, to string }{{"", "All lessons", "/en/"}, {"redisson", "Back to “I use Redisson”", "/lessons/compare-and-delete/"}} {
		b.do(chromedp.Navigate(home))
		eval[bool](b, `localStorage.setItem('lockstep-way', '`+tt.way+`') ?? true`)
		b.visit(last)
		b.toItsEnd()
		if got := eval[string](b, `(go => go.textContent.trim() + ' ' + go.pathname)(document.querySelector('#onward'))`); !strings.HasPrefix(got, tt.says) || !strings.HasSuffix(got, tt.to) {
			t.Errorf("on the way %q it leads to %s, want %s, %s", tt.way, got, tt.says, tt.to)
		}
	}
}

// The last station leads to the table that says which lock is for what.
func TestTheHourEndsInATable(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.first(`localStorage.setItem('lockstep-way', 'one-hour')`)
	home := serve(t).url + "/zh/"
	b.do(chromedp.Navigate(home))
	last := eval[string](b, `[...document.querySelectorAll('.stop')].at(-1).dataset.lesson`)
	b.visit(home + "lessons/" + last + "/")
	b.toItsEnd()
	b.until(`!('rest' in document.body.dataset)`)
	b.do(press("#onward"))
	b.until(`location.pathname === '/zh/compare/' && location.hash === '#which' && document.querySelectorAll('#which tbody tr').length >= 10`)
}

// The search needs no mouse: a key leads to it, arrows lead through what it finds, and its count is read out.
func TestTheSearchByKeyboard(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.first(steady)
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(serve(t).url+"/en/"))
	b.until(`!document.querySelector('#find').disabled`)
	b.do(chromedp.KeyEvent("/"))
	b.do(chromedp.KeyEvent("看门狗"))
	if count := b.text("#found-count"); !strings.Contains(count, "found") {
		t.Errorf("it says %q", count)
	}
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	if !eval[bool](b, `document.activeElement === document.querySelector('#found a') && /watchdog/.test(document.activeElement.textContent)`) {
		t.Errorf("the arrows lead to %s", eval[string](b, `document.activeElement.outerHTML`))
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	if !eval[bool](b, `document.activeElement.id === 'find' && document.querySelector('#found').hidden && document.querySelector('#find').value === ''`) {
		t.Error("Escape does not clear the search")
	}
	b.do(chromedp.KeyEvent("zzzz"))
	if count := b.text("#found-count"); !strings.HasPrefix(count, "Nothing is found.") {
		t.Errorf("of nothing it says %q", count)
	}
	eval[bool](b, `document.querySelector('#find').select() ?? true`)
	b.do(chromedp.KeyEvent("nobody get it"), chromedp.KeyEvent(kb.Enter))
	b.until(`location.pathname.endsWith('/lessons/missed-message/') && ` + revision + ` > 0`)
	b.at("8 / 8")
}
