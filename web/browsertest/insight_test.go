package browsertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

// hiddenParts are the parts of the page that what holds them cuts off.
const hiddenParts = `((selector, holder) => {
	const box = document.querySelector(holder).getBoundingClientRect();
	return [...document.querySelectorAll(selector)].filter((e) => {
		const r = e.getBoundingClientRect();
		return r.height === 0 || r.top < box.top - 1 || r.bottom > box.bottom + 1 || r.right > box.right + 1;
	}).map((e) => e.textContent.replace(/\s+/g, ' ').trim()).join(', ');
})`

// inSight checks that all that a selector finds is there, and is not cut off.
func (b *tab) inSight(what, selector, holder string) {
	b.t.Helper()
	if !b.exists(selector) {
		b.t.Errorf("%s: there is no %s", what, selector)
	}
	if cut := eval[string](b, fmt.Sprintf(`%s(%q, %q)`, hiddenParts, selector, holder)); cut != "" {
		b.t.Errorf("%s: cut off are %s", what, cut)
	}
}

func TestAChallengeIsInSightWhileItIsPlayed(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(look{width: 1440, height: 900})
	b.visit(serve(t).url + "/en/lessons/compare-and-delete/")
	b.toTheEnd()
	b.click(`#f-challenge [data-op="hint"]`)
	b.do(chromedp.KeyEvent(kb.Enter))
	if !b.exists("#f-challenge:focus") || b.exists("#f-challenge .grade") || b.text("#go") == "Back to the story" {
		t.Error("who presses Enter again after the hint leaves the lesson, or is shown the solution")
	}
	eval[bool](b, `document.querySelector('#challenge-try').focus() ?? true`)
	b.click(`#f-challenge [data-op="try"]`)
	if !b.exists("#f-challenge:is(:focus, :focus-within)") {
		t.Error("who begins with the keyboard is nowhere: the first button left is a hidden one")
	}
	b.inSight("begun", "#challenge-head, .challenge-hint", ".slots")
	if got := b.text("#go"); got != "Back to the story" {
		t.Errorf("the button says %q", got)
	}
	b.write("challenge-tried.png")
	b.click(`#f-challenge [data-op="solve"]`)
	b.inSight("won", "#challenge-head, #f-challenge .grade", ".slots")
	b.write("challenge-won.png")
	b.emulate(look{width: 1280, height: 720})
	b.inSight("won on a low screen", "#f-challenge .grade, #challenge-next", ".slots")
	b.emulate(look{width: 1440, height: 900})
	const show = "#f-challenge .grade .btn:not(.away)"
	if b.exists(show) {
		t.Error("a button leads to the step that is shown")
	}
	b.click(back)
	top := eval[float64](b, `document.querySelector('#challenge-next').getBoundingClientRect().top`)
	b.click(show)
	if !b.exists("#f-broken :focus") {
		t.Error("who asks for the step that won is not led to what broke there")
	}
	if got := eval[float64](b, `document.querySelector('#challenge-next').getBoundingClientRect().top`); got != top {
		t.Errorf("what follows the verdict moves from %v to %v", top, got)
	}

	b.click(`#f-challenge [data-op="next-challenge"]`)
	b.openEditor()
	eval[bool](b, `(() => { const s = document.querySelector('#editor-part'); s.value = 'program:A'; return s.dispatchEvent(new Event('change')); })()`)
	b.until(editorText + `.includes('unlock_in_two_steps')`)
	b.until(`document.querySelector('#f-challenge [data-applies]')`)
	const check = `document.querySelector('#f-challenge [data-applies]').click() ?? true`
	eval[bool](b, check)
	b.until(`document.querySelector('#f-challenge .grade.wrong')`)
	b.inSight("not repaired", "#f-challenge .grade.wrong, #challenge-check, #challenge-help", ".slots")
	if said := b.text("#f-challenge .grade strong"); !strings.HasPrefix(said, "The code is still as it was. ") {
		t.Errorf("of code that nobody has edited the page says %q", said)
	}
	const old = `document.querySelector('#f-challenge .unapplied').checkVisibility()`
	if eval[bool](b, old) {
		t.Error("a verdict on the code as it stands there is called old")
	}
	if eval[bool](b, `document.querySelector('#challenge-edit').checkVisibility()`) {
		t.Error("a button opens the code that is open")
	}
	b.write("challenge-not-repaired.png")

	b.retype(`if trylock(`)
	eval[bool](b, check)
	b.until(`document.querySelector('#editor-said').classList.contains('failed')`)
	b.until(`document.querySelector('#editor-errors').textContent.startsWith('line 1: ')`)
	if !eval[bool](b, old) {
		t.Error("a verdict does not say that it is about the code before what was typed")
	}
	if said := b.text("#editor-said"); said != "Not applied yet." {
		t.Errorf("what is wrong is said a second time: %q", said)
	}
	if b.exists(`#f-challenge [data-op="pause"]`) {
		t.Error("what could not be applied is checked")
	}

	b.retype(`if trylock("lock1", 10000) then work("9s") unlock("lock1") end`)
	eval[bool](b, check) // nobody pressed Apply
	b.until(`document.querySelector('#f-challenge .grade.right')`)
	b.inSight("repaired", "#f-challenge .grade.right", ".slots")
	b.until(editorSaid + ` === 'Applied.'`)
	if strange := eval[string](b, `[...document.querySelectorAll('.events [data-row] > :not(.ev), .events [data-row]:empty')].map((e) => e.outerHTML).join()`); strange != "" {
		t.Errorf("the rows of the steps have something else in them: %s", strange)
	}
}

