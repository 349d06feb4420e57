package ui

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// A label gives way value by value, whatever is in the values.
func TestALabelLeavesValuesOut(t *testing.T) {
	script := &engine.Script{Name: "lock"}
	for _, tt := range []struct {
		text string
		op   engine.Op
		want []string
	}{
		{"▸ lock()", engine.Op{Script: script}, []string{"▸ lock"}},
		{"▸ lock(k)", engine.Op{Script: script, Keys: []string{"k"}}, []string{"▸ lock"}},
		{"▸ lock(k, a, b)", engine.Op{Script: script, Keys: []string{"k"}, Args: []string{"a, b"}}, []string{"▸ lock(k, …)", "▸ lock"}},
		{"▸ lock(k, 30000, A)", engine.Op{Script: script, Keys: []string{"k"}, Args: []string{"30000", "A"}}, []string{"▸ lock(k, …, A)", "▸ lock(k, …)", "▸ lock"}},
		{"SET k A NX", engine.Op{Args: []string{"SET", "k", "A", "NX"}}, []string{"SET k A …"}},
		{"ZADD k NX 10 a 20 b", engine.Op{Args: []string{"ZADD", "k", "NX", "10", "a", "20", "b"}}, []string{"ZADD k NX 10 a … b", "ZADD k NX 10 … b", "ZADD k NX … b", "ZADD k NX …"}},
		{"SELECT * FROM t WHERE id = 1", engine.Op{Args: []string{"SELECT * FROM t WHERE id = 1"}}, []string{"SELECT * FROM t … id = 1", "SELECT * FROM … id = 1", "SELECT * FROM … = 1", "SELECT * … = 1", "SELECT * … 1", "SELECT … 1"}},
		{"GET k", engine.Op{Args: []string{"GET", "k"}}, nil},
	} {
		if got := withLess(tt.text, engine.Exec{Op: tt.op}); !slices.Equal(got, tt.want) {
			t.Errorf("%q gives way to %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Where only one of two commands must be shortened, for its longer reply, it loses no more than that takes, of its middle.
// On the narrowest screens a script keeps its name beside what it answered.
func TestAScriptKeepsItsName(t *testing.T) {
	t.Parallel()
	label := says{text: "▸ unlock(lock1, B)", more: "→ 0", less: []string{"▸ unlock"}, short: "▸ unlock", named: true}
	for room, want := range map[int]string{12: "▸ unlock → 0", 10: "unlock → 0"} {
		if got := label.fit(room); got != strings.Replace(want, "→ 0", `<tspan class="answer">→ 0</tspan>`, 1) {
			t.Errorf("in %d letters: %s, want %s", room, got, want)
		}
	}
	if got, want := label.fit(8), `un…ck <tspan class="answer">→<tspan dx=".3em">0</tspan></tspan>`; got != want {
		t.Errorf("in 8 letters: %s, want %s", got, want)
	}
}

func TestACommandGivesWayFromItsMiddle(t *testing.T) {
	r := engine.Exec{Op: engine.Op{Args: []string{"SET", "lock", "C", "NX", "EX", "10"}}}
	const text = "SET lock C NX EX 10"
	for more, want := range map[string]string{
		"→ OK":  text + ` <tspan class="answer">→ OK</tspan>`,
		"→ nil": `SET lock C NX … 10 <tspan class="answer">→ nil</tspan>`,
	} {
		if got := (says{text: text, more: more, short: "SET", less: withLess(text, r)}).fit(24); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What somebody says gives way word by word from its end: its middle tells as much as its ends.
func TestWhatIsSaidGivesWayFromItsEnd(t *testing.T) {
	n := engine.Note{Actor: "B", Kind: engine.NoteSay, Text: "2 of 3, valid for 8898 ms"}
	for room, want := range map[int]string{30: "“2 of 3, valid for 8898 ms”", 22: "“2 of 3, valid for …”", 19: "“2 of 3, valid …”", 12: "“2 of 3 …”"} {
		if got := (says{text: noteBrief(lessons.En, n), less: fewerWords(n.Text)}).fit(room); got != want {
			t.Errorf("in %d letters: %s, want %s", room, got, want)
		}
	}
}

// A failure gives way from its end: errors are known by how they begin.
func TestAFailureGivesWayFromItsEnd(t *testing.T) {
	n := engine.Note{Actor: "A", Kind: engine.NoteFailed, Failure: fact.Text("IllegalMonitorStateException: stock is not locked by app-1:A")}
	for room, want := range map[int]string{
		80: "A failed: IllegalMonitorStateException: stock is not locked by app-1:A",
		40: "A failed: IllegalMonitorStateException…",
		25: "A failed: IllegalMonito…",
	} {
		if got := (says{text: noteBrief(lessons.En, n), less: lessOfFailure(lessons.En, n)}).fit(room); got != want {
			t.Errorf("in %d letters: %s, want %s", room, got, want)
		}
	}
}

// Each shorter text is measured, so that those of a long text would take seconds.
func TestALongTextHasNoMoreShorterOnesThanALineHasLetters(t *testing.T) {
	text := strings.Repeat("x ", 10_000)
	for of, less := range map[string][]string{
		"said":   fewerWords(text),
		"failed": lessOfFailure(lessons.En, engine.Note{Actor: "A", Kind: engine.NoteFailed, Failure: fact.Text(text)}),
	} {
		if len(less) == 0 || len(less) > mostLetters {
			t.Errorf("%s: %d shorter texts of a line of %d letters", of, len(less), mostLetters)
		}
	}
}

func TestAValueLosesWholeItems(t *testing.T) {
	for text, want := range map[string]string{
		"stock/10 stock 3 → 2, version 1 → 2": "stock/10 stock 3 → 2, …",
		"doc {R2 1, R1 1, mode read}":         "doc {R2 1, R1 1, …}",
		"queue [A, B]":                        "queue [A, B]",
		"jobs/3 status taken by A → new":      "status new", // a number alone would not say of what it is
		"status taken by Bob → new":           "status new",
		"jobs/3 status 1 → taken by somebody": "taken by somebody",
		"name = one of two or three of four":  "name = one …ree of four",
	} {
		if got := (valuePart{Name: "jobs/3"}).cut(text, 23); got != want {
			t.Errorf("%s is cut to %s, want %s", text, got, want)
		}
	}
}

func TestKeysWithoutRoomAreNotCounted(t *testing.T) {
	parts := []valuePart{{Text: "book = A", Name: "book"}, {Text: "book:token = 1", Name: "book:token"}}
	if got, want := valueHTML(parts, 16, false), "<tspan>book = A</tspan>, …"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	given := []valuePart{{Name: "book", Text: "book = 1", Short: "book = 1", Whole: true}, {Name: "pen", Text: "pen = 1", Short: "pen = 1", Whole: true}}
	if got, want := valueHTML(given, 9, true), "<tspan>book = 1</tspan>"; got != want {
		t.Errorf("the first of two that are given is %s, want %s", got, want)
	}
	if got, want := valueHTML(parts, 21, false), "<tspan>book = A</tspan>  <tspan>…:token = 1</tspan>"; got != want {
		t.Errorf("the name of a key that begins with another's is %s, want %s", got, want)
	}
	if got := valueHTML(parts, 30, false); strings.Contains(got, "…") || !strings.Contains(got, "token = 1") {
		t.Errorf("where there is room for both: %s", got)
	}
}
