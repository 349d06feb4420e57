package serverstest

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/beside"
	"lockstep/node/sql/real"
)

// mariadb is where the nodes of these tests live.
var mariadb = sync.OnceValues(func() (*real.Server, error) { return real.StartPrivate(context.Background(), "") })

// openMariaDB makes a node, with a process of its own.
func openMariaDB(t testing.TB) *real.Node {
	t.Helper()
	s, err := mariadb()
	if err != nil {
		t.Fatal(err)
	}
	node := s.Node()
	t.Cleanup(func() { _ = node.Close(context.Background()) })
	return node
}

func TestLessonsOnMariaDBAreEqual(t *testing.T) {
	node := openMariaDB(t)
	playLessons(t, lessons.SQL, func(lessons.Node) engine.Node { return node })
}

// statement is one of a client, or of nobody.
func statement(from, text string) engine.Op {
	op := engine.Op{Args: []string{text}}
	if from != "" {
		op.From = engine.Client{Actor: from, Process: from}
	}
	return op
}

// more are the processes that run, without others.
func more(t *testing.T, others []int) []int {
	t.Helper()
	return slices.DeleteFunc(running(t), func(pid int) bool { return slices.Contains(others, pid) })
}

// TestAKilledMariaDBIsReplaced: the step says that the server has ended, and after a reset
// another one is there.
func TestAKilledMariaDBIsReplaced(t *testing.T) {
	others := running(t)
	node := openMariaDB(t)
	play := func(text string) (engine.Result, error) { return node.Exec(t.Context(), statement("A", text)) }
	for _, when := range []string{"between two steps", "while a statement waits"} {
		t.Run(when, func(t *testing.T) {
			if err := node.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"CREATE TABLE stock (id INT PRIMARY KEY)", "INSERT INTO stock VALUES (1)"} {
				if _, err := node.Exec(t.Context(), statement("", text)); err != nil {
					t.Fatal(err)
				}
			}
			if when == "while a statement waits" {
				for _, who := range []string{"B", "A"} {
					for _, text := range []string{"BEGIN", "SELECT * FROM stock WHERE id = 1 FOR UPDATE"} {
						if _, err := node.Exec(t.Context(), statement(who, text)); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			pids := more(t, others)
			if len(pids) != 1 {
				t.Fatalf("there are %d more servers", len(pids))
			}
			kill(t, pids[0])
			_, err := play("SELECT * FROM stock")
			problem, ok := errors.AsType[*beside.Error](err)
			if !ok || problem.What.Code != "server-ended" || !strings.Contains(err.Error(), "mariadb 10.11") || !strings.Contains(err.Error(), "signal: killed") {
				t.Fatalf("it says %v", err)
			}
			if _, err := node.View(t.Context()); !errors.Is(err, problem) {
				t.Errorf("and then %v", err)
			}
			if err := node.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			if res, err := play("SELECT * FROM stock"); err != nil || res.Reply.Str != "ERROR 1146 (42S02): Table 'lockstep.stock' doesn't exist" {
				t.Errorf("the new one answers %v, %v", res.Reply, err)
			}
		})
	}
}

// TestAStoppedMariaDBIsTold: one that does not answer is given up, and after a reset another
// one is there.
func TestAStoppedMariaDBIsTold(t *testing.T) {
	others := running(t)
	node := openMariaDB(t)
	for _, s := range []engine.Op{statement("", "CREATE TABLE stock (id INT PRIMARY KEY)"), statement("A", "BEGIN")} {
		if _, err := node.Exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, pid := range more(t, others) {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		if _, err := syscall.Wait4(pid, nil, syscall.WUNTRACED, nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err := node.Exec(t.Context(), statement("A", "SELECT * FROM stock"))
	if problem, ok := errors.AsType[*beside.Error](err); !ok || problem.What.Code != "no-answer" {
		t.Fatalf("it says %v", err)
	}
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestNothingIsLeftOfAMariaDB: a server ends with its node, and its folder goes.
func TestNothingIsLeftOfAMariaDB(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	others := running(t)
	for range 2 {
		node := openMariaDB(t)
		if err := node.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(more(t, others)); n != 1 {
			t.Errorf("there are %d more servers", n)
		}
		if err := node.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		left, err := os.ReadDir(tmp)
		if err != nil || len(left) > 0 || len(more(t, others)) > 0 {
			t.Errorf("it left %v, %v, %v", left, more(t, others), err)
		}
		if _, err := node.View(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("a closed node says %v", err)
		}
		if err := node.Reset(t.Context()); err == nil || len(more(t, others)) > 0 {
			t.Errorf("a closed node is reset: %v", err)
		}
	}
}
