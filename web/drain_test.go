package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/web/class"
)

// closedWith reads until the server closes the socket, and returns its code.
func (c *client) closedWith() int {
	c.t.Helper()
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			closed, ok := err.(*websocket.CloseError) //nolint:errorlint // gorilla does not wrap it
			if !ok {
				c.t.Fatal(err)
			}
			return closed.Code
		}
	}
}

func ready(t *testing.T, url string) (int, readiness) {
	t.Helper()
	resp, err := http.Get(url + readyz)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var r readiness
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, r
}

func TestALearnerMovesToAnotherServerAfterTheNextStep(t *testing.T) {
	s, server := site(t, 4)
	s.Drain(time.Hour)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"redisson-lock"`)
	if status, r := ready(t, server.URL); status != http.StatusOK || !r.Ready || r.Sessions != 1 {
		t.Errorf("before: %d %+v", status, r)
	}
	drained := make(chan struct{})
	go func() { defer close(drained); s.drain() }()
	<-s.sockets.closing
	if status, r := ready(t, server.URL); status != http.StatusServiceUnavailable || r.Why != "draining" {
		t.Errorf("while draining: %d %+v", status, r)
	}
	_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/ws", nil)
	if err == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new session: %v, %v", resp, err)
	}
	_ = resp.Body.Close()
	c.ok(`"op":"step","n":1`)
	if code := c.closedWith(); code != websocket.CloseServiceRestart {
		t.Errorf("the socket is closed with %d", code)
	}
	if c.last.Pos != 1 {
		t.Errorf("the learner is at %d: the step that was asked for is lost", c.last.Pos)
	}
	<-drained

	_, other := site(t, 4)
	moved := dial(t, other.URL)
	moved.ok(`"op":"load","lesson":"redisson-lock","schedule":"` + c.last.Schedule + `"`)
	if moved.last.Pos != 1 {
		t.Errorf("on the other server: %+v", moved.last)
	}
}

func TestALearnerWhoDoesNothingMovesInTime(t *testing.T) {
	s, server := site(t, 4)
	s.Drain(10 * time.Millisecond)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"redisson-lock"`)
	<-s.sockets.drain()
	if code := c.closedWith(); code != websocket.CloseServiceRestart {
		t.Errorf("the socket is closed with %d", code)
	}
}

func TestAFullServerIsNotReady(t *testing.T) {
	s, server := site(t, 1)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"redisson-lock"`)
	if status, r := ready(t, server.URL); status != http.StatusServiceUnavailable || r.Why != "full" {
		t.Errorf("%d %+v", status, r)
	}
	later := time.Now().Add(2 * idleAfter)
	s.visitors.mu.Lock()
	s.visitors.now = func() time.Time { return later }
	s.visitors.mu.Unlock()
	if status, r := ready(t, server.URL); status != http.StatusOK {
		t.Errorf("with an idle session, whose place can be had: %d %+v", status, r)
	}
}

func TestMetricsTellWhatHappened(t *testing.T) {
	_, server := site(t, 4)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"redisson-lock"`)
	c.ok(`"op":"step","n":2`)
	ask := func(forwarded string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		if forwarded != "" {
			r.Header.Set(forwardedFor, forwarded)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	browse(t, server).visit("/nowhere")
	_, text := ask("")
	for _, line := range []string{
		"lockstep_sessions 1", "lockstep_seats 4", "lockstep_ready 1", "lockstep_searches 0", "lockstep_steps_total 1",
		`lockstep_refused_total{reason="full"} 0`, `lockstep_command_seconds_bucket{by="learner",le="0.15"}`, "lockstep_command_seconds_count{by=\"learner\"} 2", "go_memstats_heap_inuse_bytes", "lockstep_sessions_shared_bytes 0",
		`lockstep_responses_total{code="404"} 1`, "lockstep_panics_total 0", "go_build_info{", `lockstep_refused_total{reason="flood"} 0`,
	} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("there is no %s in\n%s", line, text)
		}
	}
	if status, _ := ask("203.0.113.7"); status != http.StatusForbidden {
		t.Errorf("through a proxy that nobody trusts: status %d", status)
	}
}

// A page of a class moves like a learner: quietly, in time, and whoever comes meanwhile is sent on.
func TestAPageOfAClassMovesToAnotherServer(t *testing.T) {
	s, _ := site(t, 1)
	at, _ := classStore(t)
	store, err := class.OpenStore(at)
	if err != nil {
		t.Fatal(err)
	}
	rooms := class.NewRooms(store)
	s.OfferClasses(rooms)
	s.Drain(time.Second)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); server.Close(); rooms.Close(); store.Close() })
	teacher, code := opened(t, server)
	resp, err := teacher.Get(server.URL + "/class/" + code + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	drained := make(chan struct{})
	go func() { defer close(drained); s.drain() }()
	news, err := io.ReadAll(resp.Body)
	if err != nil || !strings.HasSuffix(string(news), "event: moved\ndata: \n\n") {
		t.Errorf("the news ends with %v and %q", err, news)
	}
	<-drained
	if status, _, _ := teacher.visit("/class/" + code + "/events"); status != http.StatusServiceUnavailable {
		t.Errorf("who asks a server that drains for news: %d", status)
	}
}

// What docs/OPERATE.md has operators watch is there to be watched.
func TestTheGuideNamesMetricsThatThereAre(t *testing.T) {
	guide, err := os.ReadFile("../docs/OPERATE.md")
	if err != nil {
		t.Fatal(err)
	}
	at, _ := classStore(t)
	server := classSite(t, at)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"redisson-lock"`)
	visitor := browse(t, server)
	visitor.visit("/en/") // so that there is a response
	_, text, _ := visitor.visit("/metrics")
	names := regexp.MustCompile(`lockstep_[a-z_]+`).FindAllString(string(guide), -1)
	for _, name := range names {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("there is no %s", name)
		}
	}
	if len(names) < 10 {
		t.Errorf("the guide names %d metrics", len(names))
	}
}
