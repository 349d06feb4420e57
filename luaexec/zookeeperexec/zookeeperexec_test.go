package zookeeperexec_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/luaexec/luaexectest"
	"lockstep/luaexec/servers"
	"lockstep/luaexec/zkexec"
	"lockstep/luaexec/zkexectest"
	"lockstep/luaexec/zookeeperexec"
)

// server is where all nodes of these tests live: a JVM takes long to start.
var server = sync.OnceValues(func() (*zookeeperexec.Server, error) {
	return zookeeperexec.StartPrivate(context.Background(), "")
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := server(); err == nil {
		_ = s.Close()
	}
	os.Exit(code)
}

// open makes a node.
func open(t testing.TB, timeout time.Duration) *zookeeperexec.Node {
	t.Helper()
	s, err := server()
	if err != nil {
		t.Fatal(err)
	}
	return s.Node(timeout)
}

// kept are nodes that several tests use, by the timeout of their sessions.
var kept = map[time.Duration]*zookeeperexec.Node{}

func nodeFor(t testing.TB, timeout time.Duration) *zookeeperexec.Node {
	timeout = cmp.Or(timeout, zkexec.DefaultTimeout)
	if kept[timeout] == nil {
		kept[timeout] = open(t, timeout)
	}
	return kept[timeout]
}

func TestConversations(t *testing.T) {
	node := nodeFor(t, zkexectest.SessionTimeout)
	zkexectest.Run(t, func(*testing.T) engine.Node { return node })
}

// TestRandomSchedules plays conversations that are drawn, and compares all replies, events,
// znodes and sessions with those of the embedded node.
func TestRandomSchedules(t *testing.T) {
	node := nodeFor(t, zkexectest.SessionTimeout)
	for _, seed := range luaexectest.Watches.Seeds(t) {
		want, err := zkexectest.Random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := zkexectest.Play(t.Context(), node, want); err != nil || got != want {
			t.Errorf("seed %d: %v, after\n%s", seed, err, got)
		}
	}
}

// timesPlayed is how often each lesson must go the same way.
const timesPlayed, timesPlayedInFull = 5, 50

// TestLessonsAreEqual plays the stories and solutions of all lessons with a ZooKeeper, many
// times: each trace is that of the embedded node, to the byte.
func TestLessonsAreEqual(t *testing.T) {
	all, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
	times := timesPlayed
	if luaexectest.Everything() {
		times = timesPlayedInFull
	}
	for _, l := range all {
		if !slices.ContainsFunc(l.Nodes, func(n lessons.Node) bool { return n.Kind == lessons.ZooKeeper }) {
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			nodes := l.Open(lessons.Makers{lessons.ZooKeeper: func(of lessons.Node) engine.Node {
				return nodeFor(t, of.Session)
			}})
			for _, choices := range played(l) {
				want := traceOf(t, l, l.Open(lessons.Embedded), choices)
				for i := range times {
					if got := traceOf(t, l, nodes, choices); got != want {
						t.Fatalf("the %dth time it is\n%s\nand embedded\n%s", i+1, got, want)
					}
				}
			}
		})
	}
}

// played are the story of a lesson and the solutions of its challenges.
func played(l *lessons.Lesson) [][]engine.Choice {
	all := [][]engine.Choice{l.Choices()}
	for _, c := range l.Challenges {
		if len(c.Solution) > 0 {
			all = append(all, c.Solution)
		}
	}
	return all
}

func traceOf(t *testing.T, l *lessons.Lesson, nodes []engine.NodeSpec, choices []engine.Choice) string {
	t.Helper()
	scenario, err := l.Scenario(nodes)
	if err != nil {
		t.Fatal(err)
	}
	_, trace, err := engine.Replay(t.Context(), scenario, choices)
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	text, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ask is a request of a process.
func ask(process string, words ...string) engine.Op {
	return engine.Op{From: engine.Client{Actor: process, Process: process}, Args: words}
}

// ownServers are the processes that this one has started.
func ownServers(t *testing.T) (pids []int) {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		children, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children") // the thread may have ended
		for text := range strings.FieldsSeq(string(children)) {
			pid, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestAKilledServerIsReplaced: the step says that the server has ended, and after a reset
// another one is there.
func TestAKilledServerIsReplaced(t *testing.T) {
	others := ownServers(t)
	node := open(t, 0)
	t.Cleanup(func() { _ = node.Close(context.Background()) })
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := node.Exec(t.Context(), ask("app", "create", "/lock", "", "ephemeral")); err != nil {
		t.Fatal(err)
	}
	pids := slices.DeleteFunc(ownServers(t), func(pid int) bool { return slices.Contains(others, pid) })
	if len(pids) != 1 {
		t.Fatalf("there are %d more servers", len(pids))
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_, err := node.Exec(t.Context(), ask("app", "exists", "/lock"))
	problem, ok := errors.AsType[*servers.Error](err)
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
	others := len(ownServers(t))
	node := open(t, 0)
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(ownServers(t)); n != others+1 {
		t.Errorf("there are %d servers, and %d were there", n, others)
	}
	if err := node.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 || len(ownServers(t)) != others {
		t.Errorf("it left %v, %v, %v", left, ownServers(t), err)
	}
	if _, err := node.View(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed node says %v", err)
	}
	if err := node.Reset(t.Context()); err == nil || len(ownServers(t)) > others {
		t.Errorf("a closed node is reset: %v", err)
	}
}

// TestWhatIsNoZooKeeper: a program that is none is told.
func TestWhatIsNoZooKeeper(t *testing.T) {
	for java, want := range map[string]string{
		"/no/such/java": "did not start",
		"/bin/false":    "it ended: it said nothing",
	} {
		if _, err := zookeeperexec.StartPrivate(t.Context(), java); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", java, err)
		}
	}
}
