package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/lessons"
	"lockstep/web/player"
)

// client speaks the protocol as a page does.
type client struct {
	t    *testing.T
	ws   *websocket.Conn
	last *player.Frame
	html map[string]string
	rows map[string]string // what is in their rows, by id
	id   int64
}

func dial(t *testing.T, url string) *client {
	t.Helper()
	return dialWith(t, url, websocket.DefaultDialer)
}

func dialWith(t *testing.T, url string, d *websocket.Dialer) *client {
	t.Helper()
	ws, resp, err := d.DialContext(t.Context(), "ws"+strings.TrimPrefix(url, "http")+"/ws", http.Header{"Origin": {url}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	t.Cleanup(func() { ws.Close() })
	return &client{t: t, ws: ws, html: map[string]string{}, rows: map[string]string{}}
}

func (c *client) next() player.Message {
	c.t.Helper()
	var m player.Message
	for m.Op == "" || m.Op == "beat" {
		if err := c.ws.ReadJSON(&m); err != nil {
			c.t.Fatal(err)
		}
	}
	if m.Frame != nil {
		c.last = m.Frame
		for _, f := range m.Frags {
			c.html[f.ID] = f.HTML
		}
		for _, r := range m.Rows {
			c.rows[r.ID] = r.HTML
		}
		if err := c.ws.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"v":1,"op":"ack","rev":%d}`, m.Rev)); err != nil {
			c.t.Fatal(err)
		}
	}
	return m
}

// do sends a command and reads until its reply.
func (c *client) do(fields string) *player.Error {
	c.t.Helper()
	c.id++
	c.write(fmt.Sprintf(`{"v":1,"id":%d,%s}`, c.id, fields))
	for {
		if m := c.next(); m.Reply != nil && m.ID == c.id {
			return m.Err
		}
	}
}

func (c *client) write(data string) {
	c.t.Helper()
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(data)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) ok(fields string) {
	c.t.Helper()
	if err := c.do(fields); err != nil {
		c.t.Fatalf("%s: %v", fields, err)
	}
}

// emptyRow is a row as a fragment draws it.
var emptyRow = regexp.MustCompile(`<\w+ id="([^"]+)"[^>]* data-row[^>]*></\w+>`)

func TestASocketCarriesASession(t *testing.T) {
	s, server := site(t, 4)
	c := dial(t, server.URL)
	if m := c.next(); m.Hello == nil || m.Build != s.files.build {
		t.Fatalf("the first message is %+v", m)
	}
	c.ok(`"op":"load","lesson":"redisson-lock","lang":"zh"`)
	c.ok(`"op":"step","n":2`)
	if c.last.Pos != 2 || c.last.Base == 0 {
		t.Errorf("frame %+v", c.last)
	}
	page := get(t, server.URL+"/zh/lessons/redisson-lock/?s="+c.last.Schedule)
	for id, html := range c.html {
		html = emptyRow.ReplaceAllStringFunc(html, func(row string) string {
			open, id, _ := strings.Cut(row, "></")
			return open + ">" + c.rows[emptyRow.FindStringSubmatch(row)[1]] + "</" + id
		})
		if !strings.Contains(page.body, html) {
			t.Errorf("fragment %s of the frame is not on the page of its address:\n%s", id, html)
		}
	}
}

// wire counts what comes over a connection.
type wire struct {
	net.Conn
	bytes *atomic.Int64
}

func (w wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.bytes.Add(int64(n))
	return n, err
}

func TestFramesAreCompressed(t *testing.T) {
	_, server := site(t, 1)
	var came atomic.Int64
	c := dialWith(t, server.URL, &websocket.Dialer{
		EnableCompression: true,
		NetDialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, addr)
			return wire{conn, &came}, err
		},
	})
	c.ok(`"op":"load","lesson":"redisson-lock"`)
	c.ok(`"op":"step","n":8`)
	start := came.Load()
	c.ok(`"op":"step","n":1`)
	whole := 0
	for _, f := range c.last.Frags {
		whole += len(f.HTML)
	}
	n := came.Load() - start
	t.Logf("a step of %d bytes of HTML took %d on the wire", whole, n)
	if n == 0 || n > int64(whole)/3 {
		t.Errorf("a step of %d bytes of HTML took %d on the wire", whole, n)
	}
}

func TestTwoSocketsAreTwoSessions(t *testing.T) {
	_, server := site(t, 4)
	a, b := dial(t, server.URL), dial(t, server.URL)
	a.ok(`"op":"load","lesson":"set-nx"`)
	b.ok(`"op":"load","lesson":"set-nx"`)
	a.ok(`"op":"step","n":3`)
	b.ok(`"op":"step","n":1`)
	a.ok(`"op":"step","n":1`)
	if a.last.Pos != 4 || b.last.Pos != 1 {
		t.Errorf("at %d and %d", a.last.Pos, b.last.Pos)
	}
}

