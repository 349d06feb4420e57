package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The table of steps is hidden beside the diagram, and its buttons are not: who tabs to one sees it.
func TestWhoTabsThroughTheStepsSeesThem(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{width: 1280, height: 720})
	b.play(serve(t).url+"/en/lessons/oversell/", 4)
	steps := 0
	for range 40 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if !eval[bool](b, `document.activeElement.closest('#f-log') != null`) {
			continue
		}
		steps++
		if !eval[bool](b, `(() => {
			const e = document.activeElement, r = e.getBoundingClientRect();
			return e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
		})()`) {
			t.Fatalf("step %d of the table has the focus, and nobody sees it", steps)
		}
	}
	if steps == 0 {
		t.Error("Tab came to no step of the table")
	}
}
