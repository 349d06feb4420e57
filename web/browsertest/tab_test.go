package browsertest

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a browser tab with storage of its own. What its page reports as an error
// fails the test.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	errors   []string
	expected *regexp.Regexp // errors that the test provokes
}

// open opens a tab whose page is laid out and never drawn: it gets no animation frames,
// and no news of sizes, of what is in sight, or of what the screen is like.
func open(t testing.TB) *tab {
	t.Helper()
	if *screenshots != "" {
		return onScreen(t)
	}
	b := openIn(browser, t)
	b.forgetful()
	return b
}

// onScreen opens a tab whose page is drawn, for what waits for that: the strip, the
// editors, and what learners do at the keyboard.
func onScreen(t testing.TB) *tab {
	t.Helper()
	b := openIn(screen, t)
	b.forgetful()
	return b
}

// offline opens a tab that keeps a site of files for when there is no network.
func offline(t testing.TB) *tab {
	t.Helper()
	return openIn(screen, t)
}

// forgetful has the tab keep no site: to fetch all its pages costs more than most tests.
func (b *tab) forgetful() {
	b.t.Helper()
	if _, measures := b.t.(*testing.B); !measures {
		b.first(`delete Navigator.prototype.serviceWorker`)
	}
}

// opensOn has each lesson open on the story alone, or on all that one can do; empty: as everybody finds it.
func (b *tab) opensOn(mode string) {
	b.t.Helper()
	b.first(`try {
		const lesson = location.pathname.split('/').at(-2);
		if (!sessionStorage.getItem('opened-` + mode + ` ' + lesson)) sessionStorage.setItem('lockstep-mode ' + lesson, '` + mode + `');
		sessionStorage.setItem('opened-` + mode + ` ' + lesson, 'yes');
	} catch { /* a page of no server */ }`)
}

func openIn(tabs context.Context, t testing.TB) *tab {
	t.Helper()
	if err := openSources(); err != nil {
		t.Fatal(err)
	}
	ctx, closeTab := chromedp.NewContext(tabs, chromedp.WithNewBrowserContext())
	// chromedp reads what a tab says until the context of the tab's first use ends, and all
	// tabs wait while one says much that nobody reads: this one reads until it is closed.
	reading, stopReading := context.WithCancel(context.WithoutCancel(ctx))
	ctx, stop := context.WithDeadline(ctx, lastMoment(t))
	b := &tab{t: t, ctx: ctx}
	defer b.opensOn("lab")
	if err := chromedp.Listen(reading, b.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		closeTab()
		stopReading()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, e := range b.errors {
			if b.expected == nil || !b.expected.MatchString(e) {
				t.Errorf("the page reported: %s", e)
			}
		}
	})
	// Of all tabs, each believes that it is the one in front.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	if _, measures := t.(*testing.B); measures {
		return b
	}
	// Nothing is played ahead on one processor; it would not help a player that is never compiled again.
	if _, err := chromedp.Call(ctx, emulation.SetHardwareConcurrencyOverride, emulation.SetHardwareConcurrencyOverrideParams{HardwareConcurrency: 1}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		b.errors = append(b.errors, "exception: "+text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			var parts []string
			for _, a := range e.Args {
				parts = append(parts, string(a.Value)+a.Description)
			}
			b.errors = append(b.errors, "console."+string(e.Type)+": "+strings.Join(parts, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			b.errors = append(b.errors, fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

func (b *tab) expect(pattern string) { b.expected = regexp.MustCompile(pattern) }

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval runs JavaScript in the page.
func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// lastMoment is when a test gives up: how busy the machine is does not matter, but there must be
// time to say what did not come before the timeout of go test ends all.
func lastMoment(t testing.TB) time.Time {
	if test, ok := t.(*testing.T); ok {
		if end, ok := test.Deadline(); ok {
			return end.Add(-time.Minute)
		}
	}
	return time.Now().Add(time.Hour)
}

// until waits for a JavaScript expression to be true, also in the page that a
// navigation leads to.
func (b *tab) until(js string) {
	b.t.Helper()
	// A moment of the tab's time is left to tell what the page shows.
	limit := func() time.Duration { return time.Until(lastMoment(b.t)) * 9 / 10 }
	if _, err := chromedp.Run(b.ctx, func(ctx context.Context, target *chromedp.Target) (bool, error) {
		return poll[bool](ctx, target, "Boolean("+js+")", limit)
	}); err != nil {
		b.t.Fatalf("waiting for %s: %v; the page shows %s", js, err, eval[string](b, "document.body.innerText.slice(0, 3000)"))
	}
}

// visit opens a lesson's page and waits for its first frame.
func (b *tab) visit(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.until(revision + " > 0")
}

// revision is the number of the frame that the page has drawn last.
const revision = `Number(document.querySelector('[data-rev]')?.dataset.rev ?? 0)`

// first runs a script in each document before its own scripts.
func (b *tab) first(script string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return chromedp.Void{}, err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// act does something and waits until the page has drawn what came of it: a frame of something else may come first.
func (b *tab) act(do func()) {
	b.t.Helper()
	was := eval[int](b, revision)
	do()
	b.until(fmt.Sprintf("%s > %d && (document.body.settled?.() ?? true)", revision, was))
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.uncover(selector)
	b.act(func() { b.do(press(selector)) })
}

// uncover scrolls as somebody does who wants to click on what the story covers on a phone.
func (b *tab) uncover(selector string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q), r = e?.getBoundingClientRect();
		if (r && !e.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2))) e.scrollIntoView({ block: 'center', behavior: 'instant' });
		return true;
	})()`, selector))
}

func (b *tab) key(keys string, options ...chromedp.KeyOption) {
	b.t.Helper()
	b.act(func() { b.do(chromedp.KeyEvent(keys, options...)) })
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector(%q).textContent.replace(/\s+/g, ' ').trim()`, selector))
}

