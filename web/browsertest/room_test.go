package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/node/sample"
)

// cutOff are the texts of elements that have less room than they need, or that are broken
// inside a word.
const cutOff = `((selector) => [...document.querySelectorAll(selector)].filter((e) => {
	const range = document.createRange();
	range.selectNodeContents(e);
	const lines = new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size;
	return e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1 || (!e.textContent.trim().includes(' ') && lines > 1);
}).map((e) => e.textContent.trim()).join(', '))`

// What stands in the head of a lane is read as a whole, on small screens too.
func TestLaneHeadsHaveRoomForTheirWords(t *testing.T) {
	t.Parallel()
	a := serve(t)
	b := open(t)
	type place struct {
		path, selector string
		steps          int
	}
	for _, place := range sample.Sample(t, []place{
		{"no-ttl", ".thread .status", 5},        // a process that has crashed, a client that sleeps for a day
		{"redisson-lock", ".thread .status", 8}, // a client that has ended
		{"eval", ".now-text", 6},                // an error with a SHA-1
		{"oversell", ".now-text", 4},            // a step that breaks a rule
		{"redlock", ".lane-node .chip", 11},     // a server that is down
		{"redisson-lock", ".actor-next", 5},     // a client that waits for a message on a channel with a long name, beside a task
		{"redisson-lock", ".actor-next", 8},     // a client to whom the message has come
		{"zk-predecessor", ".actor-next", 5},    // a client that waits for an event
		{"three-servers", ".node", 11},          // a znode whose end is now known
		{"rw-upgrade", ".cards .chip", 7},       // who is inside one section and wants another
		{"shedlock", ".cards .chip", 2},         // a section with a long name
	}, sample.RoomsTried) {
		b.visit(a.url + "/en/lessons/" + place.path + "/")
		steps(place.steps)(b)
		for _, l := range []look{{name: "desk", width: 1440, height: 900}, {name: "laptop", width: 1280, height: 720}} {
			b.emulate(l)
			if cut := eval[string](b, cutOff+"("+fmt.Sprintf("%q", place.selector)+")"); cut != "" {
				t.Errorf("%s, %s: there is no room for %s", place.path, l.name, cut)
			}
		}
	}
	b.visit(a.url + "/en/lessons/stock-cas/")
	b.emulate(desk)
	if over := eval[float64](b, `document.querySelector('.actor-head > .num').getBoundingClientRect().right - document.querySelector('.actor:has(.actor-head > .num)').getBoundingClientRect().right`); over > 0 {
		t.Errorf("of how many clients a lane has, %.0f pixels are hidden", over)
	}
}

// The key that runs a client stands on its button, however many there are beside it, and nothing in a head lies over something else.
func TestTheKeysOfClientsAreShown(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, name := range []string{"set-nx", "no-ttl", "stock-cas", "stranger-deletes"} {
		b.visit(serve(t).url + "/zh/lessons/" + name + "/")
		for _, l := range []look{desk, {name: "laptop", width: 1280, height: 720}} {
			b.emulate(l)
			if got := eval[string](b, `[...document.querySelectorAll('.cards > .actor')].flatMap((head) => {
				const box = (e) => e.getBoundingClientRect(), kbd = head.querySelector('.run kbd');
				const all = [...head.querySelectorAll('.actor-name, .bolt, .run')].filter((e) => e.checkVisibility()).map(box);
				const over = all.some((r, i) => all.slice(i + 1).some((s) => r.left < s.right - .5 && s.left < r.right - .5 && r.top < s.bottom - .5 && s.top < r.bottom - .5));
				if (over || !kbd?.checkVisibility() || box(kbd).right > box(head).right) return [head.querySelector('.actor-name').textContent.trim() + (over ? ' (covered)' : '')];
				return [];
			}).join(', ')`); got != "" {
				t.Errorf("%s, %s: no key is shown of %s", name, l.name, got)
			}
		}
	}
}

