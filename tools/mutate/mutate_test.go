package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const example = `package p

func (a *account) take(n int) bool {
	if n > 0 && a.open() {
		a.left -= n
		defer a.note(
			n,
		)
	}
	return !a.empty
}

const most = 10
`

func TestChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "account.go")
	if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	changes, err := changesIn(path, "p/account.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		if c.in != "account.take" && c.in != "" || c.file != "p/account.go" {
			t.Errorf("%s:%d is said to be in %s", c.file, c.line, c.in)
		}
		if before, after := strings.Count(example, "\n"), strings.Count(c.applied(example), "\n"); before != after {
			t.Errorf("with %q there are %d lines, and were %d", c.would, after, before)
		}
		got = append(got, c.would)
	}
	want := []string{
		"if (n > 0 && a.open()) || true {",
		"if (n > 0 && a.open()) && false {",
		"if n > 0 || a.open() {",
		"if n >= 0 && a.open() {",
		"if n <= 0 && a.open() {",
		"if n > 1 && a.open() {",
		"a.left += n",
		"",
		"return a.empty",
		"const most = 11",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the changes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestExplained(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survivors.txt")
	c := change{file: "p/account.go", in: "account.take", was: "defer a.note( n, )", would: ""}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# A comment.\n\n" + c.block() + "\nThe note is for people only,\nand nobody reads it.\n")
	reasons, err := explained(path)
	if err != nil || reasons[c.id()] != "The note is for people only, and nobody reads it." {
		t.Errorf("the reasons are %q, %v", reasons, err)
	}
	write(c.block() + "\n")
	if _, err := explained(path); err == nil {
		t.Error("a change without a reason is taken")
	}
}

// program has functions of each kind, and prints what they do and the line of its end.
const program = `package main

import (
	"fmt"
	"runtime"
)

type box[T any] struct{ held []T }

func (b *box[T]) put(v T) { b.held = append(b.held, v) }

func (*box[_]) kind(long bool) string { if long { return "a big box" }; return "a box" }

func sum[K comparable, V int | float64](
	m map[K]V,
	_ string, more ...V,
) (
	total V,
) {
	for _, v := range more {
		total += v
	}
	for _, v := range m {
		total += v
	}
	return total
}

func first(int, string) (n int, err error) { n = 1; return }

func say(a, b int, words ...string) {
	fmt.Println(a+b, len(words))
}

func main() {
	var b box[int]
	b.put(4)
	n, _ := first(0, "")
	say(n, len(b.held), "x", "y")
	fmt.Println(b.kind(false), sum(map[string]int{"a": 1}, "", 2, 3))
	_, _, line, _ := runtime.Caller(0)
	fmt.Println(line)
}
`

// With no change active a program does what it did, and its lines keep their numbers; with one
// it does what that says.
func TestAProgramWithItsChanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "main.go")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", program)
	found, err := changesIn(path, "main.go")
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(program[:strings.Index(program, "runtime.Caller")], "\n")
	wanted := map[string]string{
		"none":                          fmt.Sprintf("2 2\na box 6\n%d\n", line),
		"fmt.Println(a-b, len(words))":  "0 2\n",
		"func (b *box[T]) put(v T) { }": "1 2\n",
		"func first(int, string) (n int, err error) { n = 2; return }":                                           "3 2\n",
		"func (*box[_]) kind(long bool) string { if (long) || true { return \"a big box\" }; return \"a box\" }": "a big box 6\n",
		"total -= v": "a box 4\n",
	}
	changes, places := map[int]change{}, map[string]int{"none": 0}
	for i, c := range found {
		if wanted[c.would] != "" {
			changes[i+1], places[c.would] = c, i+1
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, program, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	text, left := withChanges(program, file, func(change) bool { return true }, changes)
	if len(left) != 0 {
		t.Errorf("%d changes are left", len(left))
	}
	write("main.go", text)
	write("go.mod", "module changed\n\ngo 1.24\n")
	write("active_change.go", strings.Replace(switchFile, "%s", "main", 1))
	binary := filepath.Join(dir, "changed")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	for would, want := range wanted {
		n, found := places[would]
		if !found {
			t.Fatalf("no change makes %s", would)
		}
		write("active", strconv.Itoa(n))
		out, err := exec.CommandContext(t.Context(), binary).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("with %q the program says %q, %v; want %q", would, out, err, want)
		}
	}
}

// What has no body to copy is left for a build of its own.
func TestChangesOfDeclarationsAreLeft(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", example, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(example, "10")
	limit := change{from: at, to: at + 2, with: "11"}
	text, left := withChanges(example, file, func(change) bool { return true }, map[int]change{7: limit})
	if text != example || !slices.Equal(left, []int{7}) {
		t.Errorf("%v are left, of\n%s", left, text)
	}
	others := func(change) bool { return false }
	if text, left := withChanges(example, file, others, map[int]change{7: limit}); text != example || len(left) > 0 {
		t.Errorf("of a change of another file %v are left, and\n%s", left, text)
	}
}
