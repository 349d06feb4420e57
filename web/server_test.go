package web

import (
	"context"
	"errors"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// realLessons are those of this repository that the tests name, which nobody changes: each server
// encodes all that it has, and draws a picture of each for its home page.
var realLessons = sync.OnceValues(func() (all []*lessons.Lesson, err error) {
	for _, folder := range []string{"009-eval", "006-set-nx", "010-compare-and-delete", "016-redisson-lock"} {
		l, err := decode.Lesson(lessons.FS, folder)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
})

// site is a running server with real lessons and the embedded engine.
func site(t *testing.T, seats int, engines ...player.Engine) (*Server, *httptest.Server) {
	t.Helper()
	all, err := realLessons()
	if err != nil {
		t.Fatal(err)
	}
	engines = append([]player.Engine{player.Embedded{}}, engines...)
	s, err := NewServer(&player.Playground{Catalog: player.NewCatalog(all), Engines: engines}, seats, []string{"play.example.org", "10.9.8.7"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	t.Cleanup(s.Close)
	return s, server
}

// A lesson that could not be read yet shows its author why, on the home page and at
// its own address.
func TestANewLessonWithMistakesIsShownWithThem(t *testing.T) {
	s, server := site(t, 1)
	now := s.playground.Catalog.Now()
	const wrong = "01-new/lesson.yaml:4:10: there is no chapter \"foo\""
	s.playground.Catalog.Publish(&player.Edition{Lessons: now.Lessons, Broken: map[string]string{"new": wrong}})
	for path, status := range map[string]int{
		"/en/": http.StatusOK, "/zh/": http.StatusOK,
		"/en/lessons/new": http.StatusNotFound, "/zh/lessons/new": http.StatusNotFound,
		"/en/lessons/nothing": http.StatusNotFound,
	} {
		resp, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != status {
			t.Errorf("%s: %v, %s", path, err, resp.Status)
		}
		shown := strings.Contains(html.UnescapeString(string(page)), wrong)
		if ours := !strings.HasSuffix(path, "nothing"); shown != ours {
			t.Errorf("%s shows the mistakes: %t, want %t", path, shown, ours)
		}
		if again := resp.Header.Get("Refresh") != ""; again != strings.HasSuffix(path, "/new") {
			t.Errorf("%s loads itself again: %t", path, again)
		}
	}
}

// odd is an engine whose nodes do what a test wants.
type odd struct {
	player.Embedded
	exec   func() error // before each command
	mu     sync.Mutex
	opened []string
	closed int
}

func (*odd) State(lessons.Lang) ui.EngineState { return ui.EngineState{Kind: ui.Redis} }

func (o *odd) Open(ctx context.Context, session string, l *lessons.Lesson) ([]engine.NodeSpec, func() error, error) {
	nodes, _, err := o.Embedded.Open(ctx, session, l)
	for i := range nodes {
		nodes[i].Node = oddNode{nodes[i].Node, o}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.opened = append(o.opened, session)
	return nodes, func() error {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.closed++
		return errors.New("the server is gone")
	}, err
}

type oddNode struct {
	engine.Node
	odd *odd
}

func (n oddNode) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	if n.odd.exec != nil {
		if err := n.odd.exec(); err != nil {
			return engine.Result{}, err
		}
	}
	return n.Node.Exec(ctx, op)
}

type answer struct {
	*http.Response
	body string
}

func get(t *testing.T, url string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp, string(body)}
}

func TestTheLanguageIsChosen(t *testing.T) {
	_, server := site(t, 4)
	for _, test := range []struct{ accept, cookie, want string }{
		{"", "", "/en/"},
		{"zh-CN,zh;q=0.9,en;q=0.8", "", "/zh/"},
		{"en-GB,en;q=0.9,zh;q=0.8", "", "/en/"},
		{"fr,zh;q=0.5,en;q=0.3", "", "/zh/"},
		{"de", "", "/en/"},
		{"zh", "lang=en", "/en/"},
		{"en", "lang=zh", "/zh/"},
		{"zh", "lang=../../evil", "/zh/"},
		{";;,q=,;q=x", "", "/en/"},
	} {
		got := get(t, server.URL+"/", "Accept-Language", test.accept, "Cookie", test.cookie)
		if got.StatusCode != http.StatusFound || got.Header.Get("Location") != test.want {
			t.Errorf("%q with cookie %q: %d to %q, want %s", test.accept, test.cookie, got.StatusCode, got.Header.Get("Location"), test.want)
		}
	}
}

func TestPages(t *testing.T) {
	_, server := site(t, 4)
	for _, test := range []struct {
		path   string
		status int
		parts  []string
	}{
		{"/en/", 200, []string{`lang="en"`, `href="../en/lessons/redisson-lock/"`}},
		{"/zh/", 200, []string{`lang="zh-Hans"`, `href="../zh/lessons/redisson-lock/"`}},
		{"/en/compare/", 200, []string{`lang="en"`, `href="../../zh/compare/"`, `href="../../en/lessons/set-nx/?p=6&amp;s=`}},
		{"/en/lessons/set-nx/", 200, []string{`data-lesson="set-nx"`, `data-pos="0"`, `id="f-keys"`}},
		{"/zh/lessons/set-nx/", 200, []string{`lang="zh-Hans"`, `data-lesson="set-nx"`}},
		{"/en/lessons/set-nx/?s=garbage", 200, []string{"cannot be read", `data-pos="0"`}},
		{"/en/lessons/set-nx/?s=v1.00000000.A.Nobody.B&p=1", 200, []string{"step 2", `data-pos="1"`}},
		{"/en/lessons/set-nx/?s=v1.00000000.A.B&p=zero", 200, []string{`data-pos="2"`}},
		{"/en/lessons/set-nx/?e=quantum", 200, []string{"quantum"}},
		{"/en/lessons/none/", 404, []string{`lang="en"`, "none"}},
		{"/zh/lessons/%3Cscript%3E/", 404, []string{`lang="zh-Hans"`, "&lt;script&gt;"}},
		{"/en/nothing", 404, []string{"no such page"}},
		{"/nothing", 404, nil},
		{"/static/none.js", 404, nil},
		{"/static/%2e%2e/server.go", 404, nil},
		{"/healthz", 200, []string{"ok"}},
	} {
		got := get(t, server.URL+test.path)
		if got.StatusCode != test.status {
			t.Errorf("%s: status %d, want %d", test.path, got.StatusCode, test.status)
		}
		for _, part := range test.parts {
			if !strings.Contains(got.body, part) {
				t.Errorf("%s: the page does not contain %q", test.path, part)
			}
		}
		csp := got.Header.Get("Content-Security-Policy")
		if csp == "" || strings.Contains(csp, "'unsafe-") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: Content-Security-Policy %q", test.path, csp)
		}
		if got.Header.Get("X-Content-Type-Options") != "nosniff" || got.Header.Get("Referrer-Policy") == "" {
			t.Errorf("%s: headers %v", test.path, got.Header)
		}
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	_, server := site(t, 4)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/en/", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", resp.StatusCode)
	}
}

// Links within a lesson's page count on the slash at the end of its address.
func TestALessonsAddressGetsItsSlash(t *testing.T) {
	_, server := site(t, 4)
	got := get(t, server.URL+"/zh/lessons/set-nx?s=v1.00000000.A&p=1")
	if got.StatusCode != http.StatusMovedPermanently || got.Header.Get("Location") != "./set-nx/?s=v1.00000000.A&p=1" {
		t.Errorf("%d to %q", got.StatusCode, got.Header.Get("Location"))
	}
}

// Links to a lesson that another has taken in lead there: those with moves to its beginning, which it says.
func TestAnOldAddressLeadsToTheLesson(t *testing.T) {
	s, server := site(t, 4)
	now := *s.playground.Catalog.Now()
	now.Lessons = slices.Clone(now.Lessons)
	i := slices.IndexFunc(now.Lessons, func(l *lessons.Lesson) bool { return l.Name == "set-nx" })
	taker := *now.Lessons[i]
	taker.Formerly = []string{"lock-too-early", "eval"} // of which one is a lesson
	now.Lessons[i] = &taker
	s.playground.Catalog.Publish(&now)
	for path, want := range map[string]string{
		"/zh/lessons/lock-too-early/":                     "../set-nx/",
		"/en/lessons/lock-too-early/?e=browser&view=x":    "../set-nx/?e=browser&view=x",
		"/en/lessons/lock-too-early/?s=v1.00000000.A&p=1": "../set-nx/?was=lock-too-early",
		"/embed/en/lock-too-early/":                       "../set-nx/",
		"/en/lessons/eval/":                               "",
	} {
		got := get(t, server.URL+path)
		if got.Header.Get("Location") != want || want != "" && got.StatusCode != http.StatusMovedPermanently {
			t.Errorf("%s: %d to %q, want %q", path, got.StatusCode, got.Header.Get("Location"), want)
		}
	}
	const note = "This link led into “lock-too-early”, which is part of this lesson now."
	if page := get(t, server.URL+"/en/lessons/set-nx/?was=lock-too-early"); !strings.Contains(page.body, note) || !strings.Contains(page.body, `data-pos="0"`) {
		t.Error("the lesson does not begin, or does not say why")
	}
	if page := get(t, server.URL+"/en/lessons/set-nx/?was=another"); strings.Contains(page.body, "part of this lesson now") {
		t.Error("it says that it has taken in what it has not")
	}
}

// A lesson says at its start which versions behave as it shows, and which lessons it builds on.
func TestVersionsAreToldAtTheStart(t *testing.T) {
	s, server := site(t, 4)
	now := *s.playground.Catalog.Now()
	dated := *now.Lessons[0]
	dated.Versions = []lessons.Text{{En: "every `Redis`", Zh: "所有版本的 Redis"}}
	dated.Needs = []string{now.Lessons[1].Name, "none-such"}
	now.Lessons = []*lessons.Lesson{&dated, now.Lessons[1]}
	s.playground.Catalog.Publish(&now)
	for query, want := range map[string]bool{"": true, "?s=v1.00000000.A&p=1": false} {
		page := get(t, server.URL+"/en/lessons/"+dated.Name+"/"+query)
		if got := strings.Contains(page.body, "<dt>Behaves as shown</dt><dd>every <code>Redis</code></dd>"); got != want {
			t.Errorf("at %q the versions are told: %v, want %v", query, got, want)
		}
		link := `<dt>Builds on</dt><dd> <a href="../../../en/lessons/` + dated.Needs[0] + `/">`
		if got := strings.Contains(page.body, link); got != want {
			t.Errorf("at %q it is told what it builds on: %v, want %v", query, got, want)
		}
	}
}

// A link with edits shows them before any script of the page has run.
func TestALinkWithEditsIsDrawnByTheServer(t *testing.T) {
	s, server := site(t, 4)
	session := s.newSession()
	defer s.end(session)
	var frame *player.Frame
	for _, command := range []string{
		`{"v":1,"op":"load","lesson":"compare-and-delete"}`, `{"v":1,"op":"ack","rev":1}`,
		`{"v":1,"op":"edit","part":"script:unlock","source":"return redis.call('DEL', KEYS[1])"}`, `{"v":1,"op":"ack","rev":2}`,
		`{"v":1,"op":"seek","pos":10}`,
	} {
		for _, m := range session.Handle(t.Context(), []byte(command)) {
			frame = m.Frame
		}
	}
	address := server.URL + "/en/lessons/compare-and-delete/?s=" + url.QueryEscape(frame.Schedule)
	page := get(t, address+"&x="+frame.Edits)
	if page.StatusCode != http.StatusOK || !strings.Contains(page.body, "Differs from step 10: B got 1 instead of 0.") {
		t.Errorf("status %d: the page does not show the edit", page.StatusCode)
	}
	if page := get(t, address+"&x=nonsense!"); !strings.Contains(page.body, "edits cannot be used") || strings.Contains(page.body, "Edited:") {
		t.Error("the page does not say that its edits cannot be read")
	}
	if page := get(t, address+"&x=-"); strings.Contains(page.body, "edits cannot be used") {
		t.Error("edits that are elsewhere are called bad")
	}
}

func TestAPageThatPanicsBecomesAnErrorPage(t *testing.T) {
	_, server := site(t, 4, &odd{exec: func() error { panic("a bug") }})
	got := get(t, server.URL+"/en/lessons/set-nx/?e=redis&s=v1.00000000.A")
	if got.StatusCode != http.StatusInternalServerError || !strings.Contains(got.body, "bug") {
		t.Errorf("status %d: %s", got.StatusCode, got.body)
	}
	if again := get(t, server.URL+"/en/lessons/set-nx/"); again.StatusCode != http.StatusOK {
		t.Errorf("afterwards: status %d", again.StatusCode)
	}
}

func TestAPageFreesWhatItOpened(t *testing.T) {
	o := &odd{}
	_, server := site(t, 1, o)
	for range 3 { // one seat is enough for one after the other
		if got := get(t, server.URL+"/en/lessons/set-nx/?e=redis&s=v1.00000000.A"); got.StatusCode != http.StatusOK {
			t.Fatalf("status %d", got.StatusCode)
		}
	}
	if len(o.opened) != 3 || o.closed != 3 {
		t.Errorf("opened %d, closed %d", len(o.opened), o.closed)
	}
}

func TestServeEndsCleanly(t *testing.T) {
	s, _ := site(t, 4)
	listener := httptest.NewUnstartedServer(nil).Listener
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	if got := get(t, "http://"+listener.Addr().String()+"/healthz"); got.StatusCode != http.StatusOK {
		t.Errorf("status %d", got.StatusCode)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
