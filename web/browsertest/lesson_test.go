package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

const lesson = "/en/lessons/redisson-lock/"

// walk plays a lesson from start to end by clicking, and returns what the page
// showed after each step.
func walk(t *testing.T, url string) []map[string]string {
	t.Helper()
	b := open(t)
	b.visit(url)
	states := []map[string]string{b.shown()}
	bar := eval[string](b, `JSON.stringify(document.querySelector('.transport').getBoundingClientRect())`)
	for !b.exists(forward + ":disabled") {
		b.click(forward)
		states = append(states, b.shown())
		b.at(fmt.Sprintf("%d / %d", len(states)-1, len(states)-1))
		if now := eval[string](b, `JSON.stringify(document.querySelector('.transport').getBoundingClientRect())`); now != bar {
			t.Fatalf("step %d moved the transport bar from %s to %s", len(states)-1, bar, now)
		}
	}
	if !b.exists("#f-story .done") {
		t.Errorf("after %d steps the story is not at its end: %s", len(states)-1, b.text("#f-story"))
	}
	return states
}

func TestRedissonsLockLooksTheSameOnEveryEngine(t *testing.T) {
	t.Parallel()
	a := serve(t)
	inMemory := walk(t, a.url+lesson)
	if len(inMemory) < 10 {
		t.Fatalf("only %d steps", len(inMemory)-1)
	}
	for _, engine := range sample.Sample(t, []string{"redis", "browser"}, sample.PlacesTried) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			alike(t, walk(t, a.url+lesson+"?e="+engine), inMemory)
		})
	}
}

// alike compares what a page showed after each step with what another one did.
func alike(t *testing.T, got, want []map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d steps, want %d", len(got)-1, len(want)-1)
	}
	for n := range want {
		for id, text := range want[n] {
			if got[n][id] != text {
				t.Errorf("step %d, %s is\n%s\nwant\n%s", n, id, got[n][id], text)
			}
		}
	}
}

func TestStepBackSeekForkAndGhost(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + lesson)
	var states []map[string]string
	for range 4 {
		states = append(states, b.shown())
		b.click(forward)
	}
	b.at("4 / 4")
	for n := 3; n >= 0; n-- {
		b.click(back)
		b.at(fmt.Sprintf("%d / 4", n))
		if got, want := b.shown()["f-keys"], states[n]["f-keys"]; got != want {
			t.Errorf("back at step %d the keys are %s, were %s", n, got, want)
		}
	}
	b.click(last)
	b.at("4 / 4")
	b.click(first)
	b.at("0 / 4")
	if got := eval[string](b, `['story', 'lab'].map((mode) => {
		document.documentElement.dataset.mode = mode;
		return [...document.querySelectorAll('.when-badge.past')].filter((e) => e.checkVisibility()).length;
	}).join()`); got != "1,1" {
		t.Errorf("the past is labelled so often in the story and in the lab: %s", got)
	}

	b.act(func() { // drag the scrub bar
		eval[bool](b, `(() => { const s = document.querySelector('#f-scrub'); s.value = '2';
			s.dispatchEvent(new Event('input', {bubbles: true})); s.dispatchEvent(new Event('change', {bubbles: true})); return true })()`)
	})
	b.until(`document.querySelector('#f-place .num').textContent.startsWith('2 ')`)
	b.at("2 / 4")

	future := b.shown()["f-log"]
	b.click(choice("tick 1s"))
	b.at("3 / 3")
	if !b.exists(".ghost") || !b.exists("#f-story .off-story") {
		t.Error("the fork shows no ghost, or the story does not say that it was left")
	}
	b.click(".ghost")
	b.at("2 / 4")
	if now := b.shown()["f-log"]; now != future {
		t.Errorf("the old timeline came back as\n%s\nwas\n%s", now, future)
	}
	b.click(".ghost")
	b.at("3 / 3")
	b.click(`#f-lead [data-op="story"]`)
	b.at("2 / 2")
	b.startOver()
	b.at("0 / 0")
}

func TestAReloadKeepsThePlace(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + lesson)
	for range 3 {
		b.click(forward)
	}
	b.click(back)
	was := b.shown()
	b.do(chromedp.Reload())
	b.until(revision + " > 0")
	b.at("2 / 3")
	for id, text := range b.shown() {
		if text != was[id] {
			t.Errorf("after the reload %s shows\n%s\nwas\n%s", id, text, was[id])
		}
	}
}

