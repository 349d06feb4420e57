package browsertest

import "testing"

// measures are what of the page must have room: the lanes with their heads, and what a
// script was sent, which no scroll bar may hide.
const measures = `(() => {
	const height = (selector) => document.querySelector(selector).getBoundingClientRect().height;
	const call = document.querySelector('#f-call'), pane = document.querySelector('.col-script').getBoundingClientRect();
	const last = document.querySelector('#f-call .args > :last-child').getBoundingClientRect();
	return {
		timeline: (height('.cards') + height('.col-timeline > .scroll')) / innerHeight,
		hidden: Math.max(call.scrollHeight - call.clientHeight, last.bottom - pane.bottom),
	};
})()`

func TestTheTimelineHasHalfOfThePageAndTheArgumentsAreSeen(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for _, lang := range []string{"en", "zh"} {
		b := open(t)
		b.emulate(look{width: 1440, height: 900})
		b.play(a.url+"/"+lang+"/lessons/fair-lock/", 10)
		for _, l := range []look{{name: "desk", width: 1440, height: 900}, {name: "laptop", width: 1280, height: 720}} {
			b.emulate(l)
			if over := eval[int](b, `document.documentElement.scrollHeight - innerHeight`); over > 0 {
				t.Errorf("%s, %s: the page is %d pixels higher than its window, so that links within it move it", lang, l.name, over)
			}
			m := eval[struct{ Timeline, Hidden float64 }](b, measures)
			if m.Timeline < 0.5 {
				t.Errorf("%s, %s: the timeline has %.0f%% of the height", lang, l.name, 100*m.Timeline)
			}
			if m.Hidden > 0 && l.height >= 900 { // on less, the code has its room below the keys, and they scroll
				t.Errorf("%s, %s: %.0f pixels of the arguments are hidden", lang, l.name, m.Hidden)
			}
		}
	}
}

// What a question asks of a script is read beside it, without a scroll: its last line is in sight.
func TestALineThatAQuestionIsAboutIsSeen(t *testing.T) {
	t.Parallel()
	for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}} {
		for _, lang := range []string{"en", "zh"} {
			b := open(t)
			b.emulate(screen)
			b.play(serve(t).url+"/"+lang+"/lessons/redisson-lock/", 1)
			b.inSight(screen.name+", "+lang, "#f-script li:nth-last-child(-n+5)", ".on-server .source")
		}
	}
}

// Beside the lines that ran stand the replies, in the same rows.
func TestRepliesStandBesideTheirLines(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.play(serve(t).url+"/en/lessons/redisson-lock/", 1)
	if got, want := b.texts("#f-ran .said code"), "0, 1, 1"; got != want {
		t.Errorf("the replies are %s, want %s", got, want)
	}
	const apartBy = `Math.max(...[...document.querySelectorAll('#f-ran > i')].map((r, n) =>
		Math.abs(r.getBoundingClientRect().top - document.querySelectorAll('#f-script li')[n].getBoundingClientRect().top)))`
	if apart := eval[float64](b, apartBy); apart > 1 {
		t.Errorf("they are %.0f pixels away from their lines", apart)
	}
	b.printed()
	if apart := eval[float64](b, apartBy); apart > 1 || eval[bool](b, `[...document.querySelectorAll('.workspace .btn')].some((e) => e.checkVisibility())`) {
		t.Errorf("on paper they are %.0f pixels away from their lines, or there are buttons", apart)
	}
	b.emulate(desk)
	b.play(serve(t).url+"/en/lessons/fair-lock/", 10)
	if over := eval[float64](b, `Math.max(...[...document.querySelectorAll('#f-script li')].map((li) => li.scrollHeight - li.clientHeight))`); over > 1 {
		t.Errorf("a line that wraps covers %.0f pixels of the next one", over)
	}
	b.play(serve(t).url+"/en/lessons/redisson-lock/", 1)
	b.click(forward)
	b.click(forward) // B subscribes: no script ran
	if b.exists("#f-ran > i") {
		t.Error("lines are marked that the step did not run")
	}
}

func TestAFaultIsChosenFromTheMenuOfItsLane(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.visit(serve(t).url + "/en/lessons/redisson-lock/")
	b.fault("crash jvm-2")
	b.at("1 / 1")
	if b.exists(".fault-menu:popover-open") {
		t.Error("the menu is still open")
	}
}

func TestALessonWithPlainCommandsOpensOnTheClientsCode(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for name, want := range map[string]string{"set-nx": "client", "redisson-lock": "server"} {
		b := open(t)
		b.visit(a.url + "/en/lessons/" + name + "/")
		if got := eval[string](b, `document.body.dataset.code + ' ' + document.querySelector('.sides [aria-pressed="true"]').dataset.code`); got != want+" "+want {
			t.Errorf("%s opens on %s", name, got)
		}
	}
}

