package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lineKey presses Shift and an arrow, which walks through the lines of a step.
func (b *tab) lineKey(arrow string) {
	b.t.Helper()
	b.key(arrow, chromedp.KeyModifiers(chromedp.ModifierShift))
}

// toR3 plays the fair lock until R3 has got it.
func (b *tab) toR3() {
	b.t.Helper()
	for !strings.Contains(b.text("#f-now"), "R3 is inside right now") {
		b.click(forward)
	}
}

// lines is what the page shows of each line that the step ran, and where it said
// to be.
func (b *tab) lines(arrow string) (states []map[string]string) {
	b.t.Helper()
	for b.lineKey(arrow); b.exists("#line-scrub"); b.lineKey(arrow) {
		state := b.shown()
		state["place"] = eval[string](b, `document.querySelector('#line-scrub').getAttribute('aria-valuetext')`)
		state["source"] = b.texts("#f-script .at, #f-program .at")
		states = append(states, state)
		if arrow == kb.ArrowLeft && b.exists("#line-back:disabled") {
			break
		}
	}
	return states
}

// walkLines walks through the script with which R3 gets the fair lock, there and
// back, and returns what the page showed on the way.
func walkLines(t *testing.T, url string) []map[string]string {
	t.Helper()
	b := open(t)
	b.visit(url)
	b.toR3()
	outside := b.shown()
	there := b.lines(kb.ArrowRight)
	for id, text := range b.shown() {
		if text != outside[id] {
			t.Errorf("after the last line %s shows\n%s\nwas\n%s", id, text, outside[id])
		}
	}
	back := b.lines(kb.ArrowLeft)
	if len(there) != len(back) {
		t.Fatalf("%d lines forward, %d back", len(there), len(back))
	}
	for i := range there {
		for id, text := range there[i] {
			if got := back[len(back)-1-i][id]; got != text {
				t.Errorf("line %d, %s on the way back:\n%s\non the way there:\n%s", i+1, id, got, text)
			}
		}
	}
	return there
}

func TestTheFairLocksLinesLookTheSameOnAllEngines(t *testing.T) {
	a := serve(t)
	inMemory := walkLines(t, a.url+"/en/lessons/fair-lock/")
	if len(inMemory) < 20 {
		t.Fatalf("only %d lines", len(inMemory))
	}
	for _, engine := range []string{"redis", "browser"} {
		other := walkLines(t, a.url+"/en/lessons/fair-lock/?e="+engine)
		if len(other) != len(inMemory) {
			t.Fatalf("%d lines on the server, with the engine %s %d", len(inMemory), engine, len(other))
		}
		for n := range inMemory {
			for id, want := range inMemory[n] {
				if got := other[n][id]; got != want {
					t.Errorf("engine %s, line %d, %s:\n%s\non the server:\n%s", engine, n+1, id, got, want)
				}
			}
		}
	}
	all := ""
	for n := range inMemory {
		if want := fmt.Sprintf(", %d of %d", n+1, len(inMemory)); !strings.HasSuffix(inMemory[n]["place"], want) {
			t.Errorf("line %d says that it is %q", n+1, inMemory[n]["place"])
		}
		all += inMemory[n]["f-call"] + "\n"
	}
	for _, part := range []string{"pass 2", `lpop "redisson_lock_queue:{right}"`, "timeout", `zscore "redisson_lock_timeout:{right}"`, "firstThreadId2"} {
		if !strings.Contains(all, part) {
			t.Errorf("on no line there is %s", part)
		}
	}
}

func TestTheScriptIsWalkedWithTheMouse(t *testing.T) {
	a := serve(t)
	b := open(t)
	b.visit(a.url + "/en/lessons/fair-lock/")
	if b.exists("#line-toggle") {
		t.Error("a script can be opened before one ran")
	}
	b.toR3()
	b.click("#line-toggle")
	if !b.exists("#f-script .at") || !b.exists("#f-keys .inside-at") || !b.exists("#why-stilled") {
		t.Error("the page does not show that it is inside a script")
	}
	if eval[int](b, `document.querySelectorAll('#f-actors .run:not(:disabled), #f-clock button:not(:disabled), #f-faults button:not(:disabled)').length`) > 0 {
		t.Error("somebody can act while the script runs")
	}
	if said := b.text("#live"); !strings.HasPrefix(said, "line ") {
		t.Errorf("the live region says %q", said)
	}
	b.act(func() { // drag the small scrub bar
		eval[bool](b, `(() => { const s = document.querySelector('#line-scrub'); s.value = '9';
			s.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	})
	if place := b.text(".line-controls .num"); !strings.HasPrefix(place, "9 of ") {
		t.Errorf("the scrub bar leads to %s", place)
	}
	b.click("#line-back")
	if place := b.text(".line-controls .num"); !strings.HasPrefix(place, "8 of ") {
		t.Errorf("one line back is %s", place)
	}
	if !eval[bool](b, `(() => { const a = document.querySelector('#f-script').getBoundingClientRect(), l = document.querySelector('#f-script .at').getBoundingClientRect();
		return l.top >= a.top && l.bottom <= a.bottom })()`) {
		t.Error("the line is out of sight")
	}
	b.click("#line-toggle")
	if b.exists("#why-stilled") || b.exists("#f-script .at") {
		t.Error("the script is still open")
	}
	if focus := eval[string](b, `document.activeElement.id`); focus != "line-toggle" {
		t.Errorf("the focus is on %q", focus)
	}
}

func TestTheInsideOfAScriptIsAccessible(t *testing.T) {
	a := serve(t)
	for _, l := range []look{
		{"en-light", "en", "light", 1440, 900},
		{"zh-dark", "zh", "dark", 1440, 900},
		{"zh-phone", "zh", "light", 390, 844},
		{"en-phone-dark", "en", "dark", 390, 844},
	} {
		t.Run(l.name, func(t *testing.T) {
			b := open(t)
			b.look(a, l, "lessons/fair-lock/", 19)
			if l.width < 700 {
				b.do(chromedp.Click(chromedp.CSS(`.tabs [data-tab="script"]`)))
			}
			b.click("#line-toggle")
			for range 14 {
				b.lineKey(kb.ArrowRight)
			}
			b.write(l.name + "-inside.png")
			b.checkAxe()
		})
	}
}
