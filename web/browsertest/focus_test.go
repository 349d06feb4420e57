package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A button that goes off while it has the focus leaves it beside itself, where Enter makes no other move.
func TestTheFocusStaysWhereAButtonWentOff(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.click(forward)
	b.click(back)
	b.until(`document.activeElement.id === 'f-transport'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.at("0 / 1")
	b.click(choice("run A"))
	for range 9 {
		if b.exists(`#f-clock [data-key="t"]:disabled`) {
			break
		}
		b.click(`#f-clock [data-key="t"]`)
	}
	b.until(`document.activeElement.id === 'f-clock'`)
}

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
