package browsertest

import (
	"sync"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// readOnce are the lessons of this repository, which no test changes.
var readOnce = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

func catalog(t testing.TB) []*lessons.Lesson {
	t.Helper()
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func nameOf(l *lessons.Lesson) string { return l.Name }
