package browsertest

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/node/sample"
	"lockstep/web/player"
)

// desk is the screen for which the page is made.
var desk = look{"desk", 1440, 900, "light", false}

// inspected is the desk with axe-core, for what no other test shows to it.
var inspected = look{"desk", 1440, 900, "light", true}

// view is one way in which a visitor may find the page, for people to look at: make screenshots.
type view struct {
	name   string
	look   look
	path   string
	then   func(b *tab)
	shows  string // what it is about
	inDocs string // the name of its picture in README, with its outline beside it
}

var views = []view{
	{"01-first-visit", desk, "/en/", nil, "#strip", ""},
	{"02-mid-story", desk, "/en/lessons/redisson-lock/", steps(8), "#go", "screenshot"},
	{"03-breach", inspected, "/en/lessons/set-nx/", func(b *tab) {
		for !b.exists(".broken") {
			b.click("#go")
		}
		b.do(press(`[popovertarget="f-why"]`))
	}, "#f-why:popover-open .cause", ""},
	{"04-inside-a-script", desk, "/en/lessons/redisson-lock/", func(b *tab) {
		steps(2)(b)
		for range 3 {
			b.key(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
		}
	}, "#f-script .at", ""},
	{"05-side-by-side", inspected, "/en/lessons/set-nx/", func(b *tab) {
		for !b.exists(".broken") {
			b.click("#go")
		}
		b.click(".mode")
		b.click(first)
		b.click(choice("run A"))
		b.click(choice("tick 1s"))
		b.click(choice("run B"))
		b.do(press(`[popovertarget="f-branches"]`))
		b.click(`#f-branches [data-op="beside"]`)
	}, ".beside .tear", "side-by-side"},
	{"06-phone", look{"phone", 390, 844, "light", false}, "/en/lessons/redisson-lock/", steps(8), "#go", ""},
	{"07-dark", look{"dark", 1440, 900, "dark", false}, "/en/lessons/fair-lock/", steps(9), "#go", ""},
	{"08-chinese", desk, "/zh/lessons/redisson-lock/", steps(8), "#go", ""},
	{"09-print", look{"print", 1000, 1400, "light", false}, "/en/lessons/redisson-lock/", func(b *tab) {
		steps(8)(b)
		b.printed()
	}, "#f-timeline", ""},
	{"10-presenter", look{"stage", 1920, 1080, "light", true}, "/en/lessons/set-nx/?view=present", steps(5), "#go", ""},
	{"11-five-nodes", desk, "/en/lessons/redlock-clock/", steps(5), "#go", ""},
	{"12-300-steps", desk, "/en/lessons/redisson-lock/", func(b *tab) {
		b.visit(eval[string](b, `location.origin + location.pathname`) + "?p=300&s=" + longSchedule(b.t, 300))
		b.at("300 / 300")
	}, ".off-story", ""},
	{"13-proof", look{"tall", 1440, 1460, "light", false}, "/en/lessons/compare-and-delete/", func(b *tab) {
		b.toTheEnd()
		b.click(".mode")
		b.click("#challenge-help")
		b.click("#challenge-solve")
		b.click(`#f-challenge [data-op="next-challenge"]`)
		b.click("#challenge-help")
		b.click("#challenge-solve")
		b.click("#challenge-check")
		b.until(`document.querySelector('#f-challenge .grade.right')`)
	}, "#f-challenge .tree", "proof"},
}

// Each view is what it should be, and no wider than its screen; axe-core looks at the kinds of
// pages that other tests do not have, and in make test-full at all. With -screenshots FOLDER
// there are pictures of all of them.
func TestViews(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.opensOn("story") // as everybody finds it
			b.emulate(v.look)
			if v.then == nil {
				b.do(chromedp.Navigate(a.url + v.path))
			} else {
				b.visit(a.url + v.path)
				v.then(b)
			}
			b.until(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, v.shows))
			b.write(v.name + ".png")
			if v.inDocs != "" {
				b.isPictured("../../docs/" + v.inDocs)
			}
			if v.look.axe || sample.Everything() {
				b.checkAxe(v.name)
			}
			if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("the page is %d pixels wider than its screen", wide)
			}
		})
	}
}