// What just happened is one line on a phone, beside a question and with its answer: a click opens it.
func TestWhatJustHappenedOpens(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.opensOn("story")
	for _, l := range []look{{name: "laptop", width: 1280, height: 720}, {name: "phone", width: 390, height: 844}} {
		b.emulate(l)
		b.visit(serve(t).url + "/en/lessons/message-for-all/")
		if l.name == "phone" {
			steps(1)(b)
		} else {
			steps(4)(b) // to a question
		}
		const cut = `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.now-text'))`
		if !eval[bool](b, cut) {
			t.Errorf("%s: nothing is to be opened", l.name)
		}
		b.do(press(".now-text"))
		if eval[bool](b, cut) {
			t.Errorf("%s: it stays one line", l.name)
		}
	}
}

// On a phone the dock says in full what comes next, and each client in a line.
func TestTheDockSaysInFullWhatComesNext(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{"phone", 360, 740, "light", false})
	for _, place := range []struct {
		path  string
		steps int
	}{{"set-nx", 1}, {"redisson-lock", 2}, {"redisson-lock", 8}, {"redisson-lock", 10}, {"sql-deadlock", 6}} {
		b.visit(serve(t).url + "/en/lessons/" + place.path + "/")
		steps(place.steps)(b)
		if cut := eval[string](b, cutOff+`("#f-lead .next p")`); cut != "" {
			t.Errorf("%s, step %d: there is no room for %s", place.path, place.steps, cut)
		}
		if eval[bool](b, `!document.querySelector('.predict') && [...document.querySelectorAll('.thread:not(.task) .actor-next')].some((e) => e.clientHeight < 12 || e.clientHeight > 24)`) {
			t.Errorf("%s, step %d: what a client sends is not said in a line", place.path, place.steps)
		}
		if eval[bool](b, `(() => {
			const text = document.createRange();
			text.selectNodeContents(document.querySelector('#f-lead .next p'));
			const place = document.querySelector('#f-place').getBoundingClientRect();
			return [...text.getClientRects()].some((r) => r.right > place.left && r.bottom > place.top && r.top < place.bottom);
		})()`) {
			t.Errorf("%s, step %d: where one is lies over what comes next", place.path, place.steps)
		}
	}
}

func TestAMessageAboutSharingMovesNothing(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	eval[bool](b, `(navigator.clipboard.writeText = async () => {}, true)`)
	const where = `JSON.stringify([...document.querySelectorAll('.topbar :is(button, a)')].map((e) => e.getBoundingClientRect()))`
	before := eval[string](b, where)
	b.do(press(`[data-ui="share"]`))
	b.until(`getComputedStyle(document.querySelector('[data-ui="share"]'), '::after').content.includes('Link copied')`)
	if after := eval[string](b, where); after != before {
		t.Errorf("the bar was %s and is %s", before, after)
	}
}

// What is refused is told over nothing that one acts on, and who closes it is where they were.
func TestAMessageOfARefusalCoversNoButton(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, screen := range []look{desk, {name: "laptop", width: 1280, height: 720}, {name: "phone", width: 360, height: 740}} {
		b.emulate(screen)
		b.visit(serve(t).url + "/en/lessons/set-nx/")
		eval[bool](b, `(navigator.clipboard.writeText = async () => { throw new Error('refused') }, true)`)
		eval[bool](b, `(document.querySelector('[data-ui="share"]').focus(), document.querySelector('[data-ui="share"]').click(), true)`)
		b.until(`document.querySelector('#failed').checkVisibility()`)
		if covered := eval[string](b, `(() => {
			const r = document.querySelector('#failed').getBoundingClientRect();
			return [...document.querySelectorAll(':is(button, a, input, select):not(#failed *)')].filter((e) => {
				const s = e.getBoundingClientRect();
				return e.checkVisibility() && s.width > 1 && s.left < r.right && s.right > r.left && s.top < r.bottom && s.bottom > r.top;
			}).map((e) => e.className + ' ' + e.textContent.trim()).join(', ');
		})()`); covered != "" {
			t.Errorf("%s: it lies over %s", screen.name, covered)
		}
		b.do(press("#failed .btn"))
		b.until(`!document.querySelector('#failed').checkVisibility()`)
		if !b.exists(`[data-ui="share"]:focus`) {
			t.Errorf("%s: who has closed it is nowhere", screen.name)
		}
	}
}

