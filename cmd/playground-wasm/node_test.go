package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
	"lockstep/node/sample"
	"lockstep/static/built"
	"lockstep/web/player"
)

// worker is the module in Node, behind the script that a page starts.
type worker struct {
	t   testing.TB
	in  io.Writer
	out *bufio.Reader
	id  int
}

func catalog(t testing.TB, more ...*lessons.Lesson) []*lessons.Lesson {
	t.Helper()
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return append(slices.Clone(all), more...)
}

// readOnce are the lessons of this repository, which no test changes.
var readOnce = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

func nameOf(l *lessons.Lesson) string { return l.Name }

func encoded(t testing.TB, all []*lessons.Lesson) string {
	t.Helper()
	data, err := lessons.Encode(all)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "lessons.json")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// quickly has Node use, of V8's two compilers for WebAssembly, the one that is done
// soon: for most programs the other one would take longer than they run.
const quickly = "--liftoff-only"

func start(t testing.TB, all []*lessons.Lesson) *worker {
	t.Helper()
	return startModule(t, module, all)
}

// startModule starts one of the modules; alone: on one processor.
func startModule(t testing.TB, module string, all []*lessons.Lesson, alone ...string) *worker {
	t.Helper()
	if err := built.Need("testdata/node.mjs", script, module); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", append([]string{quickly, "testdata/node.mjs", script, module, encoded(t, all)}, alone...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v", err)
		}
	})
	w := &worker{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	if hello := w.line(); hello != `{"v":1,"op":"hello","build":"test"}` {
		t.Fatalf("the worker begins with %s", hello)
	}
	return w
}

func (w *worker) line() string {
	w.t.Helper()
	text, err := w.out.ReadString('\n')
	if err != nil {
		w.t.Fatalf("the worker ended: %v", err)
	}
	return strings.TrimSuffix(text, "\n")
}

// command sends one command and returns all that comes, up to its reply.
func (w *worker) command(fields string) []string {
	w.t.Helper()
	w.id++
	fmt.Fprintf(w.in, `{"v":1,"id":%d,%s}`+"\n", w.id, fields)
	var all []string
	for {
		m := w.line()
		all = append(all, m)
		if strings.Contains(m, fmt.Sprintf(`"op":"reply","id":%d,`, w.id)) {
			return all
		}
	}
}

// While the learner reads, the story is played ahead, unless the learner's own steps would wait for that.
func TestOneProcessorPlaysNothingAhead(t *testing.T) {
	for _, tt := range []struct {
		alone []string
		want  string
	}{{nil, `{"busy":true}`}, {[]string{"alone"}, `{"busy":false}`}} {
		w := startModule(t, module, catalog(t), tt.alone...)
		w.command(`"op":"load","lesson":"set-nx","lang":"en"`)
		fmt.Fprintln(w.in, "?")
		if got := w.line(); got != tt.want {
			t.Errorf("%v: the worker says %s, want %s", tt.alone, got, tt.want)
		}
	}
}

// here is the same player in this process.
type here struct {
	session *player.Session
	id      int
}

