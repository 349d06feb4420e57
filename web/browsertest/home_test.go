package browsertest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lockstep/node/sample"
)

const (
	letBAsk   = `[data-move="asks"]`
	moveClock = `[data-move="waits"]`
	onceMore  = `[data-move="again"]`
	goOn      = `.strip-end a`

	collided = `document.querySelector('#strip').dataset.live === 'ended'`
	settled  = `!('fresh' in document.querySelector('#strip').dataset)`
	bothIn   = `getComputedStyle(document.querySelector('.frame.shown')).visibility === 'visible' && document.querySelector('.frame.shown .breach') !== null`
)

// steady keeps the strip from playing by itself.
const steady = `window.IntersectionObserver = class { observe() {} disconnect() {} };`

func TestOneActionLeadsToTheCollision(t *testing.T) {
	t.Parallel()
	type place struct{ name, lang, says string }
	for _, tt := range sample.Sample(t, []place{{"served", "en", "B gets the lock while A is still at work."}, {"as files", "zh", "B 拿到了锁，A 却还没干完。"}}, sample.PlacesTried) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := serve(t).url + "/"
			if tt.name == "as files" {
				home = exported(t, false).home
			}
			b := onScreen(t)
			b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(home+tt.lang+"/"))
			b.until(`document.querySelector('#strip').dataset.live === 'on'`)
			b.do(press(letBAsk))
			b.until(collided)
			if !eval[bool](b, bothIn) {
				t.Error("the overlap is not to be seen")
			}
			if says := b.text(".frame.shown .says"); !strings.HasPrefix(says, tt.says) {
				t.Errorf("it says %q", says)
			}
			b.until(settled)
			b.do(press(goOn))
			b.until(revision + ` > 0`)
			b.at("6 / 6")
			if !strings.Contains(eval[string](b, `location.pathname`), tt.lang+"/lessons/set-nx/") {
				t.Error("it leads elsewhere")
			}
			if !b.exists("#f-broken .violations, #f-broken *") {
				t.Error("the lesson does not stand at the collision")
			}
		})
	}
}

// The second click of a double one does not leave the picture that the first one brought about.
func TestADoubleClickStaysAtTheCollision(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.first(steady)
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(serve(t).url+"/en/"))
	b.until(`document.querySelector('#strip').dataset.live === 'on'`)
	b.do(press(moveClock), press(moveClock)) // the lease is over
	const click = `(selector) => {
		const r = document.querySelector(selector).getBoundingClientRect();
		const hit = () => document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
		const left = [];
		document.addEventListener('click', (e) => left.push(e.target.closest('a') !== null && !e.defaultPrevented));
		hit().click();
		hit().click();
		return left.some(Boolean);
	}`
	if eval[bool](b, `(`+click+`)('[data-move="asks"]')`) {
		t.Error("the second click leads into the lesson")
	}
	if !eval[bool](b, collided+" && "+bothIn) {
		t.Error("the overlap is not to be seen")
	}
	b.until(settled)
	b.do(press(goOn))
	b.until(revision + ` > 0`)
}

// Who waits sees the lease run out; nothing else happens until they act.
func TestTheLeaseRunsOutByItself(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(serve(t).url+"/en/"))
	b.until(`document.querySelector('.frame.shown .says')?.textContent.startsWith('The lease is over')`)
	if !b.exists(moveClock+`[aria-disabled="true"]`) || b.exists(letBAsk+`[aria-disabled="true"]`) {
		t.Error("then only B can go on")
	}
	b.do(press(letBAsk))
	if !eval[bool](b, collided+" && "+bothIn) {
		t.Error("B's asking does not collide at once")
	}
}