// On a phone, what a search has found is seen where one is, and how many branches there are.
func TestOnAPhoneNothingIsOutOfSight(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{"phone", 390, 844, "light", false})
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.toTheEnd()
	b.findBreak()
	b.until(`(() => { const r = document.querySelector('#f-search .grade').getBoundingClientRect(); return r.top >= 0 && r.bottom <= document.querySelector('.lead').getBoundingClientRect().top })()`)
	if !eval[bool](b, `(() => {
		const r = document.querySelector('[popovertarget="f-branches"] .num').getBoundingClientRect();
		return ['left', 'right'].every((x) => ['top', 'bottom'].every((y) => document.elementFromPoint(r[x] - (x === 'right'), r[y] - (y === 'bottom'))?.closest('[popovertarget="f-branches"]')));
	})()`) {
		t.Error("the number of branches is cut off")
	}
}

// A challenge on a phone leaves the diagram the room of several steps, and in a low frame of another page that of some.
func TestAChallengeOnAPhoneLeavesTheDiagramItsRoom(t *testing.T) {
	t.Parallel()
	const high = `document.querySelector('.col-timeline > .scroll').getBoundingClientRect().bottom - document.querySelector('.heads').getBoundingClientRect().bottom`
	home := serve(t).url
	for at, least := range map[look]float64{{"phone", 390, 844, "light", false}: 200, {"frame", 660, 480, "light", false}: 40, {"low", 640, 360, "light", false}: 50} {
		b := open(t)
		b.emulate(at)
		b.visit(home + "/en/lessons/set-nx/")
		b.toTheEnd()
		b.click(`#f-challenge [data-op="try"]`)
		b.at("0 / 0")
		if got := eval[float64](b, high); got < least {
			t.Errorf("%s: the diagram has %.0f pixels", at.name, got)
		}
	}
}

// On a small phone a hint, what was won and what a search has found leave the diagram its room, too.
func TestWhatThereIsToDoOnASmallPhoneLeavesTheDiagramItsRoom(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{"phone", 360, 740, "light", false})
	b.visit(serve(t).url + "/zh/lessons/set-nx/")
	b.toTheEnd()
	for _, press := range []string{"#challenge-try", "#challenge-help", "#challenge-solve", ""} {
		if press == "" {
			b.findBreak()
		} else {
			b.click(press)
		}
		if got := eval[float64](b, `document.querySelector('.col-timeline').offsetHeight`); got < 150 {
			t.Errorf("after %q the diagram has %.0f pixels", press, got)
		}
		if got := eval[string](b, `[...document.querySelectorAll('.clock .row > *')].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.textContent.trim()).join(', ')`); got != "" {
			t.Errorf("after %q %s are out of sight", press, got)
		}
	}
}

// Whatever a phone shows in its tabs, the way on has one place and lies below nothing; tools are as high as a thumb needs.
func TestNothingCoversTheWayOnOfAPhone(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{"phone", 390, 844, "light", false})
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	if low := eval[string](b, `[...document.querySelectorAll('.topbar .tools > *, .topbar > :is(a, button)')].filter((e) => e.checkVisibility() && (e.offsetHeight < 44 || e.offsetWidth < 24)).map((e) => e.ariaLabel || e.textContent).join(', ')`); low != "" {
		t.Errorf("too small for a thumb are %s", low)
	}
	const height = `document.querySelector('#go').getBoundingClientRect().top`
	place := eval[float64](b, height)
	for _, tab := range []string{"state", "script", "timeline"} {
		b.do(press(fmt.Sprintf(`.tabs [data-tab=%q]`, tab)))
		if now := eval[float64](b, height); now != place {
			t.Errorf("%s: the way on is %.0f pixels higher", tab, place-now)
		}
		if over := eval[string](b, `[...document.querySelectorAll('#go, .mode, #f-transport .btn')].map((e) => {
			const r = e.getBoundingClientRect(), seen = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
			return e.contains(seen) ? '' : e.textContent.trim() + ' by ' + seen?.className;
		}).filter(Boolean).join(', ')`); over != "" {
			t.Errorf("%s: covered are %s", tab, over)
		}
	}
}