// outline is the shape of a page: its parts, panels, fragments and headings, as they stand in each
// other, and what its header offers. Numbers there count lessons.
const outline = `(() => {
	const offers = (e) => [...e.querySelectorAll('a, button, summary')].filter((c) => c.checkVisibility() && !c.closest('[id^="f-"]'))
		.map((c) => (c.getAttribute('aria-label') ?? c.textContent).trim().replace(/\s+/g, ' ').replace(/\d+/g, 'N')).join(' | ');
	const lines = [];
	const walk = (parent, depth) => {
		for (const e of parent.children) {
			if (!e.checkVisibility()) continue;
			let line = '';
			if (/^H[1-3]$/.test(e.tagName)) line = e.tagName.toLowerCase() + ' ' + e.textContent.trim().replace(/\s+/g, ' ');
			else if (e.id.startsWith('f-')) line = '#' + e.id;
			else if (e.matches('header, nav, main, .panel, [data-panel], .transport')) line = [e.tagName.toLowerCase(), ...e.classList].join('.');
			if (e.matches('header')) line += ': ' + offers(e);
			if (line) lines.push('  '.repeat(depth) + line);
			walk(e, line ? depth + 1 : depth);
		}
	};
	walk(document.body, 0);
	return lines.join('\n') + '\n';
})()`

// isPictured holds that the page has the shape that a picture in the documentation shows.
func (b *tab) isPictured(name string) {
	b.t.Helper()
	b.isOutlined(name, "png", eval[string](b, outline), b.picture)
}

// isOutlined holds that what a picture in the documentation shows is as its outline says. make screenshots writes both.
func (b *tab) isOutlined(name, kind, shape string, write func(file string)) {
	b.t.Helper()
	if *screenshots != "" {
		write(name + "." + kind)
		if err := os.WriteFile(name+".txt", []byte(shape), 0o644); err != nil {
			b.t.Fatal(err)
		}
		return
	}
	pictured, err := os.ReadFile(name + ".txt")
	if err != nil {
		b.t.Fatal(err)
	}
	if diff := cmp.Diff(string(pictured), shape); diff != "" {
		b.t.Errorf("%s.%s shows a page of another shape (-): run make screenshots and look at it\n%s", name, kind, diff)
	}
}

// steps goes on with the story, up to its end; a question is left empty.
func steps(n int) func(b *tab) {
	return func(b *tab) {
		for i := 0; i < n && b.exists(goesOn); i++ {
			b.click("#go")
		}
	}
}

// printed shows the page as it would be on paper.
func (b *tab) printed() {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return chromedp.Void{}, err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// longSchedule has some steps of Redisson's lock: A holds it, and B asks again and again.
func longSchedule(t testing.TB, steps int) string {
	t.Helper()
	all := catalog(t)
	p := &player.Playground{Catalog: player.NewCatalog(all), Engines: []player.Engine{player.Embedded{}}}
	s := p.NewSession("long")
	defer s.Close()
	if err := s.Load(t.Context(), player.Place{Lesson: "redisson-lock"}); err != nil {
		t.Fatal(err)
	}
	for n := range steps {
		c := engine.Choice{Kind: engine.Tick}
		for _, o := range s.View().Snapshot().Options {
			if o.Enabled() && o.Choice.Kind == engine.Run && (n == 0 || o.Choice.Target != "A") {
				c = o.Choice
				break
			}
		}
		s.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"op":"choose","choice":%q}`, c))
	}
	v := s.View()
	if len(v.Trace.Steps) != steps {
		t.Fatalf("there are %d steps", len(v.Trace.Steps))
	}
	return v.Schedule.String()
}