func TestTheCollisionByKeyboard(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.first(steady)
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(serve(t).url+"/en/"))
	b.until(`document.querySelector('#strip').dataset.live === 'on'`)
	tabTo := func(selector string) {
		t.Helper()
		for range 12 {
			if eval[bool](b, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
				return
			}
			b.do(chromedp.KeyEvent("\t"))
		}
		t.Fatalf("Tab does not come to %s", selector)
	}
	tabTo(moveClock)
	b.do(chromedp.KeyEvent("\r"), chromedp.KeyEvent("\r"))
	if left := b.text(".frame.shown .left"); left != "expired" {
		t.Errorf("after ten seconds the lease has %s", left)
	}
	if spoken := b.text("#live"); !strings.HasPrefix(spoken, "The lease is over") {
		t.Errorf("a screen reader hears %q", spoken)
	}
	b.do(chromedp.KeyEvent("\r")) // the clock does not move on
	eval[bool](b, `document.querySelector('[data-move="asks"]').focus(), true`)
	b.do(chromedp.KeyEvent(" "))
	b.until(collided)
	if !eval[bool](b, `document.activeElement.matches('.strip-end a')`) {
		t.Error("the focus is not on what comes next")
	}
	tabTo(onceMore)
	b.do(chromedp.KeyEvent("\r"))
	if !eval[bool](b, `document.activeElement.matches('[data-move="asks"]') && document.querySelector('#strip').dataset.live === 'on'`) {
		t.Error("it does not begin once more")
	}
}

// Where nothing should move, and without scripts, the strip is a picture of what it leads to.
func TestTheCollisionAsAPicture(t *testing.T) {
	t.Parallel()
	const pictured = `[...document.querySelectorAll('.frame, .strip-moves, .strip-end')].filter(e => getComputedStyle(e).visibility === 'visible').map(e => e.className).join(', ')`
	b := onScreen(t)
	b.emulate(looks[0])
	b.do(chromedp.Navigate(serve(t).url + "/en/"))
	b.until(`!document.querySelector('.progress-file').hidden`) // the client is there
	if got := eval[string](b, pictured); got != "frame last, strip-end" {
		t.Errorf("with reduced motion it shows %s", got)
	}
	b.do(press(onceMore), press(moveClock), press(moveClock), press(letBAsk))
	if !eval[bool](b, collided) {
		t.Error("it cannot be stepped through")
	}

	b = onScreen(t)
	if _, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(serve(t).url + "/en/"))
	if got := eval[string](b, pictured); got != "frame last, strip-end" {
		t.Errorf("without scripts it shows %s", got)
	}
	if eval[bool](b, `document.querySelector('[data-move="again"]').checkVisibility()`) {
		t.Error("without scripts there is a button that does nothing")
	}
}

func TestTheHomePageFitsNarrowScreens(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.do(chromedp.Navigate(serve(t).url + "/en/"))
	for _, lang := range []string{"en", "zh"} {
		b.do(chromedp.Navigate(serve(t).url + "/" + lang + "/"))
		for _, width := range []int64{320, 360, 390, 768, 1280, 1440} {
			l := look{fmt.Sprintf("%d", width), width, 800, "light", true}
			b.emulate(l)
			b.write(fmt.Sprintf("%s-%d-home.png", lang, width))
			if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("%s at %d: %d pixels too wide", lang, width, wide)
			}
			if eval[bool](b, `/[，。] ./.test(document.querySelector('h1').innerText)`) {
				t.Errorf("%s at %d: a space stands behind a wide comma", lang, width)
			}
			cut := eval[string](b, `[...document.querySelectorAll('.frame.last text')].filter(e => {
				const text = e.getBoundingClientRect(), box = document.querySelector('#strip').getBoundingClientRect();
				return text.left < box.left || text.right > box.right;
			}).map(e => e.textContent).join(', ')`)
			if cut != "" {
				t.Errorf("%s at %d: cut off are %s", lang, width, cut)
			}
		}
		b.emulate(look{"desk", 1440, 900, "light", true})
		if high := eval[int](b, `document.documentElement.scrollHeight`); high > 2*900 {
			t.Errorf("%s: it is %d pixels high, more than two screens", lang, high)
		}
	}
}

