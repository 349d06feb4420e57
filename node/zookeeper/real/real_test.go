package real_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/serverstest"
	"lockstep/node/beside"
	"lockstep/node/sample"
	"lockstep/node/zookeeper"
	"lockstep/node/zookeeper/conversations"
	"lockstep/node/zookeeper/real"
)

// server is where all nodes of these tests live: a JVM takes long to start.
var server = sync.OnceValues(func() (*real.Server, error) {
	return real.StartPrivate(context.Background(), "")
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := server(); err == nil {
		_ = s.Close()
	}
	os.Exit(code)
}

// open makes a node.
func open(t testing.TB, timeout time.Duration) *real.Node {
	t.Helper()
	s, err := server()
	if err != nil {
		t.Fatal(err)
	}
	return s.Node(timeout)
}

// kept are nodes that several tests use, by the timeout of their sessions.
var kept = map[time.Duration]*real.Node{}

func nodeFor(t testing.TB, timeout time.Duration) *real.Node {
	timeout = cmp.Or(timeout, zookeeper.DefaultTimeout)
	if kept[timeout] == nil {
		kept[timeout] = open(t, timeout)
	}
	return kept[timeout]
}

func TestConversations(t *testing.T) {
	node := nodeFor(t, conversations.SessionTimeout)
	conversations.Suite.Run(t, func(*testing.T) engine.Node { return node })
}

// TestRandomSchedules plays conversations that are drawn, and compares all replies, events,
// znodes and sessions with those of the embedded node.
func TestRandomSchedules(t *testing.T) {
	node := nodeFor(t, conversations.SessionTimeout)
	for _, seed := range sample.Conversations.Seeds(t) {
		want, err := conversations.Random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := conversations.Suite.Play(t.Context(), node, want); err != nil || got != want {
			t.Errorf("seed %d: %v, after\n%s", seed, err, got)
		}
	}
}

func TestLessonsAreEqual(t *testing.T) {
	serverstest.Lessons(t, lessons.ZooKeeper, func(of lessons.Node) engine.Node { return nodeFor(t, of.Session) })
}

// ask is a request of a process.
func ask(process string, words ...string) engine.Op {
	return engine.Op{From: engine.Client{Actor: process, Process: process}, Args: words}
}

// TestAKilledServerIsReplaced: the step says that the server has ended, and after a reset
// another one is there.
func TestAKilledServerIsReplaced(t *testing.T) {
	others := serverstest.Running(t)
	node := open(t, 0)
	t.Cleanup(func() { _ = node.Close(context.Background()) })
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := node.Exec(t.Context(), ask("app", "create", "/lock", "", "ephemeral")); err != nil {
		t.Fatal(err)
	}
	pids := slices.DeleteFunc(serverstest.Running(t), func(pid int) bool { return slices.Contains(others, pid) })
	if len(pids) != 1 {
		t.Fatalf("there are %d more servers", len(pids))
	}
	serverstest.Kill(t, pids[0])
	_, err := node.Exec(t.Context(), ask("app", "exists", "/lock"))
	problem, ok := errors.AsType[*beside.Error](err)
	if !ok || problem.What.Code != "server-ended" || !strings.Contains(err.Error(), "zookeeper 3.") || !strings.Contains(err.Error(), "signal: killed") {
		t.Fatalf("it says %v", err)
	}
	if _, err := node.View(t.Context()); !errors.Is(err, problem) {
		t.Errorf("and then %v", err)
	}
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if res, err := node.Exec(t.Context(), ask("app", "get", "/lock")); err != nil || res.Reply.Str != "NONODE for /lock" {
		t.Errorf("the new one answers %v, %v", res.Reply, err)
	}
}

// TestNothingIsLeft: a server ends with its node, and its folder goes.
func TestNothingIsLeft(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	others := len(serverstest.Running(t))
	node := open(t, 0)
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(serverstest.Running(t)); n != others+1 {
		t.Errorf("there are %d servers, and %d were there", n, others)
	}
	if err := node.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 || len(serverstest.Running(t)) != others {
		t.Errorf("it left %v, %v, %v", left, serverstest.Running(t), err)
	}
	if _, err := node.View(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed node says %v", err)
	}
	if err := node.Reset(t.Context()); err == nil || len(serverstest.Running(t)) > others {
		t.Errorf("a closed node is reset: %v", err)
	}
}

// TestWhatIsNoZooKeeper: a program that is none is told.
func TestWhatIsNoZooKeeper(t *testing.T) {
	for java, want := range map[string]string{
		"/no/such/java": "did not start",
		"/bin/false":    "it ended: it said nothing",
	} {
		if _, err := real.StartPrivate(t.Context(), java); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", java, err)
		}
	}
}