func TestADroppedConnectionComesBack(t *testing.T) {
	t.Parallel()
	a := serveOwn(t)
	b := open(t)
	b.expect("WebSocket connection|ERR_CONNECTION_REFUSED")
	b.visit(a.url + lesson)
	for range 3 {
		b.click(forward)
	}
	b.click(back)
	was := b.shown()
	a.stop()
	b.until(`document.documentElement.dataset.link === 'lost' && !document.querySelector('#lost').hidden`)
	a.startAgain()
	b.until(`document.documentElement.dataset.link === 'up' && document.querySelector('#lost').hidden`)
	b.at("2 / 3")
	for id, text := range b.shown() {
		if text != was[id] {
			t.Errorf("after the connection came back %s shows\n%s\nwas\n%s", id, text, was[id])
		}
	}
	b.click(forward)
	b.at("3 / 3")
}

func TestTwoTabsAreTwoSessions(t *testing.T) {
	t.Parallel()
	a := serve(t)
	one, two := open(t), open(t)
	one.visit(a.url + lesson)
	two.visit(a.url + lesson)
	one.click(forward)
	one.click(forward)
	two.click(forward)
	one.click(forward)
	one.at("3 / 3")
	two.at("1 / 1")
}

func TestTheEngineSwitchSaysThatTheSameHappened(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + lesson)
	for range 3 {
		b.click(forward)
	}
	was := b.shown()
	b.click(toRedis)
	if !b.exists("#f-notice .notice-same") {
		t.Fatalf("the notice is %q", b.text("#f-notice"))
	}
	if got := b.text(`#f-engine [aria-pressed="true"]`); !strings.Contains(got, "redis 7") && !strings.Contains(got, "valkey 8") {
		t.Errorf("the engine is called %q", got)
	}
	for id, text := range b.shown() {
		if text != was[id] {
			t.Errorf("%s shows\n%s\non Redis, and in memory\n%s", id, text, was[id])
		}
	}
	b.click(forward)
	b.at("4 / 4")
	b.click(embedded)
	if !b.exists("#f-notice .notice-same") {
		t.Errorf("the notice is %q", b.text("#f-notice"))
	}
}

func TestTheLanguageSwitchKeepsThePlace(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + lesson)
	for range 3 {
		b.click(forward)
	}
	b.click(back)
	b.do(press(".topbar [data-keep-place]"))
	b.until(`document.documentElement.lang === 'zh-Hans' && ` + revision + ` > 0`)
	b.at("2 / 3")
	if title := b.text("h1"); !strings.ContainsFunc(title, func(r rune) bool { return r > 0x3000 }) {
		t.Errorf("the title is %q", title)
	}
	b.click(forward)
	b.at("3 / 3")
}

func TestTheKeyboardDrivesALesson(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + lesson)
	b.key(kb.ArrowRight)
	b.key(kb.ArrowRight)
	b.at("2 / 2")
	b.key(kb.ArrowLeft)
	b.at("1 / 2")
	b.key(kb.Home)
	b.at("0 / 2")
	b.key(kb.End)
	b.at("2 / 2")
	b.key("t")
	b.at("3 / 3")
	b.key(kb.Home)
	b.key("1")
	b.at("1 / 3")
	b.key(" ")
	b.until(`document.querySelector('#f-place .num').textContent.startsWith('3 ')`)
	b.key(kb.Home)
	b.key(kb.ArrowRight)
	b.key("f") // what came after becomes the ghost, and a choice has the focus
	b.at("1 / 1")
	if !b.exists(".ghost") || !b.exists("#f-actors .run:focus") {
		t.Error("F left no ghost, or the focus is not on a choice")
	}
}

func TestAPredictionIsGraded(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + "/en/lessons/set-nx/")
	for !b.exists("form.predict") {
		b.click(forward)
	}
	b.act(func() { b.do(press(`.option[value="yes"]`)) })
	if !b.exists("#f-story .grade.wrong") {
		t.Fatalf("the story says %s", b.text("#f-story"))
	}
	if b.text(".grade del") != "yes" || b.text(".grade ins") != "no" {
		t.Errorf("the grade is %q", b.text(".grade"))
	}
}

func TestAnUnknownLessonHasAPage(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.expect("404")
	b.do(chromedp.Navigate(a.url + "/zh/lessons/nothing/"))
	if got := b.text("main"); !strings.Contains(got, "nothing") || !strings.Contains(got, "404") {
		t.Errorf("the page says %q", got)
	}
	b.do(press("main a.btn"))
	b.until(`location.pathname === '/zh/' && document.querySelectorAll('a.lesson-card').length >= 6`)
}

func TestABadScheduleStartsTheLessonWithANotice(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	b.visit(a.url + lesson + "?s=v1.zzz.A.%3F")
	b.at("0 / 0")
	if !b.exists("#f-notice .notice-error") {
		t.Errorf("the notice is %q", b.text("#f-notice"))
	}
	b.click(forward)
	b.at("1 / 1")
}