func TestProgressMovesToAnotherBrowser(t *testing.T) {
	t.Parallel()
	home := serve(t).url + "/en/"
	b := open(t)
	b.do(chromedp.Navigate(home))
	eval[bool](b, `localStorage.setItem('lockstep-finished', 'set-nx eval'), true`)
	b.do(chromedp.Reload())
	b.until(`document.querySelector('#tally').textContent.startsWith('2 of ')`)
	file := b.exported(func() { b.do(press(`[data-ui="export-progress"]`)) })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	b = open(t)
	b.do(chromedp.Navigate(home))
	b.until(`!document.querySelector('.progress-file').hidden`)
	if b.exists(`.lesson-card .finished:not([hidden])`) {
		t.Fatal("the other browser has progress of its own")
	}
	choose := func(text string) {
		eval[bool](b, fmt.Sprintf(`(() => {
			const files = new DataTransfer(), input = document.getElementById('progress-file');
			files.items.add(new File([%q], 'lockstep-progress.json'));
			input.files = files.files;
			return input.dispatchEvent(new Event('change'));
		})()`, text))
	}
	choose(string(text))
	b.until(`document.querySelector('#imported').textContent === 'Imported: 2 more lessons are done.'`)
	b.until(`document.querySelectorAll(".lesson-card .finished:not([hidden])").length === 2`)
	for _, wrong := range []string{"", "[]", "{}", `{"lockstep":"progress","version":2,"finished":[]}`, `{"lockstep":"progress","version":1,"finished":["<b> x"]}`, `{"lockstep":"progress","version":1}`} {
		choose(string(text))
		b.until(`document.querySelector('#imported').textContent === 'Imported: 0 more lessons are done.'`)
		choose(wrong)
		b.until(`document.querySelector('#imported').textContent.startsWith('This file is not the progress')`)
	}
	b.do(chromedp.Reload())
	b.until(`document.querySelectorAll(".lesson-card .finished:not([hidden])").length === 2`)
}

// What was done in a lesson counts when the lesson has another name.
func TestProgressOfALessonThatWasRenamed(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.do(chromedp.Navigate(serve(t).url + "/en/"))
	eval[bool](b, `localStorage.setItem('lockstep-finished', 'multilock-ring set-nx'), localStorage.setItem('lockstep-last', 'watchdog-renews ?at=3'), true`)
	b.do(chromedp.Reload())
	b.until(`document.querySelector('#tally').textContent.startsWith('2 of ')`)
	if !b.exists(`[data-finished="multilock"]:not([hidden])`) {
		t.Error("the lesson is not marked")
	}
	if to := eval[string](b, `(a => a.pathname + a.search)(document.querySelector('#go-on a'))`); to != "/en/lessons/redisson-lock/" {
		t.Errorf("it goes on at %q", to)
	}
}

// A card stays where it is when it opens, and so do those beside it.
func TestCardsOfTheHomePageStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, l := range []look{desk, {name: "tablet", width: 900, height: 1200}} {
		b.emulate(l)
		b.do(chromedp.Navigate(serve(t).url + "/en/"))
		if moved := eval[string](b, `(() => {
			const cards = [...document.querySelectorAll('.folds > details > summary')];
			const places = () => cards.map((e) => { const r = e.getBoundingClientRect(); return { left: r.left, top: r.top + scrollY, width: r.width }; });
			const moved = [];
			for (const card of cards) {
				const before = places();
				card.parentElement.open = true;
				const now = places(), row = before[cards.indexOf(card)].top;
				before.forEach((b, i) => { if (now[i].left !== b.left || now[i].width !== b.width || b.top <= row && now[i].top !== b.top) moved.push(card.textContent.trim() + ' moves ' + cards[i].textContent.trim()); });
				if (!card.nextElementSibling.checkVisibility()) moved.push(card.textContent.trim() + ' shows nothing');
				card.parentElement.open = false;
				if (getComputedStyle(card.parentElement, '::details-content').borderTopWidth !== '0px') moved.push(card.textContent.trim() + ' leaves a dot where it is closed');
			}
			return moved.join('; ');
		})()`); moved != "" {
			t.Errorf("%s: %s", l.name, moved)
		}
	}
}
