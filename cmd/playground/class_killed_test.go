package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lockstep/web/class"
)

// member is the browser of somebody in a class, behind a proxy before two servers.
type member struct {
	*http.Client
	servers []string
	turn    int
}

func newMember(turn int, servers ...string) *member {
	jar, _ := cookiejar.New(nil) // it never fails
	return &member{&http.Client{Jar: jar}, servers, turn}
}

// post sends until a server takes it, and returns the address that it was led to. Whatever a server that dies
// has done with it, it is sent again, as a page does.
func (m *member) post(path, kind, body string) (at string, err error) {
	for range 100 {
		m.turn++
		resp, err := m.Post(m.servers[m.turn%len(m.servers)]+path, kind, strings.NewReader(body))
		if err != nil {
			continue
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		switch {
		case resp.StatusCode < http.StatusBadRequest:
			return resp.Request.URL.Path, nil
		case resp.StatusCode < http.StatusInternalServerError:
			return "", fmt.Errorf("%s: %s", path, resp.Status)
		}
	}
	return "", fmt.Errorf("%s: no server takes it", path)
}

func (m *member) send(code string, e class.Event) error {
	text, err := json.Marshal(e)
	if err == nil {
		_, err = m.post("/class/"+code+"/events", "application/json", string(text))
	}
	return err
}

// wall is the first picture of the wall that is as it should be.
func (m *member) wall(t *testing.T, server, code string, is func(class.Wall) bool) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/class/"+code+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := m.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		var w class.Wall
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && json.Unmarshal([]byte(text), &w) == nil && is(w) {
			return
		}
	}
	t.Fatal("the wall never is as it should be")
}

// A server is killed while a class answers a question: no answer is lost, and none counts twice.
func TestAServerThatIsKilledLosesNoAnswer(t *testing.T) {
	t.Parallel()
	redis, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatalf("%v: run `make servers` first", err)
	}
	socket := filepath.Join(t.TempDir(), "s")
	begin(t, exec.CommandContext(t.Context(), redis, "--port", "0", "--unixsocket", socket, "--save", ""))
	ports := [2]string{anyPort(t), anyPort(t)}
	dying := startServer(t, ports[0], "--class-store", "unix://"+socket)
	startServer(t, ports[1], "--class-store", "unix://"+socket)
	one, two := "http://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1]

	teacher := newMember(0, one, two)
	at, err := teacher.post("/class/open", "application/x-www-form-urlencoded", url.Values{"lesson": {"set-nx"}}.Encode())
	if err != nil {
		t.Fatal(err)
	}
	code := at[strings.LastIndex(at, "/")+1:]
	const learners = 30
	members := make([]*member, learners)
	each := func(do func(i int, m *member) error) {
		t.Helper()
		var all sync.WaitGroup
		for i, m := range members {
			all.Go(func() {
				if err := do(i, m); err != nil {
					t.Errorf("learner %d: %v", i, err)
				}
			})
		}
		all.Wait()
	}
	for i := range members {
		members[i] = newMember(i, one, two)
	}
	each(func(i int, m *member) error {
		_, err := m.post("/class/"+code+"/join", "application/x-www-form-urlencoded", url.Values{"name": {fmt.Sprint("L", i)}}.Encode())
		return err
	})
	question := class.Event{Kind: class.Ask, Place: class.Place{Lesson: "set-nx"}, Options: []class.Option{{Value: "yes"}, {Value: "no"}}}
	if err := teacher.send(code, question); err != nil {
		t.Fatal(err)
	}
	teacher.wall(t, two, code, func(w class.Wall) bool { return w.Poll != nil && len(w.Learners) == learners })

	var answered atomic.Int32
	each(func(i int, m *member) error {
		answer := class.Event{Kind: class.Answer, Step: 1, Text: []string{"yes", "no"}[i%2]}
		if err := m.send(code, answer); err != nil {
			return err
		}
		if answered.Add(1) == learners/3 {
			_ = dying.Process.Kill() // others are in the middle of it
		}
		return m.send(code, answer)
	})
	if err := teacher.send(code, question); err != nil { // the answer to the first one may have been lost
		t.Fatal(err)
	}
	if err := teacher.send(code, class.Event{Kind: class.Reveal}); err != nil {
		t.Fatal(err)
	}
	teacher.wall(t, two, code, func(w class.Wall) bool {
		if w.Poll == nil || !w.Poll.Shown {
			return false
		}
		if w.Answered != learners || w.Answers[0].N != learners/2 || w.Answers[1].N != learners/2 {
			t.Errorf("of %d learners the answers are %+v", learners, w.Answers)
		}
		return true
	})
}
