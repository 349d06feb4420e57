package browsertest

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const (
	mode = `document.documentElement.dataset.mode`
	// mostOffered is how many things there are to click at the start of a story.
	mostOffered = 21
	offered     = `[...document.querySelectorAll('a, button, select, input, summary')].filter((e) => e.checkVisibility()).length`
	leftAndTop  = `(() => { const r = document.querySelector('#go').getBoundingClientRect(); return [r.left, r.top] })()`
)

// While a story is told there is little to click; what one can do opens beside it, and the button that goes on
// stays in its place.
func TestTheStoryHasTheScreenUntilOneActs(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.opensOn("story")
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	if n := eval[int](b, offered); n > mostOffered {
		t.Errorf("there are %d things to click", n)
	}
	inSight := func(lab bool) {
		t.Helper()
		if got := eval[bool](b, `document.querySelector('.run').checkVisibility() && document.querySelector('#f-clock').checkVisibility()`); got != lab {
			t.Errorf("the choices are there: %t, in mode %s", got, eval[string](b, mode))
		}
	}
	inSight(false)
	b.click("#go")
	at := eval[[]float64](b, leftAndTop)
	b.click(".mode")
	inSight(true)
	if to := eval[[]float64](b, leftAndTop); math.Abs(at[0]-to[0]) > 1 || math.Abs(at[1]-to[1]) > 1 {
		t.Errorf("the button goes from %v to %v", at, to)
	}
	b.checkAxe("story")
	b.click(".mode")
	inSight(false)
	b.key("3") // C moves, which the story does not do
	inSight(true)
	b.click("#go")
	inSight(false)
	b.checkAxe("story")
}

// A key back leads a story to the sentence before, and in the lab to the move before.
func TestBackLeadsToTheSentenceBefore(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.opensOn("story")
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/stock-cas/")
	at := func() int { t.Helper(); return eval[int](b, `Number(document.body.dataset.pos)`) }
	was := 0
	for at() < was+3 { // until moves are made of which nothing is told
		was = at()
		b.click("#go")
		b.until(`document.querySelector('#f-transport [data-op="pause"]') === null`)
	}
	end := at()
	b.key(kb.ArrowLeft)
	if got := at(); got != was {
		t.Errorf("in the story one key leads from step %d to %d, not to %d", end, got, was)
	}
	b.click("#go")
	b.until(fmt.Sprintf(`Number(document.body.dataset.pos) === %d`, end))
	b.click(".mode")
	b.key(kb.ArrowLeft)
	if got := at(); got != end-1 {
		t.Errorf("in the lab one key leads from step %d to %d", end, got)
	}
}

// Each lesson begins with its story, and is found again as it was left, in the other language too.
func TestTheLabStaysOpenInItsLesson(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.opensOn("")
	b.emulate(desk)
	home := serve(t).url
	opens := func(page, on string) {
		t.Helper()
		b.visit(home + page)
		if got := eval[string](b, mode); got != on {
			t.Errorf("%s opens on %s", page, got)
		}
	}
	opens("/en/lessons/set-nx/", "story")
	b.click(".mode")
	opens("/en/lessons/redisson-lock/", "story")
	opens("/en/lessons/set-nx/", "lab")
	opens("/zh/lessons/set-nx/", "lab")
}

// A script opens from its arrow, and closes, while the story keeps the screen.
func TestAScriptOpensWithinTheStory(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.opensOn("story")
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/redisson-lock/")
	b.key(kb.Enter)
	const wide = `document.querySelector('.col-timeline').clientWidth`
	was := eval[int](b, wide)
	b.do(press(".look"))
	b.until(`document.querySelector('.unfolded .now-at')?.checkVisibility()`)
	if is := eval[string](b, mode); is != "story" || eval[int](b, wide) != was {
		t.Errorf("a script opens in the %s, and the diagram has %d pixels, not %d", is, eval[int](b, wide), was)
	}
	b.do(press(".unfolded .row > :last-child"))
	b.until(`document.querySelector('.unfolded') === null`)
	if is := eval[string](b, mode); is != "story" {
		t.Errorf("who leaves a script is in the %s", is)
	}
}
