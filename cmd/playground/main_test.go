package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/redis/conversations"
	"lockstep/node/sample"
	"lockstep/static/built"
)

var update = flag.Bool("update", false, "rewrite what the scripts expect")

func builtInLessons(t *testing.T) []*lessons.Lesson {
	t.Helper()
	all, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func nameOf(l *lessons.Lesson) string { return l.Name }

func TestMain(m *testing.M) {
	tests := built.Tests{M: m, Files: []string{"../../static/dist/main.js", "../../static/dist/playground.wasm.gz"}}
	testscript.Main(tests, map[string]func(){"playground": main, "playground-of-three": func() {
		catalog = threeLessons
		main()
	}})
}

// threeLessons stand for all in scripts that write pages of each.
func threeLessons() (three []*lessons.Lesson, err error) {
	for _, folder := range []string{"006-set-nx", "016-redisson-lock", "029-fair-lock"} {
		l, err := decode.Lesson(lessons.FS, folder)
		if err != nil {
			return nil, err
		}
		three = append(three, l)
	}
	return three, nil
}

// TestScripts runs the program the way people do: testdata/script has one file
// for each subcommand.
func TestScripts(t *testing.T) {
	valkey := conversations.ValkeyServer(t) // which make servers may have left where only make looks
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Condition: func(name string) (bool, error) {
			if name != "everything" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return sample.Everything(), nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(valkey))
			env.Setenv("GOGC", os.Getenv("GOGC"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": exitCode, "freeport": freePort, "listening": listening,
		},
	})
}

// exitCode runs a program and compares its exit code: code 2 playground run.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program [argument…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("the exit code of %q is %d, want %d", args[1:], got, want)
	}
}

// freePort sets a variable to a port that nobody listens on: freeport PORT.
func freePort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: freeport VARIABLE")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	ts.Check(err)
	ts.Check(listener.Close())
	ts.Setenv(args[0], port)
}

// listening waits until a port is open: listening 6380.
func listening(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listening PORT")
	}
	for {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+args[0]); err == nil {
			ts.Check(conn.Close())
			return
		}
	}
}

func TestEverySubcommandHasHelp(t *testing.T) {
	for _, c := range commands() {
		if c.name == "" || c.summary == "" || c.define == nil {
			t.Errorf("the subcommand %q lacks its name, summary or flags", c.name)
		}
	}
}

func TestFlagsMayComeAfterTheLesson(t *testing.T) {
	for _, args := range [][]string{
		{"--n", "5", "a", "b"}, {"a", "--n", "5", "b"}, {"a", "b", "--n=5"}, {"--n", "5", "--", "a", "b"},
	} {
		flags := flag.NewFlagSet("x", flag.ContinueOnError)
		n := flags.Int("n", 0, "")
		rest, err := parse(flags, args)
		if err != nil || *n != 5 || len(rest) != 2 || rest[0] != "a" || rest[1] != "b" {
			t.Errorf("%q is read as n=%d and %q, %v", args, *n, rest, err)
		}
	}
}

func TestACancelledCheckSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := start(ctx, terminal{io.Discard, io.Discard}, []string{"check"}); code != exitFailed {
		t.Errorf("the exit code is %d, want %d", code, exitFailed)
	}
}

func TestATooSlowServerGetsMoreChances(t *testing.T) {
	l := &lessons.Lesson{Name: "slow", Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}}}
	for _, c := range []struct {
		answers []error
		times   int
		want    error
	}{
		{[]error{nil}, 1, nil},
		{[]error{engine.ErrSlow, nil}, 2, nil},
		{slices.Repeat([]error{engine.ErrSlow}, mostTries), mostTries, engine.ErrSlow},
		{[]error{io.EOF}, 1, io.EOF},
	} {
		times := 0
		err := target{}.with(t.Context(), l, func([]engine.NodeSpec) error {
			times++
			return c.answers[times-1]
		})
		if times != c.times || !errors.Is(err, c.want) {
			t.Errorf("after %v it was played %d times and ended with %v", c.answers, times, err)
		}
	}
}
