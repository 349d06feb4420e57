package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

// lineKey presses Shift and an arrow, which walks through the lines of a step.
func (b *tab) lineKey(arrow string) {
	b.t.Helper()
	b.key(arrow, chromedp.KeyModifiers(chromedp.ModifierShift))
}

// toC plays the fair lock until C has got it, whose script removes a head of the queue first.
func (b *tab) toC() {
	b.t.Helper()
	for !strings.Contains(b.text("#f-now"), "C entered stock") {
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

func TestTheFairLocksLinesLookTheSameOnAllEngines(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + "/en/lessons/fair-lock/")
	b.toC()
	outside := b.shown()
	there := b.lines(kb.ArrowRight)
	b.same(outside, "after the last line")
	if len(there) < 20 {
		t.Fatalf("only %d lines", len(there))
	}
	back := b.lines(kb.ArrowLeft)
	slices.Reverse(back)
	alike(t, back, there)
	all := ""
	for n := range there {
		if want := fmt.Sprintf(", %d of %d", n+1, len(there)); !strings.HasSuffix(there[n]["place"], want) {
			t.Errorf("line %d says that it is %q", n+1, there[n]["place"])
		}
		all += there[n]["f-call"] + "\n"
	}
	for _, part := range []string{"pass 2", `lpop "redisson_lock_queue:{stock}"`, "timeout", `zscore "redisson_lock_timeout:{stock}"`, "firstThreadId2"} {
		if !strings.Contains(all, part) {
			t.Errorf("on no line there is %s", part)
		}
	}
	for _, engine := range sample.Sample(t, []string{"redis", "browser"}, sample.PlacesTried) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.visit(a.url + "/en/lessons/fair-lock/?e=" + engine)
			b.toC()
			alike(t, b.lines(kb.ArrowRight), there)
		})
	}
}

func TestTheScriptIsWalkedWithTheMouse(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + "/en/lessons/fair-lock/")
	if b.exists("#line-toggle") {
		t.Error("a script can be opened before one ran")
	}
	b.toC()
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
	if !eval[bool](b, `(() => { const a = document.querySelector(".on-server .source").getBoundingClientRect(), l = document.querySelector('#f-script .at').getBoundingClientRect();
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
	b.emulate(look{width: 1280, height: 720})
	const head = `document.querySelector('.code-head').offsetHeight`
	high := eval[int](b, head)
	for b.exists("#line-toggle") {
		b.click(back)
	}
	if got := eval[int](b, head); high == 0 || got != high {
		t.Errorf("code begins %d px below its head where a script can be opened, and %d px where none ran", high, got)
	}
}

func TestTheInsideOfAScriptIsAccessible(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(looks[0])
	b.play(serve(t).url+"/zh/lessons/fair-lock/", 22)
	b.click("#line-toggle")
	for range 14 {
		b.lineKey(kb.ArrowRight)
	}
	b.isAccessible("zh", "inside", press(`.tabs [data-tab="script"]`))
}

// Below its arrow a script is walked, too, at the end of a long diagram and on a phone: its arrow and its line stay in sight.
func TestAScriptBelowItsArrowStaysInSight(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.visit(serve(t).url + "/en/lessons/fair-lock/")
	b.toC()
	for _, screen := range []look{{name: "laptop", width: 1280, height: 720}, {name: "phone", width: 390, height: 844}} {
		b.emulate(screen)
		b.act(func() {
			eval[bool](b, `document.querySelector('.look').dispatchEvent(new MouseEvent('click', { bubbles: true }))`)
		})
		for n := range 20 {
			b.inSight(fmt.Sprintf("%s, line %d", screen.name, n+1), ".unfolded .now-at", ".unfolded .lua")
			b.inSight(screen.name, ".unfolded .row", "[data-follow]")
			b.inSight(screen.name, ".unfolded .lua", "[data-follow]")
			b.click(".unfolded .row > :nth-child(2)")
		}
		b.click(".unfolded .row > :last-child")
		if b.exists(".unfolded .lua") {
			t.Errorf("%s: the script is still open", screen.name)
		}
	}
}
