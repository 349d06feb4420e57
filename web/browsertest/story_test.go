package browsertest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

// played are the lessons whose stories the tests below play.
func played(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob("../../lessons/[0-9]*")
	if err != nil || len(folders) < 8 {
		t.Fatalf("the lessons are %v (%v)", folders, err)
	}
	var names []string
	for _, folder := range folders {
		_, name, _ := strings.Cut(filepath.Base(folder), "-")
		names = append(names, name)
	}
	return sample.Lessons(t, names, sample.StoriesClicked, func(name string) string { return name })
}

// forEachStory runs a test on stories that are to be played to their ends, in one language after
// the other, and in make test-full each in both.
func forEachStory(t *testing.T, test func(t *testing.T, b *tab)) {
	t.Helper()
	a := serve(t)
	for i, name := range played(t) {
		for j, lang := range []string{"en", "zh"} {
			if j != i%2 && !sample.Everything() {
				continue
			}
			t.Run(lang+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := onScreen(t)
				b.opensOn("story")
				b.visit(a.url + "/" + lang + "/lessons/" + name + "/")
				test(t, b)
				if !b.exists("#f-story .done") || !b.exists("#go[data-ends]:focus") {
					t.Errorf("the story is not at its end with the focus on its button: %s", b.text("#f-story"))
				}
				if b.exists(".off-story, #f-story .notice-error, #failed:not([hidden])") {
					t.Errorf("the story went wrong: %s", b.text("main"))
				}
			})
		}
	}
}

// The end of a lesson leads to the next one, which knows what was done, as the home page does.
func TestTheEndLeadsToTheNextLesson(t *testing.T) {
	t.Parallel()
	home := serve(t).url + "/en/"
	b := open(t)
	b.emulate(desk)
	b.visit(home + "lessons/oversell/")
	for b.exists(goesOn) {
		b.key(kb.Enter)
	}
	b.write("end.png")
	if !b.exists("#f-challenge [data-solved][hidden]") {
		t.Error("the challenge is not there, or said to be solved")
	}
	eval[bool](b, `localStorage.setItem('lockstep-solved', 'oversell/1'), true`)
	b.click(back)
	// As Enter on the link, the moment it is there: with a key the second of rest may be over on a busy machine.
	eval[bool](b, `new MutationObserver((_, seen) => { if ('rest' in document.body.dataset) { seen.disconnect(); document.querySelector('#go').click(); document.body.dataset.hasty = ''; } })
		.observe(document.body, {attributeFilter: ['data-rest']}) ?? true`)
	b.click(forward)
	if !eval[bool](b, `document.querySelector('#f-challenge [data-solved]').checkVisibility()`) {
		t.Error("that the challenge was solved before is not said")
	}
	eval[bool](b, `document.querySelector('#go').focus(), true`)
	if !eval[bool](b, `'hasty' in document.body.dataset`) || b.exists(goesOn) {
		t.Error("who presses Enter at once leaves the end of the lesson without having seen it")
	}
	b.until(`!('rest' in document.body.dataset)`)
	b.key(kb.Enter)
	b.do(chromedp.KeyEvent(kb.Enter))
	if !b.exists(`#f-challenge[data-urgent="tried"]:focus`) || b.text("#go") != "Back to the story" {
		t.Error("Enter does not begin the challenge, or leaves it when it is pressed again")
	}
	b.click("#go")
	b.until(`!('rest' in document.body.dataset)`)
	b.do(press("a#go")) // who has left a round finds the way on where the button was
	b.until(`location.pathname.endsWith('/lessons/lost-update/') && ` + revision + ` > 0`)
	b.do(press(".lessons-btn"))
	if got := eval[[]string](b, `[...document.querySelectorAll('#lessons .finished')].filter((e) => e.checkVisibility()).map((e) => e.dataset.finished)`); len(got) != 1 || got[0] != "oversell" {
		t.Errorf("in the list of lessons %v are done", got)
	}
	b.write("menu.png")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.click("#go")
	b.do(chromedp.Navigate(home))
	b.until(`!document.querySelector('#go-on').hidden`)
	b.write("go-on.png")
	if got := b.text(`.finished[data-challenges="oversell"]`); !strings.HasPrefix(got, "1 of ") {
		t.Errorf("of the challenges it says %q", got)
	}
	b.do(press("#go-on a"))
	b.until(`location.pathname.endsWith('/lessons/lost-update/') && ` + revision + ` > 0`)
	b.at("1 / 1")
}