// Who mends one client of two sees that it breaks, before what else is found; and the button that led to the code leads back.
func TestAFailedRepairIsSeen(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	for _, size := range []look{{width: 1440, height: 900}, {width: 1280, height: 720}} {
		b.emulate(size)
		b.visit(serve(t).url + "/en/lessons/no-ttl/")
		b.toTheEnd()
		const says = `document.querySelector('#go').innerText`
		if got := eval[string](b, says) + ": " + b.text(".try-on"); !strings.HasPrefix(got, "Repair it: The story ends here. Now repair it") {
			t.Errorf("at the end it says %q", got)
		}
		const pressGo = `document.querySelector('#go').click() ?? true`
		b.until(`!('rest' in document.body.dataset)`)
		eval[bool](b, pressGo)
		b.until(inEditor)
		code := eval[string](b, editorText)
		if _, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) { // KeyEvent writes even where a page has taken the key
			_, err := chromedp.Call(ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Text: "\r", WindowsVirtualKeyCode: '\r'})
			return chromedp.Void{}, err
		}); err != nil {
			t.Fatal(err)
		}
		if got := eval[string](b, editorText); got != code {
			t.Errorf("Enter that has gone on with the story writes into the code: %q", got)
		}
		if got := eval[string](b, says); got != "Back to the story" {
			t.Errorf("while the code is open it says %q", got)
		}
		eval[bool](b, pressGo)
		if got := eval[string](b, says); got != "Repair it" || !b.exists("body:not([data-editing])") || !b.exists("#go:focus") {
			t.Errorf("back in the story it says %q", got)
		}
		eval[bool](b, pressGo)
		b.until(inEditor)
		b.retype(`if redis.call("SET", "lock1", me, "NX", "EX", 10) then redis.call("DEL", "lock1") end`)
		b.apply()
		const pressed = `['.aside', '#challenge-check'].flatMap((s) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.left, r.right].map(Math.round) })`
		was := eval[[]int](b, pressed)
		b.click("#challenge-check")
		b.until(`document.querySelector('#f-challenge .grade.wrong')`)
		if now := eval[[]int](b, pressed); !slices.Equal(now, was) {
			t.Errorf("the verdict moves the column and the button in it from %v to %v", was, now)
		}
		b.write(fmt.Sprintf("repair-failed-%d.png", size.height))
		b.inSight("not repaired", "#f-challenge .grade.wrong", ".slots")
		const covered = `(() => {
			const r = document.querySelector('#f-challenge .grade.wrong strong').getBoundingClientRect();
			return !document.elementFromPoint(r.left + 5, r.bottom - 5)?.closest('.grade') || !document.elementFromPoint(r.left + 5, r.top + 5)?.closest('.grade');
		})()`
		if eval[bool](b, covered) {
			t.Error("the verdict is covered")
		}
		b.until(`!document.querySelector('#f-challenge').textContent.includes('Looking for the least')`)
		b.inSight("with what is enough", "#f-challenge .grade.wrong", ".slots")
		if eval[bool](b, covered) {
			t.Error("the verdict is covered by what is found later")
		}
		if over := eval[float64](b, `document.querySelector('#challenge-check').getBoundingClientRect().bottom - document.querySelector('#f-challenge .tried').getBoundingClientRect().top`); over > 0 {
			t.Errorf("the buttons lie over %.0f pixels of what was tried", over)
		}
		b.write(fmt.Sprintf("repair-failed-%d-later.png", size.height))
	}
}

