package lessons_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
		p := lessons.Problem{Place: lessons.Place{File: "a", Line: 1, Col: c.col}, Severity: lessons.Error, Message: "no", Source: strings.Repeat(line, 12)}
		want := fmt.Sprintf("a:1:%d: no\n    1 | %s", c.col, c.want)
		if got := p.Error(); got != want {
			t.Errorf("column %d is shown as\n%s\nwant\n%s", c.col, got, want)
		}
	}
	short := lessons.Problem{Place: lessons.Place{File: "a", Line: 1, Col: 81}, Severity: lessons.Error, Message: "no", Source: strings.Repeat(line, 10)}
	if want := "a:1:81: no\n    1 | " + strings.Repeat(line, 10) + "\n      | " + strings.Repeat(" ", 80) + "^"; short.Error() != want {
		t.Errorf("a line of 100 characters is shown as\n%s", short.Error())
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
		if got := lessons.DidYouMean(c.name, c.known); got != c.want {
			t.Errorf("for %s of %v it says %q, want %q", c.name, c.known, got, c.want)
		}
	}
}
