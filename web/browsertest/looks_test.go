package browsertest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/lessons"
	"lockstep/node/sample"
)

// make screenshots makes pictures, those of README among them; more are made by
//
//	go test ./web/browsertest -run Accessible -screenshots /tmp/pictures
var screenshots = flag.String("screenshots", "", "write pictures of the pages into this `folder`")

// look is one way of looking at a page.
type look struct {
	name          string
	width, height int64
	scheme        string
	axe           bool // axe-core may look, too: at each scheme and at each layout once
}

// pictured tells whether a look differs from another one in its colours only: without axe-core
// only people see that.
func (l look) pictured() bool { return l.name == "dark" || l.name == "phone" }

var looks = []look{
	{"light", 1280, 900, "light", true},
	{"dark", 1280, 900, "dark", false},
	{"phone", 390, 844, "light", false},
	{"phone-dark", 390, 844, "dark", true},
	{"wide", 1720, 1000, "light", false},
	{"tablet", 900, 1200, "light", false},
}

// place is a page to look at, and how many steps to take there.
type place struct {
	lang, name, path string
	steps            int
}

// pages are by kind: one of each kind is looked at with each change.
var pages = [][]place{
	{{"en", "home", "", 0}, {"zh", "home", "", 0}},
	{{"en", "compare", "compare/", 0}, {"zh", "compare", "compare/", 0}},
	{{"en", "redisson-lock", "lessons/redisson-lock/", 8}, {"zh", "fair-lock", "lessons/fair-lock/", 7}},
	{{"zh", "set-nx", "lessons/set-nx/", 6}, {"zh", "sql-deadlock", "lessons/sql-deadlock/", 5}}, // ask for a prediction and for a choice
}

func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := serve(t)
	var all []place
	for _, kind := range pages {
		all = append(all, sample.Sample(t, kind, 1)...)
	}
	for _, p := range all {
		t.Run(p.lang+"/"+p.name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.emulate(looks[0])
			if p.steps == 0 {
				b.do(chromedp.Navigate(a.url + "/" + p.lang + "/" + p.path))
			} else {
				b.play(a.url+"/"+p.lang+"/"+p.path, p.steps)
			}
			b.isAccessible(p.lang, p.name)
		})
	}
}

// The texts of a lesson have the sizes of one scale, code among words, too, and what is to be done first is one button.
func TestTextsHaveTheSizesOfTheScale(t *testing.T) {
	t.Parallel()
	const other = `(() => {
		const probe = document.body.appendChild(document.createElement('p')), scale = ['t1', 't2', 't3', 't4', 't5', 't6'].map((t) => {
			probe.style.fontSize = 'var(--' + t + ')';
			return getComputedStyle(probe).fontSize;
		});
		probe.remove();
		const own = (e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
		return [...document.querySelectorAll('body *')].filter((e) => own(e) && e.checkVisibility() && !['0px', ...scale].includes(getComputedStyle(e).fontSize)).map((e) => e.textContent.trim() + ' ' + getComputedStyle(e).fontSize).join(', ');
	})()`
	const filled = `[...document.querySelectorAll('.btn.primary')].filter((e) => e.checkVisibility() && getComputedStyle(e).color !== getComputedStyle(e).borderTopColor).map((e) => e.innerText.trim()).join(', ')`
	for mode, want := range map[string]string{"story": "Repair it", "lab": "Open the code and repair it"} {
		b := open(t)
		b.opensOn(mode)
		b.emulate(desk)
		for _, p := range []place{{path: "set-nx", steps: 6}, {path: "redisson-lock", steps: 5}} {
			b.visit(serve(t).url + "/en/lessons/" + p.path + "/")
			steps(p.steps)(b)
			if got := eval[string](b, other); got != "" {
				t.Errorf("%s, %s: of other sizes are %s", mode, p.path, got)
			}
		}
		b.visit(atTheEnd(serve(t).url, "en", lessons.Find(catalog(t), "no-ttl")))
		if got := eval[string](b, filled); got != want {
			t.Errorf("%s: filled are %s, want %s", mode, got, want)
		}
	}
}

// play opens a lesson and takes some steps.
func (b *tab) play(url string, steps int) {
	b.t.Helper()
	b.visit(url)
	for range steps {
		b.click(forward)
	}
}

// inspectedLooks is how many of the looks axe-core has with each change: it takes as long as all
// else that a test of them does. In make test-full it has both.
const inspectedLooks = 1

// isAccessible looks at what the tab shows in every look. What a narrow screen has
// behind tabs is brought forward by the steps.
func (b *tab) isAccessible(lang, name string, whenNarrow ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	inspected := sample.Sample(b.t, slices.DeleteFunc(slices.Clone(looks), func(l look) bool { return !l.axe }), inspectedLooks)
	for _, l := range looks {
		if l.pictured() && *screenshots == "" {
			continue
		}
		b.emulate(l)
		if l.width < 700 {
			b.do(whenNarrow...)
		}
		b.write(lang + "-" + l.name + "-" + name + ".png")
		if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			b.t.Errorf("%s: the page is %d pixels wider than its screen", l.name, wide)
		}
		if slices.Contains(inspected, l) {
			b.checkAxe(l.name)
		}
	}
	b.emulate(looks[0])
}

// axe is the part of axe-core's report that a failure shows.
type axe struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML           string
		FailureSummary string
	}
}

// axeCore is the script that looks at a page as its users with impairments would.
const axeCore = "../../static/node_modules/axe-core/axe.min.js"

// checkAxe lets axe-core look at the page.
func (b *tab) checkAxe(look string) {
	b.t.Helper()
	source, err := os.ReadFile(axeCore)
	if err != nil {
		b.t.Fatal(err)
	}
	if !eval[bool](b, "'axe' in window") {
		eval[bool](b, string(source)+"; true")
	}
	for _, v := range eval[[]axe](b, `axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)`) {
		for _, n := range v.Nodes {
			b.t.Errorf("%s: %s (%s): %s\n%s\n%s", look, v.ID, v.Impact, v.Help, n.HTML, n.FailureSummary)
		}
	}
}

// write keeps a picture of what the tab shows, when it is asked for.
func (b *tab) write(name string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	if err := os.MkdirAll(*screenshots, 0o755); err != nil {
		b.t.Fatal(err)
	}
	b.picture(filepath.Join(*screenshots, name))
}

// picture writes what the tab shows into a file.
func (b *tab) picture(file string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
