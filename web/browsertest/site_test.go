package browsertest

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/lessons"
	"lockstep/node/sample"
	"lockstep/web/site"
)

// onSite are the lessons that tests and benchmarks look for in a site of files, with those that one builds on, one that comes next and one
// of the chapter that leads to the comparison of locks. All lessons would be hundreds of pages,
// each of which a browser keeps for when there is no network.
var onSite = []string{"set-nx", "no-ttl", "reentrant-lock", "compare-and-delete", "delex", "plain-lock-self-deadlock", "eval", "redisson-lock", "trylock-exits", "fair-lock", "failover", "three-servers"}

// siteFolder is a folder with the playground as files, which is made when a test asks for it.
var siteFolder = sync.OnceValues(func() (string, error) {
	all, err := readOnce()
	if err != nil {
		return "", err
	}
	some := slices.DeleteFunc(slices.Clone(all), func(l *lessons.Lesson) bool { return !slices.Contains(onSite, l.Name) })
	for i, l := range some {
		if l.Name == "set-nx" {
			renamed := *l
			renamed.Formerly = []string{"lock-too-early"}
			some[i] = &renamed
		}
	}
	s, err := site.Make(context.Background(), some, &url.URL{Path: "/some/where/"})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(workplace, "site")
	return dir, s.Write(dir)
})

// host is a plain file server with the playground as files in one of its folders.
type host struct {
	*httptest.Server
	home string // the site's address, with a slash at the end

	holds chan struct{} // the player is not served before this is closed; nil: it is at once

	mu    sync.Mutex
	asked []string // paths of requests
}

// exported serves the site from a subfolder.
func exported(t testing.TB, compresses bool) *host {
	t.Helper()
	dir, err := siteFolder()
	if err != nil {
		t.Fatal(err)
	}
	h := &host{}
	files := http.StripPrefix("/some/where", http.FileServer(http.Dir(dir)))
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.asked = append(h.asked, r.URL.Path)
		h.mu.Unlock()
		if h.holds != nil && strings.Contains(r.URL.Path, ".wasm") {
			select {
			case <-h.holds:
			case <-r.Context().Done():
				return
			}
		}
		switch {
		case !strings.HasPrefix(r.URL.Path, "/some/where/"):
			http.NotFound(w, r)
		case compresses && !strings.HasSuffix(r.URL.Path, ".gz"):
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			files.ServeHTTP(zipping{w, z}, r)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(h.Close)
	h.home = h.URL + "/some/where/"
	return h
}

type zipping struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (z zipping) WriteHeader(status int) {
	z.Header().Del("Content-Length")
	z.ResponseWriter.WriteHeader(status)
}

func (z zipping) Write(p []byte) (int, error) { return z.z.Write(p) }

// paths are those of all requests.
func (h *host) paths() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.asked)
}

// saw counts the requests whose path ends in something.
func (h *host) saw(end string) int {
	n := 0
	for _, path := range h.paths() {
		if strings.HasSuffix(path, end) {
			n++
		}
	}
	return n
}

// isKept is when the service worker has the whole site and answers for it.
const isKept = `navigator.serviceWorker.controller?.state === 'activated'`

func TestASiteOfFilesLooksAsTheServedOne(t *testing.T) {
	t.Parallel()
	const lesson = "zh/lessons/compare-and-delete/"
	served := walk(t, serve(t).url+"/"+lesson)
	for _, tt := range []struct {
		name       string
		compresses bool
	}{{"on a plain host", false}, {"on a host that compresses", true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := exported(t, tt.compresses)
			alike(t, walk(t, h.home+lesson), served)
			for _, path := range h.paths() {
				if !strings.HasPrefix(path, "/some/where/") {
					t.Errorf("the site asks for %s, which is outside of its folder", path)
				}
			}
			if copies := h.saw(".wasm.gz"); (copies > 0) == tt.compresses {
				t.Errorf("the compressed copy was asked for %d times", copies)
			}
		})
	}
}

func TestASiteOfFilesIsEnteredInTheVisitorsLanguage(t *testing.T) {
	t.Parallel()
	h := exported(t, false)
	for _, tt := range []struct{ reads, lang string }{{"['fr', 'zh-TW', 'en']", "zh"}, {"['de']", "en"}} {
		b := open(t)
		b.first(`Object.defineProperty(navigator, 'languages', {get: () => ` + tt.reads + `})`)
		b.do(chromedp.Navigate(h.home))
		b.until(fmt.Sprintf(`location.pathname === '/some/where/%s/' && document.querySelectorAll('a.lesson-card').length >= 6`, tt.lang))
	}
	b := open(t)
	b.visit(h.home + "zh/lessons/set-nx/?s=v1.00000000.A&p=1")
	b.at("1 / 1")
	b.do(press(".brand"))
	b.until(`location.pathname === '/some/where/zh/'`)
	b.do(chromedp.Navigate(h.home))
	b.until(`location.pathname === '/some/where/zh/'`) // it was read last
}