// Who tries a challenge sees code, and an alarm before the key that has changed; and no button moves away under the pointer.
func TestWhoTriesAChallengeSeesWhatComesOfIt(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{width: 1440, height: 900})
	b.visit(serve(t).url + "/en/lessons/watchdog-and-pause/")
	b.toTheEnd()
	b.click(`#f-challenge [data-op="try"]`)
	if high := eval[float64](b, `document.querySelector('.source:has(#f-script)').clientHeight`); high < 150 {
		t.Errorf("code has %.0f pixels", high)
	}
	const hint = `document.querySelector('#challenge-help').getBoundingClientRect().left`
	left := eval[float64](b, hint)
	b.click(choice("run A"))
	if now := eval[float64](b, hint); now != left {
		t.Errorf("Hint moves by %.0f pixels", now-left)
	}
	b.fault("pause app-1")
	b.click(choice("tick 30s"))
	b.click(choice("run B"))
	b.inSight("both inside", ".held .clash, .key.d-new > .key-head", ".col-keys")
	b.inSight("who is inside", ".cards .chip.in", ".cards")
	b.fault("resume app-1")
	b.click(choice("run A"))
	b.inSight("written", ".held .clash, .key.d-new > .key-head", ".col-keys")
}

// Beside a challenge half a dozen lines of a client are seen, and beside an author's text the tree of what a search has tried.
func TestCodeAndTreeHaveRoomBesideATask(t *testing.T) {
	t.Parallel()
	for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}} {
		b := onScreen(t)
		b.emulate(screen)
		b.visit(serve(t).url + "/en/lessons/set-nx/")
		b.toTheEnd()
		b.click(`#f-challenge [data-op="try"]`)
		if high := eval[float64](b, `document.querySelector('.in-client .source').clientHeight`); high < 6*20 {
			t.Errorf("%s: code has %.0f pixels", screen.name, high)
		}
		b.click("#go") // back to the story
		b.openAuthor()
		b.findBreak()
		if wide := eval[float64](b, `document.querySelector('svg.tree').getBoundingClientRect().width`); wide < 500 {
			t.Errorf("%s: the tree has %.0f pixels", screen.name, wide)
		}
	}
}

// Who has won reads the verdict, what leads on, and half a dozen lines of the code that it is about.
func TestCodeHasRoomBesideWhatWasWon(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(desk)
	for name, code := range map[string]string{"set-nx": ".in-client .source", "redisson-lock": ".on-server .source"} {
		b.visit(serve(t).url + "/en/lessons/" + name + "/")
		b.toTheEnd()
		b.click("#challenge-help")
		b.click("#challenge-solve")
		b.until(`document.querySelector('#f-challenge .grade')`)
		b.inSight(name, "#f-challenge .grade, #challenge-next", ".slots")
		if high := eval[float64](b, `document.querySelector('`+code+`').clientHeight`); high < 6*20 {
			t.Errorf("%s: code has %.0f pixels", name, high)
		}
	}
}

// However narrow the heads are beside several servers, they say what Run would send.
func TestNarrowHeadsSayWhatComesNext(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{width: 1440, height: 900})
	for path, step := range map[string]int{"fencing": 5, "multilock": 3} {
		b.play(serve(t).url+"/en/lessons/"+path+"/", step)
		b.inSight(path, ".cards .actor-next", ".cards")
	}
}

