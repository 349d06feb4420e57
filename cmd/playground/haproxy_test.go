package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/node/sample"
	"lockstep/web/player"
)

// learnersBehindProxy is how many learners step while servers come and go. One server must have a place for
// each, since the other one is away.
const learnersBehindProxy = 500

// TestNoLearnerLosesAStepWhileServersComeAndGo plays docs/OPERATE.md: its configuration of HAProxy before two
// servers, of which each is killed, drained and started again.
func TestNoLearnerLosesAStepWhileServersComeAndGo(t *testing.T) {
	if !sample.Everything() { // it takes a minute
		return
	}
	haproxy, err := exec.LookPath("haproxy")
	if err != nil {
		t.Fatal("haproxy is missing: apt-get install haproxy")
	}
	places := []string{"--places", "512"}
	front, ports := anyPort(t), [2]string{anyPort(t), anyPort(t)}
	startProxy(t, haproxy, front, ports)
	servers := [2]*exec.Cmd{startServer(t, ports[0], places...), startServer(t, ports[1], places...)}
	learners := make([]*learner, learnersBehindProxy)
	for i := range learners {
		learners[i] = &learner{url: "ws://127.0.0.1:" + front + "/ws", from: fmt.Sprintf("198.18.%d.%d", i/250, i%250+1)}
	}
	rounds := 0
	step := func(while func()) {
		rounds++
		var all sync.WaitGroup
		for i, l := range learners {
			all.Go(func() {
				if err := l.step(t.Context(), rounds); err != nil {
					t.Errorf("learner %d, step %d: %v", i, rounds, err)
				}
			})
		}
		while()
		all.Wait()
	}
	nothing := func() {}
	kill := func(i int) {
		step(func() { _ = servers[i].Process.Kill() })
		_ = servers[i].Wait()
		servers[i] = startServer(t, ports[i], places...)
	}
	drain := func(i int) {
		step(func() { _ = servers[i].Process.Signal(syscall.SIGTERM) })
		step(nothing) // who was answered before the signal moves after this one
		if err := servers[i].Wait(); err != nil {
			t.Errorf("server %d drained and ended with %v", i+1, err)
		}
		servers[i] = startServer(t, ports[i], places...)
	}
	step(nothing)
	kill(0) // now all are on the other one
	drain(1)
	drain(0)
	kill(1)
	step(nothing)
	told := 0
	for _, l := range learners {
		told += l.moved
	}
	if told == 0 {
		t.Error("no learner was ever told to move: the drains were not seen")
	}
	t.Logf("%d learners, %d steps each, %d moves", len(learners), rounds, told)
}

// learner does what the page does: it steps, and loads its steps again wherever it arrives.
type learner struct {
	url, from string
	ws        *websocket.Conn
	id        int64
	schedule  string
	pos       int
	moved     int
}

// beforeAgain is how long the page waits before it connects again.
const beforeAgain = 300 * time.Millisecond

// step takes one step and waits until it is drawn, on whatever server.
func (l *learner) step(ctx context.Context, want int) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := l.try(ctx, want)
		if err == nil {
			if l.pos != want {
				return fmt.Errorf("it is at %d", l.pos)
			}
			return nil
		}
		if l.ws != nil {
			l.ws.Close()
			l.ws = nil
		}
		if websocket.IsCloseError(err, websocket.CloseServiceRestart) {
			l.moved++
			continue
		}
		select {
		case <-time.After(beforeAgain):
		case <-ctx.Done():
			return err
		}
	}
}

func (l *learner) try(ctx context.Context, want int) error {
	if l.ws == nil {
		ws, resp, err := websocket.DefaultDialer.DialContext(ctx, l.url, http.Header{"X-Forwarded-For": {l.from}})
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		l.ws = ws
		if err := l.do(map[string]any{"op": "load", "lesson": "redisson-lock", "schedule": l.schedule}); err != nil {
			return err
		}
	}
	if l.pos >= want {
		return nil // the step was made, and its answer lost
	}
	return l.do(map[string]any{"op": "step", "n": 1})
}

// do sends a command and reads until it is answered.
func (l *learner) do(command map[string]any) error {
	l.id++
	command["v"], command["id"] = 1, l.id
	_ = l.ws.WriteJSON(command) // when it fails, reading tells why: the server may have said so
	for {
		var m player.Message
		if err := l.ws.ReadJSON(&m); err != nil {
			return err
		}
		if m.Frame != nil {
			l.pos, l.schedule = m.Pos, m.Schedule
			_ = l.ws.WriteJSON(map[string]any{"v": 1, "op": "ack", "rev": m.Rev})
		}
		if m.Reply != nil && m.Err != nil {
			return fmt.Errorf("refused: %s", m.Err.Msg)
		}
		if m.Reply != nil && m.ID == l.id {
			return nil
		}
	}
}

func anyPort(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// startServer starts a server as docs/OPERATE.md does, without real servers, and waits until it is ready.
func startServer(t *testing.T, port string, more ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("playground-of-three")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"serve", "--addr", "127.0.0.1:" + port, "--trusted-proxy", "127.0.0.1", "--drain", "20s"}, more...)
	server := exec.CommandContext(t.Context(), program, args...)
	server.Env = []string{"PATH=" + t.TempDir()}
	begin(t, server)
	waitFor(t, "http://127.0.0.1:"+port+"/readyz", func(r *http.Response) bool {
		var now struct{ Ready bool }
		return json.NewDecoder(r.Body).Decode(&now) == nil && now.Ready
	})
	return server
}

// startProxy starts HAProxy with the configuration of docs/OPERATE.md, on other ports.
func startProxy(t *testing.T, program, front string, ports [2]string) {
	t.Helper()
	guide, err := os.ReadFile("../../docs/OPERATE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, config, _ := strings.Cut(string(guide), "```haproxy\n")
	config, _, _ = strings.Cut(config, "```")
	config = strings.NewReplacer(":8080", ":"+front, ":8081", ":"+ports[0], ":8082", ":"+ports[1]).Replace(config)
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	begin(t, exec.CommandContext(t.Context(), program, "-db", "-f", file))
	// It must refuse the metrics that it could ask for itself.
	waitFor(t, "http://127.0.0.1:"+front+"/metrics", func(r *http.Response) bool { return r.StatusCode == http.StatusForbidden })
}

// begin starts a program that ends with the test.
func begin(t *testing.T, c *exec.Cmd) {
	t.Helper()
	said := &strings.Builder{}
	c.Stderr = said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if t.Failed() && said.Len() > 0 {
			t.Logf("%s said: %s", filepath.Base(c.Path), said)
		}
	})
}

// waitFor asks until the answer is right.
func waitFor(t *testing.T, url string, right func(*http.Response) bool) {
	t.Helper()
	for {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			ok := right(resp)
			resp.Body.Close()
			if ok {
				return
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatalf("%s never answers as it should", url)
		}
	}
}