// On a phone the way back to a branch stands in the caption, beside what else is there.
func TestTheWayBackToABranchIsInThePhonesDock(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{"phone", 360, 740, "light", false})
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.click("#go")
	b.click(back)
	b.click(choice("run B"))
	for _, width := range []int64{320, 360} {
		b.emulate(look{"phone", width, 740, "light", false})
		eval[bool](b, `(scrollTo(0, document.documentElement.scrollHeight), true)`)
		b.write(fmt.Sprintf("branch-%d.png", width))
		if covers := eval[string](b, `(() => {
			const way = document.querySelector('.ghost').getBoundingClientRect(), dock = document.querySelector('.caption').getBoundingClientRect();
			const over = [...document.querySelectorAll('#go, #f-transport .btn, .engines')].filter((e) => {
				const r = e.getBoundingClientRect();
				return e.checkVisibility() && r.left < way.right && r.right > way.left && r.top < way.bottom && r.bottom > way.top;
			}).map((e) => e.outerHTML.slice(0, 80));
			return over.join(', ') + (way.top < dock.top || way.bottom > dock.bottom + 1 ? ' outside of the dock' : '');
		})()`); covers != "" {
			t.Errorf("at %d it covers %s", width, covers)
		}
	}
}

// goesOn is the button of a story that is not at its end.
const goesOn = "#go:not([data-ends])"

// leads is where the focus belongs: on the field of a question that is typed, or else on the button.
const leads = `document.activeElement === (document.querySelector('#f-lead input[type="text"]') ?? document.querySelector('#go'))`

func TestAStoryIsPlayedByClickingOneSpot(t *testing.T) {
	t.Parallel()
	forEachStory(t, func(t *testing.T, b *tab) {
		t.Helper()
		spot := eval[[]float64](b, `(() => { const r = document.querySelector('#go').getBoundingClientRect(); return [r.left + 20, r.top + r.height / 2] })()`)
		for step := 1; b.exists(goesOn); step++ {
			b.act(func() { b.do(chromedp.MouseClickXY(spot[0], spot[1])) })
			b.goesOn(step)
		}
		if !eval[bool](b, fmt.Sprintf(`document.elementFromPoint(%f, %f).closest('#go') !== null`, spot[0], spot[1])) {
			t.Error("what comes after the lesson is elsewhere")
		}
	})
}

// While a beat plays a click goes to its end at once. The second one of a double click does not go on from there.
func TestADoubleClickGoesOnOnce(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.opensOn("story")
	b.visit(serve(t).url + "/en/lessons/redisson-lock/")
	for plays := `#f-transport [data-op="pause"]`; !b.exists(plays); {
		b.click("#go")
	}
	if further := eval[int](b, `new Promise((done) => {
		const playing = () => document.querySelector('#f-transport [data-op="pause"]') !== null, pos = () => Number(document.body.dataset.pos);
		new MutationObserver((_, seen) => {
			if (playing()) return;
			seen.disconnect();
			const end = pos();
			document.querySelector('#go').click();
			const look = () => (document.body.settled() ? done(pos() - end) : setTimeout(look, 15));
			look();
		}).observe(document.body, {attributeFilter: ['data-rev']});
		document.querySelector('#go').click();
	})`); further != 0 {
		t.Errorf("it goes %d steps further", further)
	}
	b.click("#go")
}

func TestAStoryIsPlayedByEnter(t *testing.T) {
	t.Parallel()
	forEachStory(t, func(t *testing.T, b *tab) {
		t.Helper()
		for step := 1; b.exists(goesOn); step++ {
			b.key(kb.Enter)
			b.goesOn(step)
		}
	})
}

// goesOn checks that a step of the story was made, and where it left the focus. A
// question may be about several steps.
func (b *tab) goesOn(step int) {
	b.t.Helper()
	if at := eval[int](b, `Number(document.body.dataset.pos)`); at < step {
		b.t.Fatalf("the story is at step %d, want %d", at, step)
	}
	if !eval[bool](b, leads) {
		b.t.Fatalf("after step %d the focus is on %s", step, eval[string](b, `document.activeElement.outerHTML.slice(0, 300)`))
	}
}