// A challenge that begins while the code of the one before stands open is read before anything else.
func TestTheTaskIsInSight(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	home := serve(t).url
	const task = "#challenge-head, #f-challenge > .prose"
	for _, size := range []look{{width: 1440, height: 900}, {width: 1280, height: 720}} {
		b.emulate(size)
		besideCode, next := task, task
		if size.height == 720 {
			besideCode, next = "#challenge-check, #f-challenge > .prose", "#challenge-head" // and the beginning of the task
		}
		b.visit(home + "/en/lessons/no-ttl/")
		b.toTheEnd()
		eval[bool](b, `document.querySelector('#challenge-edit').click() ?? true`)
		b.until(inEditor)
		b.inSight("opened", besideCode, ".slots")
		b.retype(`if redis.call("SET", "lock1", me, "NX", "EX", 10) then redis.call("DEL", "lock1") end`)
		b.apply()
		if got := eval[string](b, `document.querySelector('#editor-part').selectedOptions[0].textContent`); got != "A: program (edited)" {
			t.Errorf("what is edited is called %q", got)
		}
		b.inSight("edited", besideCode, ".slots")
		b.click("#challenge-help")
		b.click("#challenge-solve")
		b.click("#challenge-check")
		b.until(`document.querySelector('button#challenge-next')?.checkVisibility()`)
		b.click("button#challenge-next")
		b.inSight("next", next, ".slots")
		b.click("#challenge-unedit")
		b.inSight("as it was written", next, ".slots")

		b.visit(home + "/en/lessons/reentrant-lock/")
		b.toTheEnd()
		b.click("#challenge-show")
		b.until(`document.querySelector('#f-challenge .grade')`)
		if said := b.text(".off-story"); !strings.Contains(said, "show one way") {
			t.Errorf("who did not make the moves is told %q", said)
		}
		if !b.exists("#f-challenge:is(:focus, :focus-within)") {
			t.Error("who asked to see it is nowhere")
		}

		b.visit(home + "/en/lessons/missed-message/")
		b.toTheEnd()
		b.click("#challenge-try")
		b.click("#challenge-help")
		b.inSight("with its hint", task+", .challenge-hint, #challenge-solve", ".slots")
	}
}

// Nothing is printed over something else, in the past and before an audience, too.
func TestHeadsDoNotCoverEachOther(t *testing.T) {
	t.Parallel()
	const covered = `(() => {
		const all = [...document.querySelectorAll('#f-actors .panel-head > *, .col-timeline > .panel-head > *')].filter((e) => e.checkVisibility() && e.offsetWidth > 1);
		const found = [];
		for (const a of all) for (const b of all) {
			const r = a.getBoundingClientRect(), s = b.getBoundingClientRect();
			if (a !== b && r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 1 && s.top < r.bottom - 1) found.push(a.textContent.trim() + ' | ' + b.textContent.trim());
		}
		const place = document.getElementById('f-place');
		if (place.scrollHeight > place.clientHeight || place.getBoundingClientRect().right > innerWidth) found.push('the place is cut off');
		return found.join('; ');
	})()`
	for _, lang := range []string{"en", "zh"} {
		for _, view := range sample.Sample(t, []string{"", "?view=present"}, sample.PlacesTried) {
			b := open(t)
			b.emulate(look{width: 1440, height: 900})
			b.play(serve(t).url+"/"+lang+"/lessons/set-nx/"+view, 3)
			for _, when := range []string{"present", "past"} {
				for _, l := range []look{{name: "1920", width: 1920, height: 1080}, {name: "1440", width: 1440, height: 900}, {name: "1280", width: 1280, height: 720}} {
					b.emulate(l)
					b.write("heads-" + lang + "-" + l.name + "-" + when + view[min(len(view), 6):] + ".png")
					if found := eval[string](b, covered); found != "" {
						t.Errorf("%s%s at %s, %s: %s", lang, view, l.name, when, found)
					}
				}
				if when == "present" {
					b.click(back)
				}
			}
		}
	}
}

func TestATaskAndItsButtonAreInSight(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{width: 1440, height: 900})
	b.play(serve(t).url+"/en/lessons/redisson-lock/", 5)
	for _, l := range []look{{name: "1440", width: 1440, height: 900}, {name: "1280", width: 1280, height: 720}} {
		b.emulate(l)
		b.write("task-" + l.name + ".png")
		b.inSight(l.name, ".cards .task, .cards .run", ".cards")
	}
	b.do(press(".task .run"))
}

// What a node refuses is read in the diagram.
func TestErrorsOfNodesAreReadInTheDiagram(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{width: 1280, height: 720})
	b.play(serve(t).url+"/en/lessons/cluster/", 3)
	b.write("cluster.png")
	for _, word := range []string{"MOVED", "CROSSSLOT"} {
		if !eval[bool](b, fmt.Sprintf(`[...document.querySelectorAll('#f-timeline .label')].some((e) => {
			const r = e.getBoundingClientRect(), box = document.querySelector('#f-timeline').getBoundingClientRect();
			return e.textContent.includes(%q) && r.right <= box.right;
		})`, word)) {
			t.Errorf("%s is not to be read: %s", word, b.texts("#f-timeline .label"))
		}
	}
}
