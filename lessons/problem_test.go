package lessons_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

func TestProblemsAreInTheOrderOfTheirPlaces(t *testing.T) {
	var ps lessons.Problems
	for _, p := range []lessons.Place{
		{File: "b", Line: 1, Col: 1}, {File: "a", Line: 10, Col: 2}, {File: "a", Line: 10, Col: 1}, {File: "a", Line: 9, Col: 7}, {File: "a"},
	} {
		ps = append(ps, &lessons.Problem{Place: p})
	}
	ps.Sort()
	var got []string
	for _, p := range ps {
		got = append(got, fmt.Sprint(p.Place))
	}
	if want := []string{"a", "a:9:7", "a:10:1", "a:10:2", "b:1:1"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// A long line is shown around what is wrong in it, with the caret below it.
func TestLongLines(t *testing.T) {
	const line = "0123456789"
	for _, c := range []struct {
		col  int
		want string
	}{
		{1, strings.Repeat(line, 10) + "…\n      | ^"},
		{61, strings.Repeat(line, 10) + "…\n      | " + strings.Repeat(" ", 60) + "^"},
		{62, "…" + strings.Repeat(line, 11)[1:101] + "…\n      | " + strings.Repeat(" ", 61) + "^"},
		{111, "…" + strings.Repeat(line, 7) + "\n      | " + strings.Repeat(" ", 61) + "^"},
	} {
		p := lessons.Problem{Place: lessons.Place{File: "a", Line: 1, Col: c.col}, Severity: lessons.Error, Message: fact.Text("no"), Source: strings.Repeat(line, 12)}
		want := fmt.Sprintf("a:1:%d: no\n    1 | %s", c.col, c.want)
		if got := p.Error(); got != want {
			t.Errorf("column %d is shown as\n%s\nwant\n%s", c.col, got, want)
		}
	}
	short := lessons.Problem{Place: lessons.Place{File: "a", Line: 1, Col: 81}, Severity: lessons.Error, Message: fact.Text("no"), Source: strings.Repeat(line, 10)}
	if want := "a:1:81: no\n    1 | " + strings.Repeat(line, 10) + "\n      | " + strings.Repeat(" ", 80) + "^"; short.Error() != want {
		t.Errorf("a line of 100 characters is shown as\n%s", short.Error())
	}
}

// What a terminal shows: the caret stands below what is meant, also behind characters that
// take two columns or begin at a stop, and nothing that a lesson has moves the cursor.
func TestProblemsAsText(t *testing.T) {
	at := lessons.Place{File: "a", Line: 12, Col: 3}
	for _, c := range []struct {
		p    lessons.Problem
		want string
	}{
		{lessons.Problem{Place: lessons.Place{File: "a"}, Severity: lessons.Error, Message: fact.Text("no")}, "a: no"},
		{lessons.Problem{Place: lessons.Place{File: "a"}, Severity: lessons.Warning, Message: fact.Text("no"), Advice: fact.Text("yes")}, "a: warning: no\n  yes"},
		{lessons.Problem{Place: at, Severity: lessons.Hint, Message: fact.Text("no"), Source: "abcd"}, "a:12:3: hint: no\n   12 | abcd\n      |   ^"},
		{lessons.Problem{Place: at, Severity: lessons.Error, Message: fact.Text("no"), Source: "锁定cd"}, "a:12:3: no\n   12 | 锁定cd\n      |     ^"},
		{lessons.Problem{Place: at, Severity: lessons.Error, Message: fact.Text("no"), Source: "\tbcd"}, "a:12:3: no\n   12 | \tbcd\n      | \t ^"},
		{lessons.Problem{Place: at, Severity: lessons.Error, Message: fact.Text("no"), Source: "a"}, "a:12:3: no\n   12 | a\n      |  ^"},
		{lessons.Problem{Place: lessons.Place{File: "a", Line: 12}, Severity: lessons.Error, Message: fact.Text("no"), Source: "a"}, "a:12:0: no\n   12 | a\n      | ^"},
		{lessons.Problem{Place: at, Severity: lessons.Error, Message: fact.Text("no"), Source: "  "}, "a:12:3: no"},
		{lessons.Problem{Place: lessons.Place{File: "a"}, Severity: lessons.Error, Message: fact.Text("no"), Want: fact.Text("1\n2"), Got: fact.Text("3")}, "a: no\n  want: 1\n        2\n  got:  3"},
		{lessons.Problem{Place: lessons.Place{File: "a"}, Severity: lessons.Error, Message: fact.Text("no"), Got: fact.Text("3")}, "a: no\n  want: \n  got:  3"},
		{lessons.Problem{Place: lessons.Place{File: "a"}, Severity: lessons.Error, Message: fact.Text("\x1b[2J\u202eno\r\x00")}, "a: \uFFFD[2J\uFFFDno\uFFFD\uFFFD"},
	} {
		if got := c.p.Error(); got != c.want {
			t.Errorf("it is shown as\n%q\nwant\n%q", got, c.want)
		}
	}
	second := &lessons.Problem{Place: lessons.Place{File: "b"}, Severity: lessons.Warning, Message: fact.Text("two")}
	all := lessons.Problems{{Place: lessons.Place{File: "a"}, Severity: lessons.Error, Message: fact.Text("one")}, second}
	if got, want := all.Error(), "a: one\n\nb: warning: two"; got != want || !errors.Is(all, second) {
		t.Errorf("they are shown as %q, want %q", got, want)
	}
	if of := all.Of(lessons.Warning); len(of) != 1 || of[0] != second {
		t.Errorf("of the warnings there are %v", of)
	}
}

func TestDidYouMean(t *testing.T) {
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"runs", []string{"run", "tick"}, `did you mean "run"?`},
		{"Redison", []string{"redis", "redisson"}, `did you mean "redisson"?`},
		{"sleep", []string{"run", "tick"}, "write one of: run, tick"},
		{"ru", []string{"run"}, "write one of: run"},
		{"run", nil, ""},
	} {
		if got := lessons.Meant(c.name, c.known).Error(); got != c.want {
			t.Errorf("for %s of %v it says %q, want %q", c.name, c.known, got, c.want)
		}
	}
}
