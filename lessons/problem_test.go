package lessons_test

import (
	"fmt"
	"slices"
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
