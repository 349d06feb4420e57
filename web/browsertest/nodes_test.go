package browsertest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/node/sample"
)

// storybook serves the pages that web/ui prints, which no script moves.
func storybook(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("go", "test", "-vet=off", "../ui", "-run", "^TestPrintStorybook$", "-count=1", "-args", "-print", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages, files := http.FileServer(http.Dir(dir)), http.FileServer(http.Dir("../../static/dist"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, static := strings.CutPrefix(r.URL.Path, "/static/")
		switch {
		case strings.HasSuffix(name, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
		case static:
			http.StripPrefix("/static", files).ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// collisions are the names and labels in the diagram that cover each other, the cards that are
// too small for what is in them, and the names of nodes that are cut off or broken inside a word.
const collisions = `(() => {
	const found = [];
	const names = [...document.querySelectorAll('.heads text, .events text')].map(n => [n.textContent, n.getBoundingClientRect()]);
	for (const [i, [a, r]] of names.entries())
		for (const [b, s] of names.slice(i + 1))
			if (r.left < s.right && s.left < r.right && r.top + 3 < s.bottom && s.top + 3 < r.bottom) found.push(a + ' and ' + b);
	for (const n of document.querySelectorAll('.node, .actor, .fault-list'))
		if (n.scrollWidth > n.clientWidth + 1) found.push(n.className + ' of ' + n.textContent.slice(0, 20));
	for (const n of document.querySelectorAll('.lane-node strong')) {
		const word = document.createRange(), text = n.firstChild;
		for (const { 0: { length }, index } of text.data.matchAll(/[^\s-]+/g)) {
			word.setStart(text, index);
			word.setEnd(text, index + length);
			if (word.getClientRects().length > 1 || n.scrollWidth > n.clientWidth + 1) found.push('the name ' + n.textContent);
		}
	}
	return found.join(', ');
})()`

func TestNodesHaveRoom(t *testing.T) {
	t.Parallel()
	site := storybook(t)
	for _, p := range []struct {
		page, lang string
		axe        bool // of a kind that axe-core looks at nowhere else
	}{{"five nodes", "en", true}, {"five nodes", "zh", false}, {"redlock", "en", false}, {"fair", "zh", false}, {"broken", "en", true}, {"deadlock", "en", true}, {"deadlock", "zh", false}, {"znodes", "en", false}, {"znodes", "zh", true}} {
		t.Run(p.lang+"/"+p.page, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.do(chromedp.Navigate(site + "/" + url.PathEscape(p.page) + "." + p.lang + ".html"))
			if p.axe || sample.Everything() {
				b.isAccessible(p.lang, strings.ReplaceAll(p.page, " ", "-"))
			}
			for _, l := range []look{{name: "laptop", width: 1280, height: 720, scheme: "light"}, {name: "desk", width: 1440, height: 900, scheme: "dark"}, {name: "narrow", width: 360, height: 780, scheme: "light"}} {
				b.emulate(l)
				b.write(p.lang + "-" + l.name + "-" + strings.ReplaceAll(p.page, " ", "-") + ".png")
				if wide := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					t.Errorf("%s, %s: the page is %d pixels wider than its screen", p.page, l.name, wide)
				}
				for _, tab := range []string{"state", "timeline"} {
					if found := eval[string](b, `document.body.dataset.tab = '`+tab+`'; `+collisions); found != "" {
						t.Errorf("%s, %s, %s: no room for %s", p.page, l.name, tab, found)
					}
				}
				b.write(p.lang + "-" + l.name + "-timeline-" + strings.ReplaceAll(p.page, " ", "-") + ".png")
				eval[string](b, `document.body.dataset.tab = 'state'`)
			}
		})
	}
}