func (h *here) command(t testing.TB, fields string) []string {
	h.id++
	var all []string
	for _, m := range h.session.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"id":%d,%s}`, h.id, fields)) {
		all = append(all, strings.TrimSuffix(string(m.Encode()), "\n"))
	}
	return all
}

// languages are those in which lessons are drawn, line by line. Without the lines,
// a test with Chromium draws them in both.
var languages = sample.Generated{All: 2, Sample: 1}

// Each message of the player, frames with all their HTML, is the same in the module
// as natively.
func TestEveryLessonIsDrawnTheSameInNode(t *testing.T) {
	all := catalog(t)
	w := start(t, all)
	p := &player.Playground{Catalog: player.NewCatalog(all), Engines: []player.Engine{player.Embedded{InBrowser: true}}}
	native := &here{session: p.NewSession("test")}
	rev := 0
	both := func(fields string) string {
		t.Helper()
		got, want := w.command(fields), native.command(t, fields)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %s", fields, firstDifference(strings.Join(got, "\n"), strings.Join(want, "\n")))
		}
		rev = max(rev, newest(t, got))
		return got[len(got)-1]
	}
	steps := 0
	for _, language := range languages.Seeds(t) {
		lang := []string{"en", "zh"}[language]
		for _, l := range sample.Lessons(t, all, sample.LessonsCompared, nameOf) {
			both(fmt.Sprintf(`"op":"load","lesson":%q,"lang":%q`, l.Name, lang))
			for i := range l.Choices() {
				if reply := both(fmt.Sprintf(`"op":"seek","pos":%d`, i+1)); !strings.Contains(reply, `"ok":true`) {
					t.Fatalf("%s: %s", l.Name, reply)
				}
				both(fmt.Sprintf(`"op":"ack","rev":%d`, rev))
				both(`"op":"line","n":1`) // refused where no script ran
				both(fmt.Sprintf(`"op":"ack","rev":%d`, rev))
				steps++
			}
		}
	}
	t.Logf("%d steps", steps)
}

// newest is the number of the last frame among messages; 0: there is none.
func newest(t testing.TB, messages []string) (rev int) {
	t.Helper()
	for _, m := range messages {
		var frame struct{ Rev int }
		if err := json.Unmarshal([]byte(m), &frame); err != nil {
			t.Fatal(err)
		}
		rev = max(rev, frame.Rev)
	}
	return rev
}

// What is typed is read in the module of the Author view as it is natively, mistakes
// and all.
func TestLessonsAreReadTheSameInNode(t *testing.T) {
	all := catalog(t)
	w := startModule(t, authorModule, all)
	p := &player.Playground{Catalog: player.NewCatalog(all), Engines: []player.Engine{player.Embedded{InBrowser: true}}, Author: player.NewAuthor(author.Reader{}, nil)}
	native := &here{session: p.NewSession("test")}
	both := func(fields string) string {
		t.Helper()
		got, want := w.command(fields), native.command(t, fields)
		if !slices.Equal(got, want) {
			t.Fatalf("%.200s: %s", fields, firstDifference(strings.Join(got, "\n"), strings.Join(want, "\n")))
		}
		return got[len(got)-1]
	}
	for _, l := range append(sample.Lessons(t, all, sample.LessonsCompared, nameOf), p.Author.Blank()) {
		both(fmt.Sprintf(`"op":"load","lesson":%q`, l.Name))
		var own struct {
			Folder string
			Files  []lessons.File
		}
		if err := json.Unmarshal([]byte(both(`"op":"author"`)), &own); err != nil {
			t.Fatal(err)
		}
		for _, change := range []struct {
			old, with string
			ok        bool
		}{
			{"level: ", "level:  ", true},
			{"story:\n", "story:\n  - say: {en: \"*A* [link](https://example.org/) and `redis.call('GET', x)`\", zh: \"**很好**，看这里\"}\n", true},
			{"actors:", "axtors:", false},
			{"title: {", "title: {en: \"一\"}, {", false},
			{"story:\n", "story:\n  - say: {en: \"<b>no</b>\", zh: \"![x](y)\"}\n  - {run: Nobody}\n", false},
			{"actors:\n", "actors:\n  Ä: {program: 'x = = 1'}\n", false},
		} {
			files := slices.Clone(own.Files)
			files[0].Text = strings.Replace(files[0].Text, change.old, change.with, 1)
			if files[0].Text == own.Files[0].Text {
				t.Fatalf("%s has no %q", l.Name, change.old)
			}
			text, err := json.Marshal(files)
			if err != nil {
				t.Fatal(err)
			}
			reply := both(fmt.Sprintf(`"op":"author","folder":%q,"files":%s`, own.Folder, text))
			if ok := strings.Contains(reply, `"ok":true`); ok != change.ok {
				t.Errorf("%s with %q: %s", l.Name, change.with, reply)
			}
		}
	}
}

// firstDifference shows where two long texts part.
func firstDifference(got, want string) string {
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	around := func(s string) string { return s[max(0, n-120):min(len(s), n+120)] }
	return fmt.Sprintf("byte %d in Node\n%s\nnatively\n%s", n, around(got), around(want))
}

func TestEveryTraceIsTheSameInNode(t *testing.T) {
	input, err := lessons.Encode(sample.Lessons(t, catalog(t), sample.LessonsOnServers, nameOf))
	if err != nil {
		t.Fatal(err)
	}
	tracesAreAlike(t, input)
}

// TestRandomSchedulesAreTheSameInNode: whatever a learner does in a lesson, its faults
// included, the module does what is done natively.
func TestRandomSchedulesAreTheSameInNode(t *testing.T) {
	var all []*lessons.Lesson
	for _, l := range sample.Lessons(t, catalog(t), sample.LessonsOnServers, nameOf) {
		for _, seed := range sample.LessonSchedules.Seeds(t) {
			scenario, err := l.Scenario(l.Open(lessons.Embedded))
			if err != nil {
				t.Fatal(err)
			}
			w, err := engine.NewWorld(t.Context(), scenario)
			if err != nil {
				t.Fatal(err)
			}
			if err := sample.RandomRun(t.Context(), w, seed, sample.LessonScheduleLength); err != nil {
				t.Fatalf("%s, seed %d: %v", l.Name, seed, err)
			}
			told := *l
			told.Name = fmt.Sprintf("%s-%d", l.Name, seed)
			told.Story = []lessons.Beat{{Choices: sample.Choices(w.Trace())}}
			all = append(all, &told)
		}
	}
	input, err := lessons.Encode(all)
	if err != nil {
		t.Fatal(err)
	}
	tracesAreAlike(t, input)
}

// tracesAreAlike plays the stories of a catalog natively and in Node.
func tracesAreAlike(t *testing.T, input []byte) {
	t.Helper()
	native, inNode := onBoth(t, "traces", input, quickly)
	if len(native) < 7 {
		t.Fatalf("only %d traces", len(native))
	}
	for i := range native {
		if native[i] != inNode[i] {
			t.Errorf("trace %d in Node\n%s\nnatively\n%s", i+1, inNode[i], native[i])
		}
	}
	t.Logf("%d traces", len(native))
}

// onBoth does one of alike here and in Node, and gives the lines that are
// printed. The flags are Node's. A worker of Chromium has half of Node's stack.
func onBoth(t *testing.T, what string, input []byte, flags ...string) (native, inNode []string) {
	t.Helper()
	program, err := inNodeProgram()
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	var here bytes.Buffer
	if err := alike[what](input, &here); err != nil {
		t.Fatalf("%s natively: %v", what, err)
	}
	args := slices.Concat([]string{"--stack-size=400"}, flags, []string{filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec_node.js"), program, what})
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	there, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s in Node: %v", what, err)
	}
	native, inNode = lines(here.Bytes()), lines(there)
	if len(native) != len(inNode) {
		t.Fatalf("%d lines natively, %d in Node", len(native), len(inNode))
	}
	return native, inNode
}

func lines(printed []byte) []string {
	return strings.Split(strings.TrimSuffix(string(printed), "\n"), "\n")
}

// inNodeProgram builds these tests once, with the flags of the modules: what was
// compiled for them is not compiled again.
var inNodeProgram = sync.OnceValues(func() (string, error) {
	flags, err := os.ReadFile(made + "/flags")
	if err != nil {
		return "", err
	}
	if err := built.Need("alike_test.go", module); err != nil {
		return "", err
	}
	program, err := filepath.Abs(made + "/innode.wasm")
	if err != nil {
		return "", err
	}
	args := append([]string{"test", "-c", "-vet=off", "-o", program}, lines(flags)...)
	cmd := exec.Command("go", append(args, "./cmd/playground-wasm")...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// In a browser no deadline fires while a script runs: the budget ends it.
func TestARunawayScriptEndsInNode(t *testing.T) {
	w := start(t, catalog(t, &lessons.Lesson{
		Name: "endless", Hash: "00000000", Resolution: 100 * time.Millisecond, Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}},
		Scripts: []lessons.Script{{Name: "spin", Source: "while true do end"}},
		Actors: []lessons.Actor{
			{Name: "A", Process: "p", Program: `redis.eval("spin", {}, {})`},
			{Name: "B", Process: "p", Program: `redis.call("PING") while true do end`},
		},
	}))
	if all := w.command(`"op":"load","lesson":"endless"`); len(all) != 2 {
		t.Fatalf("%s", all)
	}
	for i, c := range []string{`"op":"choose","choice":"run A"`, `"op":"choose","choice":"run B"`} {
		w.command(fmt.Sprintf(`"op":"ack","rev":%d`, i+1))
		all := w.command(c)
		if len(all) != 2 || !strings.Contains(all[1], `"ok":true`) {
			t.Fatalf("%s: %s", c, strings.Join(all, "\n"))
		}
		t.Logf("%s", all[0])
	}
}