// Nothing is wider than a phone, whatever the learner looks at.
func TestNothingIsWiderThanAPhone(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for _, name := range []string{"redlock-clock", "fair-lock", "set-nx"} {
		b := open(t)
		b.emulate(look{width: 390, height: 740})
		b.play(a.url+"/en/lessons/"+name+"/", 6)
		for _, width := range []int64{320, 360, 390} {
			b.emulate(look{width: width, height: 640})
			for _, tab := range []string{"state", "timeline", "script"} {
				eval[bool](b, `document.querySelector('.tabs [data-tab="`+tab+`"]').click() ?? true`)
				if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					t.Errorf("%s at %d, %s: the page is %d pixels too wide", name, width, tab, wide)
				}
			}
		}
	}
}

// What moves when a step is made is an arrow alone, by a transform, so that the page need not draw each of its frames; and it ends.
func TestAStepMovesItsArrowByATransform(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.visit(serve(t).url + "/en/lessons/oversell/")
	moves := eval[string](b, `new Promise((done) => {
		new MutationObserver((changes, seen) => {
			seen.disconnect();
			const own = ['offset', 'computedOffset', 'easing', 'composite']; // of each keyframe
			done(document.getAnimations().flatMap((a) => Object.keys(a.effect.getKeyframes()[0])).filter((key) => !own.includes(key)).join());
		}).observe(document.body, {attributeFilter: ['data-rev']});
		document.getElementById('go').click();
	})`)
	if moves != "transform" {
		t.Errorf("a step moves %q, want only a transform", moves)
	}
	b.until("document.getAnimations().length === 0")
}

// Buttons of the diagram lie over nothing of it. What explains an accident covers neither that nor what is said of it, on any screen.
func TestNothingLiesOverTheDiagram(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"story", "lab"} {
		b := open(t)
		b.opensOn(mode)
		b.emulate(desk)
		b.visit(serve(t).url + "/en/lessons/set-nx/")
		for !b.exists(".broken") {
			b.click("#go")
		}
		b.do(press(`[popovertarget="f-why"]`))
		b.until(`'why' in document.body.dataset`)
		for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}, {name: "tablet", width: 768, height: 1024}, {name: "phone", width: 390, height: 844}, {name: "small phone", width: 360, height: 740}} {
			b.emulate(screen)
			if got := eval[string](b, `(() => {
				const box = (e) => e.getBoundingClientRect(), seen = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
				const end = (o) => Math.min(box(o).bottom, o.closest('.told')?.getBoundingClientRect().bottom ?? Infinity); // what goes on below is scrolled to
				const over = (e, o) => box(e).top < end(o) && box(e).bottom > box(o).top && box(e).left < box(o).right && box(e).right > box(o).left;
				return seen('#f-why, .col-timeline > .panel-head').flatMap((e) => seen('.col-timeline > .scroll, .broken strong, .story .prose > *, .transport .btn, #go').filter((o) => over(e, o)).map((o) => e.className + ' over ' + (o.textContent.trim().slice(0, 30) || o.className))).join(', ');
			})()`); got != "" {
				t.Errorf("%s, %s: %s", mode, screen.name, got)
			}
			b.inSight(mode+", "+screen.name+": the button that closes it", "#f-why > .btn", "#f-why")
		}
		b.do(press("#f-why > .btn"))
		b.until(`!('why' in document.body.dataset)`)
		if !b.exists(`.broken [popovertarget="f-why"]:focus`) {
			t.Errorf("%s: who has closed it is nowhere", mode)
		}
	}
}

// Who should not be inside together is told above the keys, and lies over no name of what is there.
func TestAnAlarmCoversNoHeading(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}} {
		b.emulate(screen)
		b.visit(serve(t).url + "/en/lessons/set-nx/")
		for !b.exists(".held .clash") {
			b.click("#go")
		}
		if over := eval[float64](b, `document.querySelector('.held').getBoundingClientRect().bottom - document.querySelector('#keys-head').getBoundingClientRect().top`); over > 0 {
			t.Errorf("%s: it covers %.0f pixels", screen.name, over)
		}
	}
}

// On a low page a key is named below an alarm, beside what a search has found code shows its head, and beside an author's text the heads say who is inside.
func TestNamesAreWholeWhereThereIsLittleRoom(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(look{name: "laptop", width: 1280, height: 720})
	b.visit(serve(t).url + "/en/lessons/stranger-deletes/")
	b.toTheEnd()
	b.click("#challenge-help")
	b.click("#challenge-solve")
	b.until(`document.querySelector('#f-challenge .grade')`)
	b.inSight("who is inside together, and its key", ".held .clash, .key.d-new > .key-head", ".col-keys")
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.toTheEnd()
	b.findBreak()
	b.inSight("the head of the code", ".code-head", ".aside")
	told := onScreen(t)
	told.opensOn("story")
	told.emulate(desk)
	told.visit(serve(t).url + "/en/lessons/set-nx/")
	for !told.exists(".broken") {
		told.click("#go")
	}
	told.openAuthor()
	if cut := eval[string](told, cutOff+`(".cards .chip.in")`); cut != "" {
		t.Errorf("there is no room for %s", cut)
	}
}