// A page is drawn anew for each newer edition in which its lesson is another one.
func TestAPageHearsOfNewerEditions(t *testing.T) {
	s, server := site(t, 4)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"eval"`)
	for range 2 {
		rewritten := *lessons.Find(s.playground.Catalog.Now().Lessons, "eval")
		s.playground.Catalog.Publish(&player.Edition{Lessons: []*lessons.Lesson{&rewritten}})
		for m := c.next(); m.Frame == nil || m.Base > 0; m = c.next() {
		}
	}
}

func TestAutoplayRunsOnTheServer(t *testing.T) {
	_, server := site(t, 4)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"eval"`)
	c.ok(`"op":"play","hz":20`)
	for c.last.Playing {
		c.next()
	}
	if c.last.Pos == 0 {
		t.Error("it played nothing")
	}
}

func TestMalformedMessagesAreAnswered(t *testing.T) {
	_, server := site(t, 4)
	c := dial(t, server.URL)
	c.next()
	for _, data := range []string{"", "{", "hello", `{"v":1,"op":"fly"}`, "\x00\xff", `{"v":1,"op":"step","n":"x"}`} {
		c.write(data)
		if m := c.next(); m.Reply == nil || m.Err == nil {
			t.Errorf("%q: answered %+v", data, m)
		}
	}
	c.ok(`"op":"load","lesson":"eval"`)
	c.ok(`"op":"step","n":1`)
}

// A page whose machine was shut or whose network is gone says nothing, and closes nothing.
func TestASocketThatDoesNotAnswerIsEnded(t *testing.T) {
	s, server := site(t, 1)
	s.beat = 10 * time.Millisecond
	silent := dial(t, server.URL)
	silent.next() // what is not read is not answered either
	untilSeated(t, server.URL)
}

func TestAPageHearsThatTheServerIsThere(t *testing.T) {
	s, server := site(t, 1)
	s.beat = 10 * time.Millisecond
	c := dial(t, server.URL)
	for range 10 {
		var m player.Message
		if err := c.ws.ReadJSON(&m); err != nil {
			t.Fatal(err)
		}
		if m.Op == "beat" {
			return
		}
	}
	t.Error("nothing is heard of it")
}

// Servers of those who do nothing are for others.
func TestAnIdleSessionFreesItsNodes(t *testing.T) {
	o := &odd{}
	s, server := site(t, 1, o)
	s.releaseAfter = time.Millisecond
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"eval","engine":"redis"`)
	c.ok(`"op":"step","n":2`)
	for freed := false; !freed; {
		o.mu.Lock()
		freed = o.closed == len(o.opened)
		o.mu.Unlock()
	}
	c.ok(`"op":"step","n":1`)
	if c.last.Pos != 3 || c.last.Engine != "redis" || len(o.opened) < 2 {
		t.Errorf("afterwards it is at %d on %s, on nodes that were opened %d times", c.last.Pos, c.last.Engine, len(o.opened))
	}
}

func TestASessionThatPanicsIsGivenUpAlone(t *testing.T) {
	o := &odd{exec: func() error { panic("a bug") }}
	_, server := site(t, 4, o)
	other, c := dial(t, server.URL), dial(t, server.URL)
	other.ok(`"op":"load","lesson":"eval"`)
	c.ok(`"op":"load","lesson":"set-nx","engine":"redis"`) // nothing is asked of its node before the first step
	c.write(`{"v":1,"op":"step","n":1}`)
	if m := c.next(); m.Reply == nil || m.Err.Code != player.CodeCrashed {
		t.Fatalf("told %+v", m)
	}
	if err := c.do(`"op":"step","n":1`); err == nil || err.Code != player.CodeNoLesson {
		t.Errorf("the session goes on: %v", err)
	}
	c.ok(`"op":"load","lesson":"eval"`)
	c.ok(`"op":"step","n":1`)
	other.ok(`"op":"step","n":1`)
}

func TestClosingFreesTheSessionsNodes(t *testing.T) {
	o := &odd{}
	s, server := site(t, 4, o)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"eval","engine":"redis"`)
	s.Close()
	if o.closed != 1 {
		t.Errorf("freed %d times", o.closed)
	}
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				t.Errorf("the socket ended with %v", err)
			}
			return
		}
	}
}

func TestMessagesAreJSONWithoutHTMLEscapes(t *testing.T) {
	data := player.Message{Op: "frame", Frame: &player.Frame{Frags: []player.Frag{{ID: "x", HTML: "<p>&amp;</p>"}}}}.Encode()
	if !json.Valid(data) || !strings.Contains(string(data), "<p>&amp;</p>") {
		t.Errorf("%s", data)
	}
}
