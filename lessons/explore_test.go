package lessons_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// A search is about all that the lesson states, or about one invariant, which need not be one
// of them.
func TestASearchIsAboutAnInvariant(t *testing.T) {
	l := changed(t, stock, "", "")
	bounds := search.Bounds{States: 10_000, Faults: l.OneFault()}
	for invariant, breaks := range map[string]string{"": "stock", "stock": "stock", "mutual-exclusion": ""} {
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Invariant: invariant, Bounds: bounds}, nil)
		switch {
		case err != nil:
			t.Errorf("%q: %v", invariant, err)
		case breaks == "" && v.Ending != search.Holds, breaks != "" && (v.Ending != search.Breaks || v.Violation.Invariant != breaks):
			t.Errorf("of %q it finds %+v", invariant, v)
		}
	}
	_, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Invariant: "stok", Bounds: bounds}, nil)
	unknown, ok := errors.AsType[*lessons.UnknownInvariantError](err)
	if !ok || unknown.Name != "stok" || !slices.Contains(unknown.Known, "stock") || !slices.Contains(unknown.Known, "mutual-exclusion") {
		t.Fatalf("of what there is not it says %v", err)
	}
	for i, name := range unknown.Known {
		if slices.Contains(unknown.Known[:i], name) {
			t.Errorf("%s is named twice", name)
		}
	}
	if _, again := l.Search(t.Context(), lessons.Question{Invariant: "stok"}); again == nil || again.Error() != err.Error() {
		t.Errorf("a search says %v, want %v", again, err)
	}
}

// Each kind of fault that a lesson allows may happen once, and no other.
func TestOneFaultOfEachKind(t *testing.T) {
	l := &lessons.Lesson{Faults: []engine.Choice{{Kind: engine.Crash, Target: "a"}, {Kind: engine.Crash, Target: "b"}, {Kind: engine.Pause, Target: "a"}}}
	if got := l.OneFault(); len(got) != 2 || got[engine.Crash] != 1 || got[engine.Pause] != 1 {
		t.Errorf("the faults are %v", got)
	}
	if got := (&lessons.Lesson{}).OneFault(); len(got) != 0 {
		t.Errorf("a lesson without faults has %v", got)
	}
}

// Files that differ in a name, in a text, or in where one ends and the next begins.
func TestTheFingerprintTellsFilesApart(t *testing.T) {
	seen := map[string]int{}
	for i, files := range [][]lessons.File{
		nil,
		{{}},
		{{Name: "a"}},
		{{Text: "a"}},
		{{Name: "a", Text: "b"}},
		{{Name: "ab"}},
		{{Name: "a"}, {Name: "b"}},
		{{Name: "b"}, {Name: "a"}},
		{{Name: "a", Text: "b;1:c,1:d"}},
		{{Name: "a", Text: "b"}, {Name: "c", Text: "d"}},
	} {
		f := lessons.Fingerprint(files)
		if other, twice := seen[f]; twice || len(f) != 16 {
			t.Errorf("the fingerprint of %d is %s, which is also that of %d", i, f, other)
		}
		seen[f] = i
	}
	a, b := []lessons.File{{Name: "a", Text: "b", Of: "x"}}, []lessons.File{{Name: "a", Text: "b"}}
	if lessons.Fingerprint(a) != lessons.Fingerprint(b) {
		t.Error("where a file comes from is no part of it")
	}
}

const apart = `
title: {en: "Apart", zh: "各做各的"}
summary: {en: "Two clients that change nothing for each other.", zh: "两个互不影响的客户端。"}
chapter: simple
level: basic
actors:
  A: {process: app-1, program: 'redis.call("SET", "k", 1)'}
  B: {process: app-2, program: 'redis.call("GET", "other") want("s") redis.call("GET", "other") unwant("s")'}
invariants:
  - {name: own, lua: 'RULE'}
story:
  - run: A
    expect: {keys: {k: {value: "1", ttl: none}}}
`

// A rule that looks at clients is asked again when only they have changed.
func TestASearchAsksRulesAboutClients(t *testing.T) {
	for rule, length := range map[string]int{
		`k == nil or status("B") ~= "finished"`: 3,
		`k == nil or waiting("s") == 0`:         2,
		`k == nil`:                              1,
		`k == nil or k == 1`:                    0,
	} {
		l := changed(t, apart, "RULE", rule)
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Bounds: search.Bounds{Time: search.AnyLate}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Schedule) != length || v.Ending == search.Stops {
			t.Errorf("%s: it %s: %v, want %d choices", rule, v.Ending, v.Schedule, length)
		}
	}
}

// A loop in which somebody starves lets everybody go on who can: of three that only ask again and again, each asks once.
func TestALoopInWhichOneStarvesIsFairToAll(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
given: {door: shut}
actors:
  A: {process: p1, program: 'while true do redis.call("GET", "door") end'}
  B: {process: p2, program: 'while true do redis.call("GET", "door") end'}
  C: {process: p3, program: 'want("door") while redis.call("GET", "door") do end'}
story: [{run: A}]
`)
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Invariant: "nobody-starves", Bounds: search.Bounds{Time: search.AnyLate}}, nil)
	if err != nil || v.Ending != search.Breaks || v.Loop < 3 {
		t.Fatalf("it %s, %v", v.Ending, err)
	}
	round := v.Schedule[len(v.Schedule)-v.Loop:]
	slices.SortFunc(round, func(a, b engine.Choice) int { return strings.Compare(a.Target, b.Target) })
	if got := fmt.Sprint(round); got != "[run A run B run C]" {
		t.Errorf("the loop is %s", got)
	}
}
