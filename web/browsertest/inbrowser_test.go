package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const inBrowser = lesson + "?e=browser"

// up is when the page is drawn by the player of an engine.
func up(engine string) string {
	return fmt.Sprintf(`document.body.dataset.engine === %q && document.documentElement.dataset.link === 'up'`, engine)
}

// same compares all parts of the page with what they were.
func (b *tab) same(was map[string]string, when string) {
	b.t.Helper()
	for id, text := range b.shown() {
		if text != was[id] {
			b.t.Errorf("%s %s shows\n%s\nwas\n%s", when, id, text, was[id])
		}
	}
}

func TestChangingPlacesKeepsThePlace(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + lesson)
	for range 3 {
		b.click(forward)
	}
	b.click(back)
	was := b.shown()
	for _, to := range []struct{ button, engine, address string }{
		{toBrowser, "browser", "e=browser"},
		{toRedis, "redis", "e=redis"},
		{toBrowser, "browser", "e=browser"},
		{embedded, "embedded", "p=2"},
	} {
		b.do(press(to.button))
		b.until(up(to.engine))
		b.at("2 / 3")
		b.same(was, "on "+to.engine)
		if pressed := b.exists(to.button + `[aria-pressed="true"]`); !pressed {
			t.Errorf("the switch does not stand at %s", to.engine)
		}
		if at := eval[string](b, "location.search"); !strings.Contains(at, to.address) || to.engine == "embedded" && strings.Contains(at, "e=") {
			t.Errorf("on %s the address has %s", to.engine, at)
		}
		b.click(forward)
		b.at("3 / 3")
		b.click(back)
	}
}

// watched lets a test see the workers that a page starts.
const watched = `window.workers = []; { const Own = Worker;
	window.Worker = class extends Own { constructor(...args) { super(...args); workers.push(this); } } }`

func TestAWorkerThatDoesNotAnswerIsReplaced(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.first(watched)
	b.visit(a.url + inBrowser)
	for range 3 {
		b.click(forward)
	}
	b.click(back)
	was := b.shown()
	eval[bool](b, "workers[0].terminate(), true")
	b.until("workers.length === 2 && " + up("browser"))
	b.at("2 / 3")
	b.same(was, "after the worker was replaced")
	if b.exists("#restarted[hidden]") {
		t.Error("the page does not say that the engine was started again")
	}
	b.click(forward)
	b.at("3 / 3")
}

func TestAWorkerWhoseProgramEndsIsReplacedAtOnce(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.first(watched)
	b.visit(a.url + inBrowser)
	b.click(forward)
	eval[bool](b, "workers[0].onmessage({data: {over: 'out of memory'}}), true")
	b.until("workers.length === 2 && " + up("browser"))
	b.at("1 / 1")
	b.click(forward)
	b.at("2 / 2")
}

func TestStepsThatCannotBeLoadedAreLeftWithAWayBack(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	// The first two workers end as soon as they have a lesson to load.
	b.first(watched + `;{ const Seen = Worker; window.Worker = class extends Seen {
		postMessage(m) { typeof m === 'string' && m.includes('"schedule":"v1.') ? this.onmessage({data: {over: 'too much'}}) : super.postMessage(m) } } }`)
	b.visit(a.url + inBrowser + "&s=v1.00000000.A.B&p=2")
	b.at("0 / 0")
	if back := eval[string](b, "document.querySelector('#afresh:not([hidden]) a').search"); !strings.Contains(back, "s=v1.00000000.A.B") {
		t.Errorf("the way back is %q", back)
	}
	b.click(forward)
	b.at("1 / 1")
}

func TestABrowserWithoutWebAssemblyGoesOnOnTheServer(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.first("delete window.WebAssembly")
	b.visit(a.url + inBrowser)
	if why := b.text("#not-started:not([hidden]) p"); !strings.Contains(why, "WebAssembly") {
		t.Errorf("the page says %q", why)
	}
	b.click(forward)
	b.at("1 / 1")
	b.do(press("#not-started button"), press(toBrowser))
	b.until(`!document.querySelector('#not-started').hidden`)
	b.click(forward)
	b.at("2 / 2")
}

func TestWhatIsClickedWhileThePlayerStartsIsDone(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	// A slow network, as far as the module goes.
	b.first(`{ const own = fetch; window.go = null; const gate = new Promise(open => { window.go = open });
		window.fetch = async (...args) => { await gate; return own(...args) } }`)
	b.do(chromedp.Navigate(a.url + inBrowser))
	b.until(`document.documentElement.dataset.link === 'loading'`)
	if text := b.text("#f-story"); text == "" {
		t.Error("there is nothing to read while the player starts")
	}
	b.do(press(forward), press(forward))
	eval[bool](b, "go(), true")
	b.until(up("browser") + ` && document.querySelector('#f-place .num').textContent.startsWith('2 ')`)
	b.at("2 / 2")
}
