package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/node/sample"
)

const (
	forksLesson = "en/lessons/redisson-lock/"
	kept        = `lockstep-branches:redisson-lock`
	timelines   = `document.querySelectorAll('#f-branches li').length`
)

// forks plays three steps and goes back to the second, after which jvm-2 crashes.
func (b *tab) forks(url string) {
	b.t.Helper()
	b.visit(url)
	for range 3 {
		b.click(forward)
	}
	b.click(back)
	b.fault("crash jvm-2")
	b.at("3 / 3")
}

// isBack waits for the branch of forks, and goes there and back again with a click each.
func (b *tab) isBack(here string) {
	b.t.Helper()
	b.until(timelines + ` === 2`)
	b.at(here)
	b.click(".ghost")
	b.at("2 / 3")
	b.click(".ghost")
	b.at(here)
}

// reload waits for the player, which has the branches: the page has them from nowhere else.
func (b *tab) reload() {
	b.t.Helper()
	b.do(chromedp.Reload())
	b.until(revision + " > 0")
}

// share presses the button, and returns what was copied.
func (b *tab) share() string {
	b.t.Helper()
	eval[bool](b, `(window.copied = '', navigator.clipboard.writeText = async (text) => { window.copied = text }, true)`)
	b.do(press(`[data-ui="share"]`))
	b.until(`window.copied || !document.querySelector('#failed').hidden`)
	return eval[string](b, `window.copied`)
}

// homes are where lessons are played in the same way: on a server, and as files.
var homes = []func(testing.TB) string{
	func(t testing.TB) string { return serve(t).url + "/" },
	func(t testing.TB) string { return exported(t, false).home },
}

func TestBranchesOutliveAReload(t *testing.T) {
	t.Parallel()
	for _, homeOf := range sample.Sample(t, homes, sample.PlacesTried) {
		home := homeOf(t)
		b := open(t)
		b.forks(home + forksLesson)
		eval[bool](b, fmt.Sprintf(`(localStorage.setItem(%q, '{"version":1,"timelines":[]}'), true)`, kept)) // as another tab does
		b.reload()
		b.isBack("3 / 3")
		b.do(press(`a[data-keep-place][hreflang]`))
		b.until(`document.body?.dataset.lang === 'zh' && ` + revision + ` > 0`)
		b.isBack("3 / 3")

		b.do(press(`[popovertarget="f-branches"]`))
		b.click(`#f-branches [data-op="drop"]`)
		b.reload()
		b.at("3 / 3")
		if b.exists(".ghost") || b.exists("#f-branches li") {
			t.Errorf("what was forgotten is there: %s", b.text("#f-branches"))
		}

		// Who opens the lesson from the list is at its start, one click away from what was left.
		b.visit(home + forksLesson)
		b.at("0 / 0")
		b.click(".ghost")
		b.at("3 / 3")
	}
}

func TestBranchesMoveToAnotherEngineAndOutliveAConnection(t *testing.T) {
	t.Parallel()
	c := plugged(t)
	b := open(t)
	b.expect("WebSocket connection|ERR_CONNECTION_REFUSED")
	b.forks(c.url + "/" + forksLesson)
	c.pull()
	b.until(`document.documentElement.dataset.link === 'lost'`)
	c.plugAgain()
	b.until(`document.documentElement.dataset.link === 'up'`)
	b.isBack("3 / 3")
	b.do(press(toBrowser))
	b.until(`document.body.dataset.engine === 'browser'`)
	b.isBack("3 / 3")
}

func TestALinkOfTwoTimelinesSideBySide(t *testing.T) {
	t.Parallel()
	for _, homeOf := range sample.Sample(t, homes, sample.PlacesTried) {
		home := homeOf(t)
		b := open(t)
		b.forks(home + forksLesson)
		b.do(press(`[popovertarget="f-branches"]`))
		b.click(`#f-branches [data-op="beside"][data-arg*="n"]`)
		seen := b.text("#f-beside")
		if !strings.Contains(seen, "they part at step 3") {
			t.Fatalf("side by side is %q", seen)
		}
		link := b.share()
		b.reload()
		b.until(`document.querySelector('#f-beside table')`)
		b.isBack("3 / 3")

		friend := open(t) // has nothing of this browser's
		friend.visit(link)
		friend.until(`document.querySelector('#f-beside table')`)
		if got := friend.text("#f-beside"); got != seen {
			t.Errorf("the link shows %q, want %q", got, seen)
		}
		friend.click(".ghost")
		friend.at("3 / 3")
		if now := friend.text("#f-beside"); !strings.Contains(now, "they part at step 3") || now == seen {
			t.Errorf("from the other side it shows %q", now)
		}
	}
}

