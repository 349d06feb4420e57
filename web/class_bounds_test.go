package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"lockstep/engine/fact"
	"lockstep/web/class"
)

// A page goes on to what it says next when the class is too full for something.
func TestWhatAFullClassRefusesIsNotSentAgain(t *testing.T) {
	for code, again := range map[string]bool{"class-full": false, "class-network-full": false, "class-shut": false, "class-removed": false, "class-store": true, "class-slower": true, "class-network-slower": true} {
		if status := classStatus(fact.Of(code)); (status == http.StatusTooManyRequests || status >= 500) != again {
			t.Errorf("%s: %d", code, status)
		}
	}
}

func TestAFloodIsRefusedAndTheClassGoesOn(t *testing.T) {
	at, _ := classStore(t)
	site := classSite(t, at)
	teacher, code := opened(t, site)
	loud, quiet := browse(t, site), browse(t, site)
	loud.fill("/class/"+code+"/join", "name", "Loud")
	quiet.fill("/class/"+code+"/join", "name", "Quiet")
	loud.told(code, `"me":"Loud"`)
	refused := false
	for range 200 {
		refused = refused || loud.send(code, class.Event{Kind: class.At, Place: class.Place{Lesson: "set-nx"}}) == http.StatusTooManyRequests
	}
	if !refused {
		t.Error("a flood is taken")
	}
	if status := quiet.send(code, class.Event{Kind: class.At, Place: class.Place{Lesson: "set-nx", Query: "p=7"}}); status != http.StatusNoContent {
		t.Errorf("another learner is refused: %d", status)
	}
	teacher.told(code, "p=7")
	if status, _, _ := quiet.answer(quiet.Post(site.URL+"/class/"+code+"/events", "text/plain", strings.NewReader("{}"))); status != http.StatusBadRequest {
		t.Errorf("what other sites can send: %d", status)
	}
	for _, path := range []string{"/class/ABCDEF", "/class/?code=zz", "/class/%3Cb%3E", "/class/ABCDEF/events"} {
		if status, page, _ := quiet.visit(path); status != http.StatusNotFound || !strings.Contains(page, "no class with this code") {
			t.Errorf("%s: %d", path, status)
		}
	}
}

// Whoever floods the network that all have does not end the class for those who are in it, but nobody is without bounds.
func TestANeighboursFloodEndsNoClass(t *testing.T) {
	at, _ := classStore(t)
	var paced http.Handler
	site := classSite(t, at, func(s *Server) {
		paced = s.paced(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	})
	teacher, code := opened(t, site)
	learner, stranger := browse(t, site), browse(t, site)
	learner.fill("/class/"+code+"/join", "name", "Quiet")
	learner.told(code, `"me":"Quiet"`)
	where, err := url.Parse(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	// asks is how often a browser may ask from the address that all have, of so many times.
	asks := func(b *browser, most int) (asked int) {
		for ; asked < most; asked++ {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			for _, c := range b.Jar.Cookies(where) {
				r.AddCookie(c)
			}
			w := httptest.NewRecorder()
			if paced.ServeHTTP(w, r); w.Code == http.StatusTooManyRequests {
				break
			}
		}
		return asked
	}
	flood := 100 * requestBurst
	if asks(stranger, flood) == flood {
		t.Fatal("a flood is answered")
	}
	for name, b := range map[string]*browser{"learner": learner, "teacher": teacher} {
		if n := asks(b, memberBurst/2); n < memberBurst/2 {
			t.Errorf("the %s is refused after %d", name, n)
		}
		if asks(b, flood) == flood {
			t.Errorf("the %s is never refused", name)
		}
	}
}

// Behind a proxy, whose connections are its own to bound, one visitor cannot have all pages of classes.
func TestOneVisitorDoesNotHaveAllPagesOfClasses(t *testing.T) {
	at, _ := classStore(t)
	server := classSite(t, at, func(s *Server) {
		s.TrustProxies([]netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")})
		s.classPagesOf.max = 2
	})
	_, code := opened(t, server)
	listen := func(address string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/class/"+code+"/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", address)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	first, second := listen("192.0.2.1"), listen("192.0.2.1")
	defer second.Body.Close()
	for address, want := range map[string]int{"192.0.2.1": http.StatusTooManyRequests, "192.0.2.2": http.StatusOK} {
		more := listen(address)
		more.Body.Close()
		if more.StatusCode != want {
			t.Errorf("one more page at %s: %d", address, more.StatusCode)
		}
	}
	first.Body.Close()
	for status := 0; status != http.StatusOK; { // once the server has seen that it left
		again := listen("192.0.2.1")
		again.Body.Close()
		status = again.StatusCode
	}
}

// Walls are large, perhaps: a class has few at a time, and each is drawn in turn with what other visitors do.
func TestWallsTakeTurns(t *testing.T) {
	at, _ := classStore(t)
	var s *Server
	server := classSite(t, at, func(its *Server) {
		s = its
		s.wallsOf.max = 1
	})
	teacher, code := opened(t, server)
	before := s.visitors.ended.Load()
	browse(t, server).told(code, `"mode"`)
	if s.visitors.ended.Load() != before {
		t.Error("a learner's page takes a turn")
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/class/"+code+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := teacher.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer wall.Body.Close()
	if s.visitors.ended.Load() == before {
		t.Error("a wall takes no turn")
	}
	if status, _, _ := teacher.visit("/class/" + code + "/events"); status != http.StatusTooManyRequests {
		t.Errorf("one wall too many: %d", status)
	}
}

// Codes cannot be tried one after the other until one is found, and who is in a class does not notice that somebody did.
func TestCodesCannotBeGuessed(t *testing.T) {
	at, _ := classStore(t)
	server := classSite(t, at, func(s *Server) { s.guessed.Every, s.guessed.Burst = time.Hour, 3 })
	teacher, code := opened(t, server)
	stranger := browse(t, server)
	for range 3 {
		if status, _, _ := stranger.visit("/class/ABCDEF/events"); status != http.StatusNotFound {
			t.Fatalf("a code of no class: %d", status)
		}
	}
	for _, path := range []string{"/en/class/ABCDEF", "/en/class/" + code, "/class/" + code + "/events", "/class/ABCDEF/file"} {
		if status, page, _ := stranger.visit(path); status != http.StatusTooManyRequests || !strings.Contains(page, "Many codes") {
			t.Errorf("%s: %d", path, status)
		}
	}
	if _, text, _ := teacher.visit("/metrics"); !strings.Contains(text, `lockstep_refused_total{reason="flood"} 4`) {
		t.Error("whoever watches the server hears nothing of it")
	}
	if status := teacher.send(code, class.Event{Kind: class.Close}); status != http.StatusNoContent {
		t.Errorf("the teacher's class, whose address is the same: %d", status)
	}
}