func TestAQuestionIsSpokenAndAnsweredByAKey(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.visit(a.url + "/en/lessons/set-nx/")
	for !b.exists("form.predict") {
		b.key(kb.Enter)
	}
	if said := b.text("#live"); !b.exists("#go:focus") || !strings.Contains(said, "still exist?, yes, no") {
		t.Fatalf("the focus is not on what goes on, or what is said is %q", said)
	}
	b.click(".mode") // in the lab, digits make choices
	eval[bool](b, `document.querySelector('#go').focus() ?? true`)
	b.key("2")
	if !b.exists("#f-story .grade.right") || !b.exists("#go:focus") {
		t.Errorf("the story says %s", b.text("#f-story"))
	}
	if live := eval[string](b, `document.querySelector('.grade').closest('[aria-live]').ariaLive`); live != "polite" {
		t.Errorf("the verdict is announced as %q", live)
	}
}

// A digit gives the answer that it is, and one that is no answer does nothing; where no answer is a number, each shows its key.
func TestADigitGivesTheAnswerThatIsTyped(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.opensOn("story")
	b.emulate(desk)
	asked := func(lesson string) {
		t.Helper()
		b.visit(a.url + "/en/lessons/" + lesson + "/")
		for !b.exists("form.predict") {
			b.key(kb.Enter)
		}
	}
	asked("reentrant-lock")
	if got := b.texts(".predict .option"); got != "0, 1, 2" {
		t.Fatalf("the answers are %s", got)
	}
	at := eval[string](b, `document.body.dataset.pos`)
	b.key("2")
	if got := b.texts("#f-story .grade :is(strong + ins, del)"); got != "2" {
		t.Errorf("at step %s the answer 2 is taken as %q", at, got)
	}
	asked("set-nx")
	keys := `[...document.querySelectorAll('.predict .option')].map((e) => getComputedStyle(e, '::before').content.replace(/ .*/, '')).join()`
	if got := eval[string](b, keys); got != `"1","2"` {
		t.Errorf("the keys shown are %s", got)
	}
	b.do(chromedp.KeyEvent("3")) // the client C, which a story does not show
	b.until(`document.body.settled?.() ?? true`)
	if !b.exists("form.predict") || eval[string](b, mode) != "story" {
		t.Errorf("a digit that gives no answer leads to %s", b.text("#f-lead"))
	}
}

// The arrows lead from answer to answer, and leave the story where it is.
func TestArrowsMoveAmongAnswers(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.opensOn("story")
	b.visit(serve(t).url + "/en/lessons/reentrant-lock/")
	for !b.exists("form.predict") {
		b.key(kb.Enter)
	}
	at := eval[string](b, `document.body.dataset.pos`)
	eval[bool](b, `document.querySelector('.predict .option').focus() ?? true`)
	for _, move := range []struct{ key, to string }{{kb.ArrowRight, "1"}, {kb.ArrowLeft, "0"}, {kb.ArrowUp, "2"}, {kb.ArrowDown, "0"}} {
		b.do(chromedp.KeyEvent(move.key))
		b.until(`document.body.settled?.() ?? true`)
		if got := eval[string](b, `document.activeElement.value`); got != move.to {
			t.Errorf("the focus is on %q, not on the answer %s", got, move.to)
		}
	}
	if got := eval[string](b, `document.body.dataset.pos`); got != at {
		t.Errorf("the story is at step %s, was at %s", got, at)
	}
}

// One tap answers. A wrong answer is struck, and the right one stands beside it.
func TestATapAnswersAQuestion(t *testing.T) {
	t.Parallel()
	for _, by := range []struct{ lang, option, verdict, struck, right string }{
		{"en", "ready", ".grade.right", "", "ready"},
		{"zh", "blocked", ".grade.wrong", "在服务器端阻塞", "就绪"},
	} {
		b := onScreen(t)
		b.visit(serve(t).url + "/" + by.lang + "/lessons/sql-deadlock/")
		for !b.exists("form.predict") {
			b.key(kb.Enter)
		}
		b.act(func() { b.do(press(`.option[value="` + by.option + `"]`)) })
		if !b.exists("#f-story "+by.verdict) || !b.exists("#go:focus") {
			t.Errorf("the story says %s", b.text("#f-story"))
		}
		if got := eval[string](b, `document.querySelector('.grade del')?.textContent ?? ''`); got != by.struck || b.text(".grade ins") != by.right {
			t.Errorf("struck is %q, and right %q", got, b.text(".grade ins"))
		}
	}
}

