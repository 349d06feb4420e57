package web

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/node/redis/port"
	"lockstep/web/class"
)

// classStore is an embedded Redis of this test.
func classStore(t *testing.T) (at string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = port.New(port.Real, slog.New(slog.DiscardHandler)).Serve(ctx, listener)
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return "redis://" + listener.Addr().String(), stop
}

// classSite is a site with classes in a store.
func classSite(t *testing.T, at string, set ...func(s *Server)) *httptest.Server {
	t.Helper()
	s, _ := site(t, 1)
	store, err := class.OpenStore(at)
	if err != nil {
		t.Fatal(err)
	}
	rooms := class.NewRooms(store)
	s.OfferClasses(rooms)
	for _, do := range set {
		do(s)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); server.Close(); rooms.Close(); store.Close() })
	return server
}

// browser is a visitor, who keeps cookies.
type browser struct {
	*http.Client
	t  *testing.T
	at string
}

func browse(t *testing.T, site *httptest.Server) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{&http.Client{Jar: jar}, t, site.URL}
}

func (b *browser) answer(resp *http.Response, err error) (status int, body, at string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, string(text), resp.Request.URL.RequestURI()
}

func (b *browser) visit(path string) (status int, body, at string) {
	b.t.Helper()
	return b.answer(b.Get(b.at + path))
}

func (b *browser) fill(path, field, value string) (status int, body, at string) {
	b.t.Helper()
	return b.answer(b.PostForm(b.at+path, url.Values{field: {value}}))
}

func (b *browser) send(code string, e class.Event) int {
	b.t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		b.t.Fatal(err)
	}
	status, _, _ := b.answer(b.Post(b.at+"/class/"+code+"/events", "application/json", strings.NewReader(string(text))))
	return status
}

// sends sends an event until the class has it, as a page does: a store may be slow, and a sender too fast.
func (b *browser) sends(code string, e class.Event) {
	b.t.Helper()
	for {
		switch status := b.send(code, e); {
		case status == http.StatusNoContent:
			return
		case status != http.StatusTooManyRequests && status < 500:
			b.t.Fatalf("%s is answered with %d", e.Kind, status)
		}
	}
}

// told is the first news of a class that has this in it.
func (b *browser) told(code, has string) string {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.at+"/class/"+code+"/events", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	resp, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), has) {
			return lines.Text()
		}
	}
	b.t.Fatalf("the news ended without %s", has)
	return ""
}

// opened is a class, by its teacher.
func opened(t *testing.T, site *httptest.Server) (teacher *browser, code string) {
	t.Helper()
	teacher = browse(t, site)
	status, page, at := teacher.fill("/class/open", "lesson", "set-nx")
	if status != http.StatusOK || !strings.Contains(page, "data-wall") {
		t.Fatalf("no class is opened: %d at %s", status, at)
	}
	return teacher, at[strings.LastIndex(at, "/")+1:]
}

