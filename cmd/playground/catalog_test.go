package main

import (
	"testing"

	"lockstep/lessons"
)

func TestALessonIsFoundByTheNameThatItHad(t *testing.T) {
	names, all := []string{"set-nx", "fair-lock"}, []*lessons.Lesson{{Name: "set-nx"}, {Name: "fair-lock", Formerly: []string{"fair-locks"}}}
	for wanted, want := range map[string]string{
		"fair-locks": `it is part of "fair-lock" now, did you mean that?`,
		"fair-loc":   `did you mean "fair-lock"?`,
		"watchdog":   "playground list has the names of all lessons",
	} {
		if got := otherName(wanted, names, all); got != want {
			t.Errorf("of %s it says %s, want %s", wanted, got, want)
		}
	}
}