// Two timelines are two diagrams, torn at one height, where each says what it does; on a phone one at a time.
func TestTwoTimelinesAreTornWhereTheyPart(t *testing.T) {
	t.Parallel()
	for _, l := range []look{desk, {"phone", 390, 844, "light", true}} {
		b := open(t)
		b.emulate(l)
		b.visit(serve(t).url + "/en/lessons/set-nx/?s=v1.0.A.B.@5s.B.@5s.B&b=v1.0.A.B.@5s.B.@5s.@2s")
		b.until(`document.querySelectorAll('.half .tear').length === 2`)
		if got := eval[string](b, `(() => {
			const tears = [...document.querySelectorAll('.half .tear')].map((e) => e.getBoundingClientRect());
			if (Math.abs(tears[0].top - tears[1].top) > 1) return 'the tears are at ' + tears.map((r) => r.top);
			if (document.querySelectorAll('.half .bar.clash').length !== 2 || document.querySelector('.half:last-child .bar.clash')) return 'who is inside together is not hatched, on the left alone';
			return [...document.querySelectorAll('.half .parts')].filter((e) => e.checkVisibility()).map((e) => e.textContent).join(' | ');
		})()`); got != "run B | +2 s" {
			t.Errorf("%s: %s", l.name, got)
		}
		b.isAccessible("en", "beside-"+l.name)
	}
	b := open(t)
	b.emulate(look{"laptop", 1280, 720, "light", false})
	b.visit(serve(t).url + "/en/lessons/set-nx/?s=v1.0.A.B.@5s.B.@5s.B.@2s.A.C&b=v1.0.A.@5s")
	b.until(`document.querySelectorAll('.half .tear').length === 2`)
	if !eval[bool](b, `(() => {
		const tear = document.querySelector('.half .tear').getBoundingClientRect(), seen = document.querySelector('.beside .scroll').getBoundingClientRect();
		return tear.top > seen.top + 50 && tear.bottom < seen.bottom;
	})()`) {
		t.Error("opened at the end of the one that is shown, they do not show where they part")
	}
}

func TestALinkThatTwoTimelinesDoNotFitIntoIsRefused(t *testing.T) {
	t.Parallel()
	b := open(t)
	long := strings.Repeat(".A.B", 220) // as far as it goes it is played: what counts is the length
	b.visit(serve(t).url + "/" + forksLesson + "?s=v1.0" + strings.Repeat(".@1s.@2s", 120) + "&b=v1.0" + strings.Repeat(".@2s.@1s", 120))
	b.until(`document.querySelector('#f-beside table')`)
	if link := b.share(); link != "" || !strings.Contains(b.text("#failed"), "too long for a link") {
		t.Errorf("copied was %q, and said %q", link, b.text("#failed"))
	}
	b.visit(serve(t).url + "/" + forksLesson + "?s=v1.0.A&b=v1.0" + long)
	b.until(`document.querySelector('#f-beside table')`)
}

func TestStoredGarbageIsSaidToBeGone(t *testing.T) {
	t.Parallel()
	type place struct{ engine, garbage string }
	var places []place
	for _, garbage := range []string{
		`hello`, `{"version":1,"timelines":[{"schedule":"v1.0.A.$","pos":1}]}`, `{"version":1,"timelines":[{"schedule":7}]}`, strings.Repeat("x", 1<<20),
	} {
		places = append(places, place{"", garbage}, place{"?e=browser", garbage})
	}
	for _, p := range sample.Sample(t, places, sample.PlacesTried) {
		b := open(t)
		b.visit(serve(t).url + "/" + forksLesson + p.engine)
		eval[bool](b, fmt.Sprintf(`(localStorage.setItem(%q, %q), true)`, kept, p.garbage))
		b.reload()
		b.until(`document.querySelector('#f-notice').textContent.includes('A branch of last time cannot be played any more')`)
		b.click(forward)
		b.at("1 / 1")
		b.reload()
		if said := b.text("#f-notice"); said != "" {
			t.Errorf("it is said again: %q", said)
		}
	}
}

func TestAddressesOfAnyKindOpenTheLesson(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, query := range []string{
		"?b=hello", "?b=v1.0.%00", "?b=v1.0.A*99999", "?b=oracle&y=%ff", "?s=v1.0.A&b=v1.0.B&y=AAAA", "?b=%3Cscript%3E", "?y=-&b=v1.0.B",
	} {
		b.visit(serve(t).url + "/" + forksLesson + query)
		b.until(`document.querySelector('#f-notice').textContent.includes('second timeline cannot be shown')`)
		if b.exists("#f-beside table") {
			t.Errorf("%s shows two timelines", query)
		}
		b.click(forward)
	}
}
