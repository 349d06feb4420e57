package lessons_test

import (
	"regexp"
	"testing"
	"testing/fstest"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// What check --fix fills in for a story of replicas, links and clocks can be read again, and holds.
func TestWhatIsFilledInHolds(t *testing.T) {
	text := regexp.MustCompile(`(?m)^    expect: .*\n`).ReplaceAllString(fixture(t, "replicas").YAML, "")
	read := func(text string) *lessons.Lesson {
		t.Helper()
		l, err := decode.Lesson(fstest.MapFS{"05-replicas/lesson.yaml": {Data: []byte(text)}}, "05-replicas")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return l
	}
	l := read(text)
	r, err := lessons.Check(t.Context(), l, embedded(l))
	if err != nil || r.Steps < len(l.Choices()) {
		t.Fatalf("%d of %d steps were made: %v %v", r.Steps, len(l.Choices()), r.Problems, err)
	}
	text, changes, err := decode.Rewrite(l, l.Unproven(r.Trace))
	if err != nil || len(changes) != len(l.Story) {
		t.Fatalf("%d of %d beats were filled in: %v", len(changes), len(l.Story), err)
	}
	fixed := read(text)
	again, err := lessons.Check(t.Context(), fixed, embedded(fixed))
	if err != nil {
		t.Fatal(err)
	}
	if !again.OK() || len(fixed.Lint(again.Trace).Of(lessons.Warning)) > 0 {
		t.Errorf("%v\n%v\n%s", again.Problems, fixed.Lint(again.Trace), text)
	}
}
