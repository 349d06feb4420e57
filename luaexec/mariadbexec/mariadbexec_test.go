package mariadbexec_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/luaexec/luaexectest"
	"lockstep/luaexec/mariadbexec"
	"lockstep/luaexec/servers"
	"lockstep/luaexec/sqlexectest"
)

// start is where nodes can live until the test ends.
func start(t testing.TB) *mariadbexec.Server {
	t.Helper()
	s, err := mariadbexec.StartPrivate(t.Context(), "")
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestConversations(t *testing.T) {
	node := start(t).Node()
	sqlexectest.Run(t, func(*testing.T) engine.Node { return node })
}

// TestRandomTransactions plays conversations that are drawn, and compares all replies, rows
// and waits with those of the embedded node.
func TestRandomTransactions(t *testing.T) {
	node := start(t).Node()
	for _, seed := range luaexectest.Transactions.Seeds(t) {
		want, err := sqlexectest.Random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := sqlexectest.Play(t.Context(), node, want); err != nil || got != want {
			t.Errorf("seed %d: %v\n%s\nembedded:\n%s", seed, err, got, want)
		}
	}
}

// timesPlayed is how often each lesson must go the same way.
const timesPlayed, timesPlayedInFull = 5, 50

// TestLessonsAreEqual plays the stories and solutions of all lessons with a SQL server, many
// times: each trace is that of the embedded node, to the byte.
func TestLessonsAreEqual(t *testing.T) {
	all, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
	server := start(t)
	times := timesPlayed
	if luaexectest.Everything() {
		times = timesPlayedInFull
	}
	for _, l := range all {
		if !slices.ContainsFunc(l.Nodes, func(n lessons.Node) bool { return n.Kind == lessons.SQL }) {
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			nodes := l.Open(lessons.Makers{lessons.SQL: func(lessons.Node) engine.Node {
				n := server.Node()
				t.Cleanup(func() { _ = n.Close(t.Context()) })
				return n
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

// played are the story of a lesson and the solution of its challenge.
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

// statement is one of a client, or of nobody.
func statement(from, text string) engine.Op {
	op := engine.Op{Args: []string{text}}
	if from != "" {
		op.From = engine.Client{Actor: from, Process: from}
	}
	return op
}

// ownServers are the processes of MariaDB that this one has started.
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
	node := start(t).Node()
	play := func(text string) (engine.Result, error) { return node.Exec(t.Context(), statement("A", text)) }
	for _, kill := range []string{"between two steps", "while a statement waits"} {
		t.Run(kill, func(t *testing.T) {
			if err := node.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"CREATE TABLE stock (id INT PRIMARY KEY)", "INSERT INTO stock VALUES (1)"} {
				if _, err := node.Exec(t.Context(), statement("", text)); err != nil {
					t.Fatal(err)
				}
			}
			if kill == "while a statement waits" {
				for _, who := range []string{"B", "A"} {
					for _, text := range []string{"BEGIN", "SELECT * FROM stock WHERE id = 1 FOR UPDATE"} {
						if _, err := node.Exec(t.Context(), statement(who, text)); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			pids := ownServers(t)
			if len(pids) != 1 {
				t.Fatalf("there are %d servers", len(pids))
			}
			if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_, err := play("SELECT * FROM stock")
			problem, ok := errors.AsType[*servers.Error](err)
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

// TestAStoppedServerIsTold: one that does not answer is given up, and after a reset another
// one is there.
func TestAStoppedServerIsTold(t *testing.T) {
	node := start(t).Node()
	for _, s := range []engine.Op{statement("", "CREATE TABLE stock (id INT PRIMARY KEY)"), statement("A", "BEGIN")} {
		if _, err := node.Exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, pid := range ownServers(t) {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		if _, err := syscall.Wait4(pid, nil, syscall.WUNTRACED, nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err := node.Exec(t.Context(), statement("A", "SELECT * FROM stock"))
	if problem, ok := errors.AsType[*servers.Error](err); !ok || problem.What.Code != "no-answer" {
		t.Fatalf("it says %v", err)
	}
	if err := node.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestNothingIsLeft: a server ends with its node, and its folder goes.
func TestNothingIsLeft(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	server := start(t)
	for range 2 {
		node := server.Node()
		if err := node.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(ownServers(t)); n != 1 {
			t.Errorf("there are %d servers", n)
		}
		if err := node.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		left, err := os.ReadDir(tmp)
		if err != nil || len(left) > 0 || len(ownServers(t)) > 0 {
			t.Errorf("it left %v, %v, %v", left, ownServers(t), err)
		}
		if _, err := node.View(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("a closed node says %v", err)
		}
		if err := node.Reset(t.Context()); err == nil || len(ownServers(t)) > 0 {
			t.Errorf("a closed node is reset: %v", err)
		}
	}
}

// TestWhatIsNoMariaDB: a program that is none is told.
func TestWhatIsNoMariaDB(t *testing.T) {
	for binary, want := range map[string]string{
		"/no/such/mariadbd": "did not start",
		"/bin/false":        "it ended: it said nothing",
	} {
		if _, err := mariadbexec.StartPrivate(t.Context(), binary); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", binary, err)
		}
	}
}