// On a small screen a question that has the room of a sentence takes none of the diagram.
func TestAQuestionIsNoHigherThanASentence(t *testing.T) {
	t.Parallel()
	for _, screen := range []look{{"phone", 390, 844, "light", false}, {"tablet", 768, 1024, "light", false}} {
		b := open(t)
		b.opensOn("story")
		b.emulate(screen)
		b.visit(serve(t).url + "/en/lessons/set-nx/")
		const top = `document.querySelector('.caption').getBoundingClientRect().top`
		place := eval[float64](b, top)
		for !b.exists(".predict") {
			place = eval[float64](b, top)
			b.click("#go")
		}
		if now := eval[float64](b, top); place-now > 1 {
			t.Errorf("%s: it is %.0f pixels higher", screen.name, place-now)
		}
	}
}

// On a phone a hint is read beside its task, whether that is to move or to repair.
func TestAPhoneShowsAHintWithItsTask(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		b := open(t)
		b.emulate(look{"phone", 360, 740, "light", false})
		b.visit(serve(t).url + "/" + lang + "/lessons/set-nx/")
		b.toTheEnd()
		b.click(`#f-challenge [data-op="try"]`)
		b.click("#challenge-help")
		b.inSight("to move, "+lang, "#f-challenge > .prose, #challenge-solve", ".slots")
		b.inSight("the way back, "+lang, "#f-transport .btn, #go, .clock .row", ".caption")
		b.visit(serve(t).url + "/" + lang + "/lessons/stampede/")
		b.toTheEnd()
		b.click("#challenge-help")
		b.inSight("to repair, "+lang, "#f-challenge > .prose", ".slots")
		if high := eval[float64](b, `document.querySelector('.col-timeline > .scroll').getBoundingClientRect().bottom - document.querySelector('.heads').getBoundingClientRect().bottom`); high < 60 {
			t.Errorf("%s: the diagram has %.0f pixels", lang, high)
		}
	}
}

// A repair is made on small screens, too: the text and its buttons are in sight.
func TestASmallScreenShowsTheEditorsTextAndButtons(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/no-ttl/")
	b.toTheEnd()
	b.do(press("#challenge-edit"))
	b.until(inEditor)
	const small = `[...document.querySelectorAll('.cards :is(.actor-name, .run, .bolt)')].filter((e) => e.checkVisibility() && Math.min(e.offsetWidth, e.offsetHeight) < 24).map((e) => e.textContent.trim()).join(', ')`
	if got := eval[string](b, small); got != "" {
		t.Errorf("smaller than 24 pixels are %s", got)
	}
	for _, l := range []look{{"200%", 720, 450, "light", false}, {"small phone", 360, 640, "light", false}, {"phone", 390, 844, "light", false}} {
		b.emulate(l)
		b.until(fmt.Sprintf(`innerWidth === %d`, l.width))
		if out := eval[string](b, `(() => {
			const end = Math.min(document.querySelector('#editor').getBoundingClientRect().bottom, document.querySelector('.caption').getBoundingClientRect().top);
			return [...document.querySelectorAll('#editor .btn')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().bottom > end).map((e) => e.textContent.trim()).join(', ');
		})()`); out != "" {
			t.Errorf("%s: out of sight are %s", l.name, out)
		}
		if got := eval[float64](b, `document.querySelector('#editor-apply').getBoundingClientRect().top - document.querySelector('#editor-part').getBoundingClientRect().bottom`); got < 100 {
			t.Errorf("%s: the text has %.0f pixels", l.name, got)
		}
	}
}