// What a learner has answered, and how much of it was right, outlives a reload, and is gone for who starts over.
func TestAnswersOutliveAReload(t *testing.T) {
	t.Parallel()
	for _, homeOf := range sample.Sample(t, homes, sample.PlacesTried) {
		b := open(t)
		b.visit(homeOf(t) + "en/lessons/set-nx/")
		verdict := func() string { return eval[string](b, `document.querySelector('#f-story .grade')?.textContent ?? ''`) }
		for b.exists(goesOn) {
			if b.exists("form.predict") {
				b.act(func() { b.do(press(".option")) })
				was := verdict()
				b.reload()
				if got := verdict(); was == "" || got != was {
					t.Errorf("after a reload the verdict is %q, was %q", got, was)
				}
				continue
			}
			b.key(kb.Enter)
		}
		was := b.text("#f-story .done")
		if !strings.Contains(was, "right") {
			t.Fatalf("the end says %q", was)
		}
		b.reload()
		if got := b.text("#f-story .done"); got != was {
			t.Errorf("after a reload the end says %q, was %q", got, was)
		}
		b.startOver()
		b.reload()
		if got := eval[int](b, `(sessionStorage.getItem('lockstep-answers:set-nx') ?? '').length`); got != 0 {
			t.Error("who starts over has answered already")
		}
	}
}

// The end of a lease is dragged, by the mouse or by the arrows, and says where it is.
func TestTheEndOfALeaseIsDragged(t *testing.T) {
	t.Parallel()
	for name, drag := range map[string]func(b *tab){
		"mouse": func(b *tab) {
			at := eval[[]float64](b, `(() => { const r = document.querySelector('#answer').getBoundingClientRect(), y = r.top + r.height / 2;
				const x = (ms) => r.left + 7.5 + (r.width - 15) * ms / 40000; return [x(20000), y, x(30000), y] })()`)
			b.do(chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft), chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[2], at[3], chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseReleased, at[2], at[3], chromedp.ButtonLeft))
		},
		"keyboard": func(b *tab) {
			eval[bool](b, `(() => { document.querySelector('#answer').focus(); return true })()`)
			for range 10 {
				b.do(chromedp.KeyEvent(kb.ArrowRight))
			}
		},
	} {
		b := onScreen(t)
		b.visit(serve(t).url + "/en/lessons/redisson-lock/")
		for !b.exists("#answer") {
			b.key(kb.Enter)
		}
		drag(b)
		if said, end := eval[string](b, `document.querySelector('#answer').ariaValueText`), b.text(".lease-end output"); said != "30 s" || end != said {
			t.Errorf("%s: dragged to 30 s, it says %q and shows %q", name, said, end)
		}
		if name == "keyboard" {
			b.key(kb.Enter)
		} else {
			b.act(func() { b.do(press(".lease-end .option")) })
		}
		if !b.exists("#f-story .grade.right") {
			t.Errorf("%s: the story says %s", name, b.text("#f-story"))
		}
	}
}

func TestStartingOverIsInAMenu(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.visit(a.url + lesson)
	b.click("#go")
	b.startOver()
	b.at("0 / 0")
	if !b.exists("#go:focus") || eval[bool](b, `document.querySelector('#story-menu').matches(':popover-open')`) {
		t.Error("the menu is still open, or the focus is not on the story's button")
	}
}

func (b *tab) startOver() {
	b.t.Helper()
	b.do(press(`[popovertarget="story-menu"]`))
	b.click(`#story-menu [data-op="reset"]`)
}

// Clicks that come faster than what they do is drawn make no step that nobody saw.
func TestImpatientClicksKeepTheStory(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := onScreen(t)
	b.visit(a.url + lesson)
	for step := range 4 {
		b.act(func() {
			eval[bool](b, `(() => { for (let i = 0; i < 5; i++) document.querySelector('#go').click(); return true })()`)
		})
		b.at(fmt.Sprintf("%d / %d", step+1, step+1))
		if b.exists("form.predict") {
			break
		}
	}
}

// Tab leads to the story's button, from where the space bar goes on.
func TestAStoryIsPlayedWithoutAMouse(t *testing.T) {
	t.Parallel()
	forEachStory(t, func(t *testing.T, b *tab) {
		t.Helper()
		for n := 0; !eval[bool](b, leads); n++ {
			if n > 80 {
				t.Fatalf("Tab does not lead to the story's button: it is at %s", eval[string](b, `document.activeElement.outerHTML.slice(0, 300)`))
			}
			b.do(chromedp.KeyEvent(kb.Tab))
		}
		for step := 1; b.exists(goesOn); step++ {
			b.key(" ")
			b.goesOn(step)
		}
	})
}
