package serverstest

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
	"lockstep/node/beside"
	"lockstep/node/zookeeper"
	"lockstep/node/zookeeper/real"
)

// zookeepers is where the nodes of these tests live: a JVM takes long to start.
var zookeepers = sync.OnceValues(func() (*real.Server, error) { return real.StartPrivate(context.Background(), "") })

// openZooKeeper makes a node, with a process of its own.
func openZooKeeper(t testing.TB, timeout time.Duration) *real.Node {
	t.Helper()
	s, err := zookeepers()
	if err != nil {
		t.Fatal(err)
	}
	node := s.Node(timeout)
	t.Cleanup(func() { _ = node.Close(context.Background()) })
	return node
}

func TestLessonsOnZooKeeperAreEqual(t *testing.T) {
	kept := map[time.Duration]*real.Node{} // by the timeout of their sessions
	playLessons(t, lessons.ZooKeeper, func(of lessons.Node) engine.Node {
		timeout := cmp.Or(of.Session, zookeeper.DefaultTimeout)
		if kept[timeout] == nil {
			kept[timeout] = openZooKeeper(t, timeout)
		}
		return kept[timeout]
	})
}

// ask is a request of a process.
func ask(process string, words ...string) engine.Op {
	return engine.Op{From: engine.Client{Actor: process, Process: process}, Args: words}
}

// TestAKilledZooKeeperIsReplaced: the step says that the server has ended, and after a reset
// another one is there.
func TestAKilledZooKeeperIsReplaced(t *testing.T) {
	others := running(t)
	node := openZooKeeper(t, 0)
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := node.Exec(t.Context(), ask("app", "create", "/lock", "", "ephemeral")); err != nil {
		t.Fatal(err)
	}
	pids := slices.DeleteFunc(running(t), func(pid int) bool { return slices.Contains(others, pid) })
	if len(pids) != 1 {
		t.Fatalf("there are %d more servers", len(pids))
	}
	kill(t, pids[0])
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

// TestNothingIsLeftOfAZooKeeper: a server ends with its node, and its folder goes.
func TestNothingIsLeftOfAZooKeeper(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	others := len(running(t))
	node := openZooKeeper(t, 0)
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(running(t)); n != others+1 {
		t.Errorf("there are %d servers, and %d were there", n, others)
	}
	if err := node.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 || len(running(t)) != others {
		t.Errorf("it left %v, %v, %v", left, running(t), err)
	}
	if _, err := node.View(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed node says %v", err)
	}
	if err := node.Reset(t.Context()); err == nil || len(running(t)) > others {
		t.Errorf("a closed node is reset: %v", err)
	}
}
