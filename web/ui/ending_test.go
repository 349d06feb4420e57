package ui

import (
	"testing"

	"lockstep/lessons"
)

func TestWhatWasRecordedDoesNotEndTheCourse(t *testing.T) {
	last := &lessons.Lesson{Name: "stock-in-parts", Chapter: "more", Challenges: make([]lessons.Challenge, 1)}
	recorded := &lessons.Lesson{Name: "recorded", Chapter: "more"}
	for _, tt := range []struct {
		catalog []*lessons.Lesson
		want    bool
	}{
		{[]*lessons.Lesson{{Name: "three-servers", Chapter: "compare"}, last}, true},
		{[]*lessons.Lesson{last, recorded}, false},
	} {
		v := &View{Lesson: tt.catalog[len(tt.catalog)-1], Catalog: tt.catalog}
		if got := endsTheCourse(v); got != tt.want {
			t.Errorf("%s ends the course: %v", v.Lesson.Name, got)
		}
	}
}