// Who reloads a challenge that is being tried is still there.
func TestAChallengeSurvivesAReload(t *testing.T) {
	t.Parallel()
	for _, home := range []string{serve(t).url + "/", exported(t, false).home} {
		b := open(t)
		b.visit(home + "en/lessons/set-nx/")
		b.toTheEnd()
		b.click(`#f-challenge [data-op="try"]`)
		b.visit(eval[string](b, `location.href`))
		b.at("0 / 0")
		if !strings.HasPrefix(b.text("#f-challenge"), "Challenge 1 of") || b.text("#go") != "Back to the story" {
			t.Errorf("%s: the page shows %s", home, b.text(".col-story"))
		}
	}
}

// Forced colours have a ground of their own, whatever theme was chosen here: what is drawn
// on it must be read there.
func TestDrawingsAreReadOnTheGroundOfForcedColours(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.first(`localStorage.setItem('lockstep-theme', 'light')`)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.media("dark", "active")
	b.visit(serve(t).url + "/en/lessons/set-nx/")
	b.click("#go")
	const unread = `(() => {
		const ground = getComputedStyle(document.documentElement).backgroundColor;
		const light = (c) => c.match(/[0-9.]+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0) / 765;
		return [...document.querySelectorAll('svg text')].filter((e) => Math.abs(light(getComputedStyle(e).fill) - light(ground)) < .4).map((e) => e.textContent).join(', ');
	})()`
	if texts := eval[string](b, unread); texts != "" {
		t.Errorf("nobody can read %s", texts)
	}
	if !eval[bool](b, `getComputedStyle(document.querySelector('#go')).backgroundColor !== getComputedStyle(document.documentElement).backgroundColor`) {
		t.Error("the first button is filled as all others are")
	}
	if got := eval[int](b, `new Set([...document.querySelectorAll('.thread .status:not(.st-crashed)')].map((e) => getComputedStyle(e).color)).size`); got != 1 {
		t.Errorf("the states of clients have %d colours", got)
	}
	if !eval[bool](b, `(() => { const s = getComputedStyle(document.querySelector('.threads [aria-pressed="true"]')); return s.color !== s.backgroundColor })()`) {
		t.Error("nobody can read whose code it is")
	}
}

// What stands on paper can be read there, and nobody can press it.
func TestNoButtonsStandOnPaper(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.visit(serve(t).url + "/en/lessons/redisson-lock/")
	const shown = `[...document.querySelectorAll('.side-why button')].filter((e) => e.checkVisibility()).map((e) => e.textContent.trim()).join(', ')`
	if got, want := eval[string](b, shown), "Original comments"; got != want {
		t.Errorf("on the screen is %q, want %q", got, want)
	}
	b.printed()
	if got := eval[string](b, shown); got != "" {
		t.Errorf("on paper is %q", got)
	}
}

// media sets which colours the system has.
func (b *tab) media(scheme, forced string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "forced-colors", Value: forced}},
		})
		return chromedp.Void{}, err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// Up to four lanes have room on a phone: nothing of the diagram is out of sight, or scrolls.
func TestAPhoneHasRoomForFourLanes(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/en/lessons/redisson-lock/", "/zh/lessons/redisson-lock/", "/en/lessons/set-nx/"} { // of four lanes
		b := open(t)
		b.emulate(look{"phone", 360, 740, "light", false})
		b.play(serve(t).url+path, 9)
		b.do(press(`[data-ui="tab"][data-tab="timeline"]`))
		if cut := eval[string](b, `(() => {
			const box = document.querySelector('.col-timeline > .scroll').getBoundingClientRect();
			return [...document.querySelectorAll('.diagram text')].filter((e) => e.checkVisibility()).filter((e) => {
				const r = e.getBoundingClientRect();
				return r.left < box.left - 1 || r.right > box.right + 1;
			}).map((e) => e.textContent).join(', ');
		})()`); cut != "" {
			t.Errorf("%s: cut off are %s", path, cut)
		}
		if eval[bool](b, `(() => { const s = document.querySelector('.col-timeline > .scroll'); return s.scrollWidth > s.clientWidth })()`) {
			t.Errorf("%s: the diagram scrolls", path)
		}
	}
}