// texts are those of all elements that a selector finds.
func (b *tab) texts(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.textContent.replace(/\s+/g, ' ').trim()).join(', ')`, selector))
}

func (b *tab) exists(selector string) bool {
	b.t.Helper()
	return eval[bool](b, fmt.Sprintf(`document.querySelector(%q) !== null`, selector))
}

// emulate sets how large the screen is, and what its user prefers: no motion, so
// that what is there is seen at once.
func (b *tab) emulate(l look) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(l.width, l.height))
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: l.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
			},
		})
		return chromedp.Void{}, err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// Parts of the page that tests use.
const (
	forward   = `#f-transport [data-op="step"][data-arg*=":1"]`
	back      = `#f-transport [data-op="step"][data-arg*="-1"]`
	first     = `#f-transport [data-op="seek"][data-key="Home"]`
	last      = `#f-transport [data-op="seek"][data-key="End"]`
	toRedis   = `#f-engine [data-arg*="redis"]`
	toBrowser = `#f-engine [data-arg*="browser"]`
	embedded  = `#f-engine [data-arg*="embedded"]`
)

// fault opens the menu of what it happens to, and chooses it there.
func (b *tab) fault(text string) {
	b.t.Helper()
	menu := eval[string](b, fmt.Sprintf(`document.querySelector(%q).closest('.fault-menu').id`, choice(text)))
	b.do(press(`[popovertarget="` + menu + `"].bolt`))
	b.click(choice(text))
}

func choice(text string) string { return fmt.Sprintf(`[data-op="choose"][data-arg*='"%s"']`, text) }

// shown is all that a page says about the world, part by part. The engine's name, the
// notices and the branches, beside which other engines are offered, are about the session.
func (b *tab) shown() map[string]string {
	b.t.Helper()
	return eval[map[string]string](b, `Object.fromEntries([...document.querySelectorAll('[id^="f-"]')]
		.filter(e => !['f-engine', 'f-notice', 'f-branches'].includes(e.id))
		.map(e => {
			const part = e.cloneNode(true);
			if (e.id === 'f-keys') part.querySelector('.panel-head').remove(); // names the engine
			return [e.id, part.textContent.replace(/\s+/g, ' ').trim()];
		}))`)
}

// place is "3 / 7".
func (b *tab) place() string {
	b.t.Helper()
	return b.text("#f-place .num")
}

// at waits until the page is at a place: a frame of something else may come first.
func (b *tab) at(want string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector('#f-place .num').textContent.replace(/\\s+/g, ' ').trim() === %q`, want))
}
