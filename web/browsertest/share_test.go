package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// keepsFiles keeps what the page offers as files in window.saved, by name.
const keepsFiles = `window.saved = {}; const made = new Map();
	const make = URL.createObjectURL; URL.createObjectURL = (blob) => { const at = make(blob); made.set(at, blob); return at; };
	HTMLAnchorElement.prototype.click = function () { window.saved[this.download] = made.get(this.href); };`

func TestATimelineIsSavedInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, home := range []string{serve(t).url + "/", exported(t, false).home} {
		b := open(t)
		b.first(keepsFiles)
		b.visit(home + "en/lessons/set-nx/")
		b.click("#go")
		for format, want := range map[string]struct{ file, begins string }{
			"svg":  {"set-nx.svg", "<svg xmlns="},
			"png":  {"set-nx.png", "\x89PNG"},
			"text": {"set-nx.txt", "start  t="},
			"json": {"set-nx.json", "{\n  \"steps\": [\n"},
		} {
			b.do(press(`[popovertarget="share-menu"]`), press(`[data-format="`+format+`"]`))
			b.until(fmt.Sprintf(`window.saved[%q]`, want.file))
			got := eval[string](b, fmt.Sprintf(`window.saved[%q].slice(0, 400).arrayBuffer().then(d => [...new Uint8Array(d)].map(c => String.fromCharCode(c)).join(''))`, want.file))
			if format == "png" {
				want.begins = "\u0089PNG"
			}
			if !strings.HasPrefix(got, want.begins) {
				t.Errorf("%s begins with %q", want.file, got)
			}
		}
	}
}

func TestALessonPlaysInAFrameOfAnotherPage(t *testing.T) {
	t.Parallel()
	for _, home := range []string{serve(t).url + "/", exported(t, false).home} {
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `<!DOCTYPE html><link rel="icon" href="data:,"><iframe src="%sembed/en/set-nx/?s=v1.00000000.A&amp;p=1" width="900" height="600"></iframe>`, home)
		}))
		t.Cleanup(other.Close)
		b := open(t)
		b.do(chromedp.Navigate(other.URL))
		b.until(`document.querySelector('iframe')`)
		// The frame is of another origin, so it is looked at by itself.
		inside := open(t)
		inside.visit(home + "embed/en/set-nx/?s=v1.00000000.A&p=1")
		inside.at("1 / 1")
		if view := eval[string](inside, `document.documentElement.dataset.view`); view != "embed" || inside.exists(`[data-ui="author"]`) {
			t.Errorf("it is looked at as %q, or lessons can be written in it", view)
		}
		inside.click("#go")
		inside.at("2 / 2")
		if !strings.HasSuffix(eval[string](inside, `document.querySelector('a.embed-only').pathname`), "/en/lessons/set-nx/") {
			t.Error("it does not lead to the lesson")
		}
		for _, width := range []int64{600, 740, 800, 1100} {
			inside.emulate(look{"frame", width, 640, "light", false})
			seen := eval[struct{ Timeline, Keys, Scrubber, Dock float64 }](inside, `(() => {
				const box = (selector) => document.querySelector(selector).getBoundingClientRect();
				const go = box('#go'), dock = document.elementFromPoint(go.right - 4, go.top + 4);
				return { timeline: box('.col-timeline > .scroll').height, keys: Math.max(...[...document.querySelectorAll('#f-timeline .label.value')].map((e) => e.getBoundingClientRect().height)), scrubber: box('#f-scrub').width, dock: dock?.closest('#go') ? 1 : 0 };
			})()`)
			if seen.Timeline < 90 || seen.Keys == 0 || seen.Dock == 0 || width > 768 && seen.Scrubber < 150 {
				t.Errorf("in a frame %d pixels wide there is too little: %+v", width, seen)
			}
			inside.write(fmt.Sprintf("embed-%d.png", width))
		}
	}
}

func TestARemoteControlPresentsALesson(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.emulate(look{"stage", 1920, 1080, "light", false})
	b.visit(a.url + "/en/lessons/set-nx/")
	b.do(chromedp.KeyEvent("p"))
	b.until(`document.documentElement.dataset.view === 'present' && new URLSearchParams(location.search).get('view') === 'present'`)
	for step := 1; step <= 4; step++ {
		b.key(kb.PageDown)
		b.goesOn(step) // a question is answered by the next key
	}
	at := b.place()
	b.key(kb.PageUp)
	if b.place() == at {
		t.Errorf("it is still at %s", at)
	}
	b.key(kb.ArrowRight)
	b.do(chromedp.KeyEvent("."))
	b.until(`getComputedStyle(document.body).visibility === 'hidden'`)
	at = b.place()
	b.do(chromedp.KeyEvent(kb.PageDown)) // brings the light back, and no more
	b.until(`getComputedStyle(document.body).visibility === 'visible'`)
	if now := b.place(); now != at {
		t.Errorf("it went from %s to %s in the dark", at, now)
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.documentElement.dataset.view === undefined && !location.search.includes('view')`)
	if !b.exists("#go:focus") {
		t.Error("the focus is not where the story goes on")
	}
}
