package browsertest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The picture in the README is en-light-redisson-lock.png of
//
//	go test ./web/browsertest -run Accessible -screenshots /tmp/pictures
var screenshots = flag.String("screenshots", "", "write pictures of the pages into this `folder`")

// look is one way of looking at a page.
type look struct {
	name          string
	lang, scheme  string
	width, height int64
}

var looks = []look{
	{"en-light", "en", "light", 1280, 900},
	{"en-dark", "en", "dark", 1280, 900},
	{"zh-light", "zh", "light", 1280, 900},
	{"zh-dark", "zh", "dark", 1280, 900},
	{"en-phone", "en", "light", 390, 844},
	{"zh-phone-dark", "zh", "dark", 390, 844},
}

// pages to look at, and how many steps to take there.
var pages = []struct {
	name  string
	path  string
	steps int
}{
	{"home", "", 0},
	{"redisson-lock", "lessons/redisson-lock/", 8},
	{"set-nx", "lessons/set-nx/", 6},
	{"fair-lock", "lessons/fair-lock/", 7},
}

func (b *tab) look(a *app, l look, path string, steps int) {
	b.t.Helper()
	b.emulate(l.width, l.height, l.scheme)
	address := a.url + "/" + l.lang + "/" + path
	if path == "" {
		b.do(chromedp.Navigate(address))
		return
	}
	b.visit(address)
	for range steps {
		b.click(forward)
	}
}

// axe is the part of axe-core's report that a failure shows.
type axe struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML           string
		FailureSummary string
	}
}

func TestPagesAreAccessible(t *testing.T) {
	a := serve(t)
	for _, l := range looks {
		for _, p := range pages {
			t.Run(l.name+"/"+p.name, func(t *testing.T) {
				b := open(t)
				b.look(a, l, p.path, p.steps)
				b.write(l.name + "-" + p.name + ".png")
				b.checkAxe()
			})
		}
	}
}

// checkAxe lets axe-core look at the page, which must not be wider than its screen.
func (b *tab) checkAxe() {
	b.t.Helper()
	source, err := os.ReadFile("../../static/node_modules/axe-core/axe.min.js")
	if err != nil {
		b.t.Fatalf("axe-core is not installed: run make bundle (%v)", err)
	}
	eval[bool](b, string(source)+"; true")
	for _, v := range eval[[]axe](b, `axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)`) {
		for _, n := range v.Nodes {
			b.t.Errorf("%s (%s): %s\n%s\n%s", v.ID, v.Impact, v.Help, n.HTML, n.FailureSummary)
		}
	}
	if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		b.t.Errorf("the page is %d pixels wider than its screen", wide)
	}
}

// write keeps a picture of what the tab shows, when it is asked for.
func (b *tab) write(name string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.MkdirAll(*screenshots, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
