package redistest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A panic in a goroutine that the code under test has started ends the program, as os.Exit does, and
// nothing in the program can hinder it. So a second process outlives it, the monitor: it tells the
// test's failure with the story as far as it went, and runs the other tests.

// monitorOf is the environment variable that makes a program a monitor: of the folder with the diaries.
const monitorOf = "REDISTEST_MONITOR"

// What the other tests begin with, as it is before any test has changed it.
var (
	firstFolder, _ = os.Getwd()
	firstEnviron   = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, monitorOf+"=") })
)

func init() {
	if dir := os.Getenv(monitorOf); dir != "" {
		monitor(dir)
		os.Exit(0)
	}
}

// watched starts the monitor, once in a program, and returns the folder with the diaries; empty: there
// is no monitor, and a panic is told as always in Go.
var watched = sync.OnceValue(func() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		return ""
	}
	out, in, err := os.Pipe()
	if err != nil {
		return ""
	}
	defer func() { _ = out.Close(); _ = in.Close() }()
	m := exec.CommandContext(context.Background(), self, os.Args[1:]...)
	m.Dir, m.Env = firstFolder, append(slices.Clip(firstEnviron), monitorOf+"="+dir)
	m.Stdin, m.Stdout, m.Stderr = out, os.Stdout, os.Stderr
	if m.Start() != nil || debug.SetCrashOutput(in, debug.CrashOptions{}) != nil {
		return ""
	}
	return dir
})

// diary is a file with what the monitor tells: the schedule, the test, and the story so far.
type diary struct {
	*os.File
	begin, end int64 // of the story
}

// newDiary is the diary of a test; nil: nobody would read it.
func newDiary(t testing.TB) *diary {
	if _, is := t.(*testing.T); !is || ordered != nil || fuzzes() || watched() == "" {
		return nil
	}
	f, err := os.CreateTemp(watched(), "")
	if err != nil {
		return nil
	}
	d := &diary{File: f, end: labelBytes}
	d.add(t.Name() + "\n")
	d.begin = d.end
	return d
}

// fuzzes tells whether package testing has its own processes.
func fuzzes() bool {
	return slices.ContainsFunc(os.Args, func(a string) bool {
		return strings.HasPrefix(a, "-test.fuzz=") || strings.HasPrefix(a, "-test.fuzzworker")
	})
}

// What is not written is not told.

func (d *diary) add(text string) {
	if d != nil {
		_, _ = d.WriteAt([]byte(text+"\x00"), d.end) // the end: what is behind it is of runs before
		d.end += int64(len(text))
	}
}

// restart forgets the story.
func (d *diary) restart() {
	if d != nil {
		d.end = d.begin
		d.add("")
	}
}

func (d *diary) plan(text []byte) {
	if d != nil {
		_, _ = d.WriteAt(text, 0)
	}
}

func (d *diary) id() string {
	if d == nil {
		return ""
	}
	return filepath.Base(d.Name())
}

func (d *diary) close() {
	if d != nil {
		_ = d.Close()
		_ = os.Remove(d.Name())
	}
}

// monitor waits for the end of the program, and tells of it if it came in the middle of a schedule. Of searches that
// wait for their turn, a diary has no schedule.
func monitor(dir string) {
	crash, _ := io.ReadAll(os.Stdin)
	diaries, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range diaries {
		text, _ := os.ReadFile(name) //nolint:gosec // it is this program's
		if how := howItEnded(crash, filepath.Base(name)); how != "" && len(text) > labelBytes && text[0] != 0 {
			schedule, rest := strings.TrimSpace(string(text[:labelBytes])), string(text[labelBytes:])
			test, story, _ := strings.Cut(rest, "\n")
			story, _, _ = strings.Cut(story, "\x00")
			_ = os.RemoveAll(dir)
			tellFailure(test, fmt.Sprintf("%s\nfound in %s:\n%s", how, schedule, story))
			runOthers(test)
			return
		}
	}
	_ = os.RemoveAll(dir)
}

// howItEnded says what ended the program, if it was the search with this diary.
func howItEnded(crash []byte, diary string) string {
	if len(crash) == 0 {
		return "the code under test ends the program, as os.Exit and log.Fatal do, or somebody else does, as the kernel for want of memory"
	}
	why, stack, _ := bytes.Cut(crash, []byte("\ngoroutine "))
	if head, _, _ := bytes.Cut(stack, []byte("\n")); !bytes.Contains(head, []byte(`"diary": "`+diary+`"`)) {
		return ""
	}
	told := "a goroutine that the code under test has started ends the program, as is told above\n" + string(why)
	if len(bytes.TrimSpace(why)) == 0 { // a fatal error of the runtime, which has told it alone
		told += "if it is about a synctest channel or timer, somebody keeps one of an earlier schedule: a context from outside, as t.Context(), " +
			"does, so use the one that the program is given; and go-redis does of who waits for a connection, so let PoolSize be larger"
	}
	return strings.TrimSpace(told)
}

// tellFailure says that a test has failed, as package testing does.
func tellFailure(test, text string) {
	mark := ""
	if strings.Contains(strings.Join(os.Args, " "), "-test.v=test2json") {
		mark = "\x16"
	}
	fmt.Println()
	indent := ""
	for i := range test + "/" {
		if i == len(test) || test[i] == '/' {
			fmt.Printf("%s%s--- FAIL: %s (0.00s)\n", mark, indent, test[:i])
			indent += "    "
		}
	}
	fmt.Println(indent + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+indent))
}

// only is a pattern of package testing for one test.
func only(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// runOthers runs all tests of this program but one. What ended with it has not passed.
func runOthers(test string) {
	skip, args := only(test), []string{""}
	for _, a := range os.Args[1:] {
		if before, is := strings.CutPrefix(a, "-test.skip="); is && strings.HasSuffix(before, skip) {
			return // it did not help
		} else if is {
			skip = before + "|" + skip
		} else {
			args = append(args, a)
		}
	}
	args[0] = "-test.skip=" + skip
	others := exec.CommandContext(context.Background(), os.Args[0], args...) //nolint:gosec // it is this program
	others.Env, others.Stderr = firstEnviron, os.Stderr
	if out, err := others.StdoutPipe(); err == nil && others.Start() == nil {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if lines.Text() != "PASS" { // as not all have
				fmt.Println(lines.Text())
			}
		}
		_ = others.Wait()
	}
	fmt.Println("FAIL")
}