func TestLearnersJoinAClassByAName(t *testing.T) {
	at, _ := classStore(t)
	one, two := classSite(t, at), classSite(t, at)
	teacher, code := opened(t, one)
	for i, site := range []*httptest.Server{one, two} {
		learner := browse(t, site)
		if _, page, _ := learner.visit("/class/" + strings.ToLower(code)); !strings.Contains(page, `name="name"`) {
			t.Error("a learner is not asked for a name")
		}
		if status, _, _ := learner.fill("/class/"+code+"/join", "name", "\u200b"); status != http.StatusUnprocessableEntity {
			t.Errorf("an empty name: %d", status)
		}
		if status, _, at := learner.fill("/class/"+code+"/join", "name", `<i>Ann`); status != http.StatusOK || at != "/en/lessons/set-nx/?class="+code {
			t.Errorf("whoever joins comes to %s, %d", at, status)
		}
		learner.told(code, []string{`"me":"\u003ci\u003eAnn"`, `"me":"\u003ci\u003eAnn 2"`}[i])
		if _, _, at := learner.visit("/class/" + code); !strings.Contains(at, "/lessons/set-nx/") {
			t.Errorf("whoever has joined is led to %s", at)
		}
	}
	if wall := teacher.told(code, `Ann 2`); !strings.Contains(wall, `"titles":{"set-nx":"`) || strings.Contains(wall, `"titles":{"set-nx":"set-nx"`) {
		t.Errorf("the wall does not tell what lessons are called: %s", wall)
	}
	if _, text, _ := teacher.visit("/metrics"); !strings.Contains(text, "\nlockstep_classes 1") || !strings.Contains(text, "\nlockstep_class_pages ") {
		t.Error("the metrics tell of no class")
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, one.URL+"/class/"+code+"/join", strings.NewReader("name=Ann"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://evil.example")
	if status, _, _ := teacher.answer(teacher.Do(r)); status != http.StatusForbidden {
		t.Errorf("a page of another site has a visitor join: %d", status)
	}
	if status, svg, _ := teacher.visit("/class/" + code + "/qr.svg"); status != http.StatusOK || !strings.HasPrefix(svg, "<svg") {
		t.Errorf("the QR code: %d, %s", status, svg)
	}
	if _, page, _ := teacher.visit("/en/lessons/set-nx/"); !strings.Contains(page, `action="../../../class/open"`) || !strings.Contains(page, `data-at="../../../class/"`) {
		t.Error("the page of a lesson offers no class")
	}
}

func TestOnlyTheTeacherLeads(t *testing.T) {
	at, _ := classStore(t)
	site := classSite(t, at)
	teacher, code := opened(t, site)
	learner, stranger := browse(t, site), browse(t, site)
	learner.fill("/class/"+code+"/join", "name", "Ann")
	learner.told(code, `"me":"Ann"`)
	lead := class.Event{Kind: class.Lead, Place: class.Place{Lesson: "set-nx", Query: "p=1"}}
	answer := class.Event{Kind: class.Answer, Text: "yes", Step: 1}
	for _, c := range []struct {
		who    *browser
		e      class.Event
		status int
	}{
		{learner, lead, http.StatusForbidden},
		{learner, class.Event{Kind: class.Remove, Of: "X"}, http.StatusForbidden},
		{learner, class.Event{Kind: class.At, Place: class.Place{Lesson: "you-all-are-stupid"}}, http.StatusBadRequest},
		{learner, class.Event{Kind: class.Door, Text: class.Shut}, http.StatusForbidden},
		{stranger, lead, http.StatusForbidden},
		{stranger, answer, http.StatusForbidden},
		{teacher, lead, http.StatusNoContent},
		{teacher, class.Event{Kind: class.Ask, Place: lead.Place, Text: "Who?"}, http.StatusNoContent},
		{learner, answer, http.StatusNoContent},
	} {
		if got := c.who.send(code, c.e); got != c.status {
			t.Errorf("%s: %d, want %d", c.e.Kind, got, c.status)
		}
	}
	if news := learner.told(code, `"poll"`); !strings.Contains(news, `"query":"p=1"`) || strings.Contains(news, "counts") || strings.Contains(news, "learners") {
		t.Errorf("the learner is told %s", news)
	}
	teacher.told(code, `"answered":1`)
	if status, _, _ := learner.visit("/class/" + code + "/file"); status != http.StatusForbidden {
		t.Errorf("a learner gets the file: %d", status)
	}
	if status, file, _ := teacher.visit("/class/" + code + "/file"); status != http.StatusOK || !strings.Contains(file, `"kind": "answer"`) {
		t.Errorf("the file: %d, %s", status, file)
	}
	for _, hidden := range []string{"learner-", `"from"`} {
		if _, file, _ := teacher.visit("/class/" + code + "/file"); strings.Contains(file, hidden) {
			t.Errorf("the file tells %s", hidden)
		}
	}
	other := browse(t, site)
	other.fill("/class/"+code+"/join", "name", "Bob")
	other.told(code, `"me":"Bob"`)
	teacher.sends(code, class.Event{Kind: class.Remove, Of: idOf(teacher.told(code, "Bob"), "Bob")})
	other.told(code, `"removed":true`)
	if status, page, _ := other.fill("/class/"+code+"/join", "name", "Bob"); status != http.StatusForbidden || !strings.Contains(page, "taken you out") {
		t.Errorf("one who was taken out joins again: %d", status)
	}
	teacher.sends(code, class.Event{Kind: class.Door, Text: class.Shut})
	teacher.told(code, `"shut":true`)
	if status, page, _ := browse(t, site).fill("/class/"+code+"/join", "name", "Bob"); status != http.StatusConflict || !strings.Contains(page, "nobody new") {
		t.Errorf("one who was taken out comes with another browser: %d", status)
	}
	teacher.sends(code, class.Event{Kind: class.Close})
	learner.told(code, `"closed":true`)
	if status := learner.send(code, answer); status != http.StatusGone {
		t.Errorf("an answer after the end: %d", status)
	}
}

// idOf is the id of a learner, as the news of the wall have it.
func idOf(news, name string) string {
	var wall class.Wall
	_ = json.Unmarshal([]byte(strings.TrimPrefix(news, "data: ")), &wall) // else there is no learner
	for _, l := range wall.Learners {
		if l.Name == name {
			return l.ID
		}
	}
	return ""
}

// A class is kept for a day after the last thing that happened, so its pages know their visitor for a day after the last visit.
func TestAVisitMakesCookiesNew(t *testing.T) {
	at, _ := classStore(t)
	site := classSite(t, at)
	teacher, code := opened(t, site)
	learner := browse(t, site)
	learner.fill("/class/"+code+"/join", "name", "Ann")
	learner.told(code, `"me":"Ann"`)
	for name, who := range map[string]*browser{"teacher-" + code: teacher, "learner-" + code: learner} {
		u, err := url.Parse(site.URL)
		if err != nil {
			t.Fatal(err)
		}
		token := ""
		for _, c := range who.Jar.Cookies(u) {
			if c.Name == name {
				token = c.Value
			}
		}
		who.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		resp, err := who.Get(site.URL + "/en/class/" + code)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		renewed := slices.ContainsFunc(resp.Cookies(), func(c *http.Cookie) bool { return c.Name == name && c.Value == token && c.MaxAge == classAge })
		if token == "" || !renewed {
			t.Errorf("%s is not made new: %v", name, resp.Cookies())
		}
	}
}

// A teacher goes on with the class at another device, by the address that the wall has.
func TestATeacherHasAnotherDevice(t *testing.T) {
	at, _ := classStore(t)
	site := classSite(t, at)
	teacher, code := opened(t, site)
	_, wall, _ := teacher.visit("/en/class/" + code)
	lead := regexp.MustCompile(`/class/` + code + `/lead\?key=\w+`).FindString(wall)
	phone, stranger := browse(t, site), browse(t, site)
	if _, page, _ := phone.visit(lead); !strings.Contains(page, "data-wall") {
		t.Errorf("%s does not lead to the wall", lead)
	}
	if status := phone.send(code, class.Event{Kind: class.Names, Text: class.Hidden}); status != http.StatusNoContent {
		t.Errorf("the other device may not lead: %d", status)
	}
	for _, key := range []string{"", "x", class.NewToken()} {
		if status, page, _ := stranger.visit("/class/" + code + "/lead?key=" + key); status != http.StatusForbidden || strings.Contains(page, "data-wall") {
			t.Errorf("with the key %q: %d", key, status)
		}
	}
}

// Whoever watches the servers hears of a store that is away, and no proxy sends learners elsewhere for it.
func TestAStoreOfClassesThatIsAwayIsTold(t *testing.T) {
	at, stop := classStore(t)
	s, server := site(t, 1)
	store, err := class.OpenStore(at)
	if err != nil {
		t.Fatal(err)
	}
	rooms := class.NewRooms(store)
	t.Cleanup(func() { rooms.Close(); store.Close() })
	s.OfferClasses(rooms)
	logged, said := io.Pipe()
	s.log = slog.New(slog.NewTextHandler(said, nil))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.watchClassStore(ctx, time.Millisecond) }()
	if _, now := ready(t, server.URL); !now.Servers["class-store"] {
		t.Errorf("a store that is there: %+v", now)
	}
	stop()
	if line, err := bufio.NewReader(logged).ReadString('\n'); err != nil || !strings.Contains(line, "the store of classes takes nothing") {
		t.Errorf("the log says %q, %v", line, err)
	}
	if status, now := ready(t, server.URL); status != http.StatusOK || now.Servers["class-store"] {
		t.Errorf("a store that is away: %d %+v", status, now)
	}
	if _, text, _ := browse(t, server).visit("/metrics"); !strings.Contains(text, `lockstep_real_server_up{server="class-store"} 0`) {
		t.Error("the metrics do not tell of it")
	}
	cancel()
	<-ended
}

func TestAClassWhoseStoreDiesSaysSoAndLessonsGoOn(t *testing.T) {
	at, stop := classStore(t)
	site := classSite(t, at)
	teacher, code := opened(t, site)
	stop()
	teacher.told(code, `"down":`)
	if status := teacher.send(code, class.Event{Kind: class.Close}); status != http.StatusServiceUnavailable {
		t.Errorf("an event that cannot be stored: %d", status)
	}
	if status, page, _ := browse(t, site).fill("/class/open", "lesson", "set-nx"); status != http.StatusServiceUnavailable || !strings.Contains(page, "cannot be stored") {
		t.Errorf("a class that cannot be stored: %d", status)
	}
	if status, _, _ := teacher.visit("/en/lessons/set-nx/"); status != http.StatusOK {
		t.Errorf("a lesson: %d", status)
	}
}
