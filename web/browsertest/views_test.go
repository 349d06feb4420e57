package browsertest

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/sample"
	"lockstep/web/player"
)

// desk is the screen for which the page is made.
var desk = look{"desk", 1440, 900, "light", false}

// inspected is the desk with axe-core, for what no other test shows to it.
var inspected = look{"desk", 1440, 900, "light", true}

// view is one way in which a visitor may find the page, for people to look at: make screenshots.
type view struct {
	name  string
	look  look
	path  string
	then  func(b *tab)
	shows string // what it is about
}

var views = []view{
	{"01-first-visit", desk, "/en/", nil, "#strip"},
	{"02-mid-story", desk, "/en/lessons/redisson-lock/", steps(8), "#go"},
	{"03-breach", inspected, "/en/lessons/set-nx/", func(b *tab) {
		for !b.exists(".broken") {
			b.click("#go")
		}
		b.do(chromedp.Click(chromedp.CSS(`[popovertarget="f-why"]`)))
	}, "#f-why:popover-open .cause"},
	{"04-inside-a-script", desk, "/en/lessons/redisson-lock/", func(b *tab) {
		steps(2)(b)
		for range 3 {
			b.key(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
		}
	}, "#f-script .at"},
	{"05-side-by-side", inspected, "/en/lessons/set-nx/", func(b *tab) {
		for !b.exists(".broken") {
			b.click("#go")
		}
		b.click(first)
		b.click(choice("run A"))
		b.click(choice("tick 1s"))
		b.click(choice("run B"))
		b.do(chromedp.Click(chromedp.CSS(`[popovertarget="f-branches"]`)))
		b.click(`#f-branches [data-op="beside"]`)
	}, ".beside tr.differing"},
	{"06-phone", look{"phone", 390, 844, "light", false}, "/en/lessons/redisson-lock/", steps(8), "#go"},
	{"07-dark", look{"dark", 1440, 900, "dark", false}, "/en/lessons/fair-lock/", steps(9), "#go"},
	{"08-chinese", desk, "/zh/lessons/redisson-lock/", steps(8), "#go"},
	{"09-print", look{"print", 1000, 1400, "light", false}, "/en/lessons/redisson-lock/", func(b *tab) {
		steps(8)(b)
		b.printed()
	}, "#f-timeline"},
	{"10-presenter", look{"stage", 1920, 1080, "light", true}, "/en/lessons/set-nx/?view=present", steps(5), "#go"},
	{"11-five-nodes", desk, "/en/lessons/redlock/", steps(7), "#go"},
	{"12-300-steps", desk, "/en/lessons/redisson-lock/", func(b *tab) {
		b.visit(eval[string](b, `location.origin + location.pathname`) + "?p=300&s=" + longSchedule(b.t, 300))
		b.at("300 / 300")
	}, ".off-story"},
}

// Each view is what it should be, and no wider than its screen; axe-core looks at the kinds of
// pages that other tests do not have, and in make test-full at all. With -screenshots FOLDER
// there are pictures of all of them.
func TestTwelveViews(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.emulate(v.look)
			if v.then == nil {
				b.do(chromedp.Navigate(a.url + v.path))
			} else {
				b.visit(a.url + v.path)
				v.then(b)
			}
			b.until(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, v.shows))
			b.write(v.name + ".png")
			if v.look.axe || sample.Everything() {
				b.checkAxe(v.name)
			}
			if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("the page is %d pixels wider than its screen", wide)
			}
		})
	}
}

// steps goes on with the story; a question is left empty.
func steps(n int) func(b *tab) {
	return func(b *tab) {
		for range n {
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
	all, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
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