// On a low page, as at 200%, all answers are in sight, beside the button that goes on; and the diagram has its line of the present.
func TestALowPageShowsTheAnswersAndTheButton(t *testing.T) {
	t.Parallel()
	for _, l := range []look{{"200%", 720, 450, "light", false}, {"tablet", 800, 450, "light", false}, {"window", 1280, 450, "light", false}} {
		b := open(t)
		b.emulate(l)
		b.play(serve(t).url+"/en/lessons/redisson-lock/", 1)
		if out := eval[string](b, `(() => {
			const go = document.getElementById('go').getBoundingClientRect();
			return [...document.querySelectorAll('.answers :is(button, input)')].filter((e) => {
				const r = e.getBoundingClientRect();
				return go.bottom > innerHeight || r.bottom > innerHeight || r.right > go.left && r.bottom > go.top;
			}).map((e) => e.textContent || e.id).join(', ');
		})()`); out != "" {
			t.Errorf("%s: out of sight, or over the button, are %s", l.name, out)
		}
		if !b.exists(".events .now") || !eval[bool](b, `document.querySelector('.events .now').checkVisibility()`) {
			t.Errorf("%s: no line shows the present", l.name)
		}
	}
}

// Where a challenge leaves code no room, the page scrolls to it, and to the line that runs.
func TestALowPageHasCodeBelowAChallenge(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(look{"laptop", 1280, 720, "light", false})
	b.visit(serve(t).url + "/en/lessons/lease-outlived/")
	b.toTheEnd()
	const seen = `(e) => {
		const r = e.getBoundingClientRect();
		return e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
	}`
	if !eval[bool](b, `(() => {
		const source = document.querySelector('#f-script').closest('.source');
		source.scrollIntoView({ block: 'end' });
		return source.clientHeight >= 32 && (`+seen+`)(source);
	})()`) {
		t.Error("code lies outside of the page")
	}
	eval[bool](b, `(document.querySelector('.aside').scrollTop = 0, true)`)
	b.lineKey(kb.ArrowRight)
	if !eval[bool](b, `(`+seen+`)(document.querySelector('#f-script .at'))`) {
		t.Error("the line that runs is not in sight")
	}
}

// Of three servers, none is below the fold while the story uses it.
func TestThreeServersAreSeenTogether(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.emulate(desk)
	b.play(serve(t).url+"/en/lessons/three-servers/", 8)
	if !eval[bool](b, `[...document.querySelectorAll('.node-head')].every((e) => e.getBoundingClientRect().bottom < document.querySelector('.col-keys').getBoundingClientRect().bottom)`) {
		t.Error("the head of a server is out of sight")
	}
}

// The first screen of a phone says how to begin.
func TestAPhonesFirstScreenSaysHowToBegin(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		b := open(t)
		b.emulate(look{"phone", 360, 640, "light", false})
		b.do(chromedp.Navigate(serve(t).url + "/" + lang + "/"))
		if !eval[bool](b, `document.querySelector('.ways .btn').getBoundingClientRect().bottom < innerHeight`) {
			t.Errorf("%s: the way into the first lesson is below the fold", lang)
		}
		b.emulate(look{"phone", 360, 740, "light", false})
		if over := eval[float64](b, `document.querySelector('#strip').getBoundingClientRect().bottom - innerHeight`); over > 0 {
			t.Errorf("%s: %.0f pixels of the lock to break are below the fold", lang, over)
		}
	}
}

// The lanes' heads push the timeline down when they need more room, and not up again.
func TestTheTimelineDoesNotGoUpAndDown(t *testing.T) {
	t.Parallel()
	b := onScreen(t)
	b.emulate(desk)
	b.visit(serve(t).url + "/en/lessons/redisson-lock/")
	top := 0.0
	for step := range 14 {
		b.click("#go")
		now := eval[float64](b, `document.querySelector('.col-timeline').getBoundingClientRect().top`)
		if now < top {
			t.Errorf("after step %d the timeline is %.0f pixels higher", step+1, top-now)
		}
		top = now
	}
}