// A link to a lesson that another has taken in leads there, and with moves to its beginning, which the page says.
func TestASiteOfFilesKnowsOldAddresses(t *testing.T) {
	t.Parallel()
	h := exported(t, false)
	b := open(t)
	b.do(chromedp.Navigate(h.home + "zh/lessons/lock-too-early/?s=v1.00000000.A&p=1"))
	b.until(`location.pathname === '/some/where/zh/lessons/set-nx/' && document.body.dataset.pos === '0'`)
	b.until(`document.body.dataset.rev !== undefined && document.getElementById('f-notice').textContent.includes('那一课现在并入了本课')`)
}

func TestASiteOfFilesSaysWhatIsNotThere(t *testing.T) {
	t.Parallel()
	h := exported(t, false)
	b := open(t)
	b.visit(h.home + "en/lessons/redisson-lock/?e=redis&s=v1.00000000.A&p=1")
	b.at("1 / 1")
	if why := b.text("#why-redis"); !strings.Contains(why, "playground serve --redis-url") {
		t.Errorf("of the real Redis it says %q", why)
	}
	if why := b.text("#why-embedded"); !strings.Contains(why, "playground serve") {
		t.Errorf("of the server it says %q", why)
	}
	if !b.exists(toBrowser+`[aria-pressed="true"]`) || !b.exists(toRedis+`:disabled`) || !b.exists(embedded+`:disabled`) {
		t.Error("the switch does not show that only this browser plays")
	}
	b.do(chromedp.Navigate(h.home + "404.html")) // of which no host knows who asked for it
	for _, lang := range []string{"en", "zh"} {
		if link := `.intro:lang(` + lang + `) a[href$="` + lang + `/"]`; !b.exists(link) {
			t.Errorf("there is no %s", link)
		}
	}
}

func TestWhoWasThereOnceNeedsNoNetwork(t *testing.T) {
	t.Parallel()
	for _, compresses := range sample.Sample(t, []bool{false, true}, sample.PlacesTried) {
		t.Run(fmt.Sprintf("compressing %v", compresses), func(t *testing.T) {
			t.Parallel()
			h := exported(t, compresses)
			b := offline(t)
			b.visit(h.home + "en/lessons/redisson-lock/")
			b.click(forward)
			b.until(isKept)
			h.Close()
			b.do(chromedp.Navigate("about:blank"))

			b.visit(h.home + "en/lessons/redisson-lock/?s=v1.00000000.A.B&p=2")
			b.at("2 / 2")
			b.click(forward)
			b.at("3 / 3")
			b.do(press("a[data-keep-place]"))
			b.until(`document.body.dataset.lang === 'zh' && ` + revision + ` > 0`)
			b.at("3 / 3")
			b.visit(h.home + "zh/lessons/fair-lock") // as it is sometimes typed
			b.click(forward)
			b.at("1 / 1")
			b.openEditor()
			b.do(chromedp.Navigate(h.home))
			b.until(`location.pathname === '/some/where/zh/' && document.querySelectorAll('a.lesson-card').length >= 6`)
			b.do(chromedp.Navigate(h.home + "en/nothing"))
			b.until(`document.querySelector('h1').textContent === 'There is nothing at this address'`)
		})
	}
}

// Who tried the files at an address, and serves a playground there now, sees the
// playground.
func TestAServerTakesTheAddressOfAFormerSiteOver(t *testing.T) {
	t.Parallel()
	dir, err := siteFolder()
	if err != nil {
		t.Fatal(err)
	}
	files := httptest.NewServer(http.FileServer(http.Dir(dir)))
	a := &app{t: t}
	t.Cleanup(func() { a.stop() }) // after the page is closed
	b := offline(t)
	b.visit(files.URL + lesson)
	b.until(isKept)
	files.Close()

	a.start(files.Listener.Addr().String())
	b.do(chromedp.Navigate(files.URL + lesson))
	b.until(`document.body.dataset.socket && ` + revision + ` > 0`)
	b.do(chromedp.Navigate(files.URL + lesson))
	b.until(revision + ` > 0`)
	if !eval[bool](b, `Boolean(document.body.dataset.socket)`) {
		t.Error("the former site is shown again")
	}
}

func TestLessonsThatWereFinishedAreMarked(t *testing.T) {
	t.Parallel()
	h := exported(t, false)
	b := open(t)
	b.visit(h.home + "en/lessons/eval/")
	for !b.exists(forward + ":disabled") {
		b.click(forward)
	}
	b.do(press(".brand"))
	b.until(`document.querySelectorAll('a.lesson-card').length >= 6`)
	b.until(`document.querySelectorAll('.lesson-card .finished:not([hidden])').length === 1`)
	if card := b.text(`.lesson-card:has(.finished:not([hidden]))`); !strings.Contains(card, "EVAL") {
		t.Errorf("marked is %q", card)
	}
}
