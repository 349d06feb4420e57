package player

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// builtIn is the lessons that come with the program.
// readOnce are the lessons that come with the playground, which no test changes.
var readOnce = sync.OnceValues(decode.Library{FS: lessons.FS, Shown: "lessons"}.All)

func builtIn(t testing.TB) []*lessons.Lesson {
	t.Helper()
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryLessonHasAThumbnail(t *testing.T) {
	all := builtIn(t)
	g := Gallery(t.Context(), &Edition{Lessons: all})
	for _, l := range all {
		picture := g.Thumbnails[l.Name]
		breaks := false
		for _, b := range l.Story {
			breaks = breaks || b.Expect.Breaks()
		}
		if !strings.Contains(picture, "call") {
			t.Errorf("%s: there is no request in %s", l.Name, picture)
		}
		if red := strings.Contains(picture, `class="breach"`); red != breaks {
			t.Errorf("%s: a breach is drawn: %t, and the story has one: %t", l.Name, red, breaks)
		}
	}
}

// Every way that a visitor can go ends with both inside, and so does the one on which they
// do nothing once B has asked.
func TestEveryWayLeadsToTheCollision(t *testing.T) {
	c := Gallery(t.Context(), &Edition{Lessons: builtIn(t)}).Collision
	if c == nil {
		t.Fatal("the lesson makes no collision")
	}
	ends := 0
	for n, f := range c.Frames {
		last := f.Trace.Steps[len(f.Trace.Steps)-1]
		if end := f.Asks+f.Waits == 0; end != (len(last.Broken) > 0) {
			t.Errorf("frame %d is an end: %t, and broke %v", n, end, last.Broken)
		} else if end {
			ends++
		}
		if asked := last.Choice == collisionSecond; asked && f.Asks+f.Waits > 0 && f.Then == 0 {
			t.Errorf("frame %d: B has asked, and nothing follows", n)
		}
		leads := func(to int, choice engine.Choice) {
			if next := c.Frames[to].Trace.Steps; to > 0 && (len(next) != len(f.Trace.Steps)+1 || next[len(next)-1].Choice != choice) {
				t.Errorf("frame %d: %s leads to frame %d", n, choice, to)
			}
		}
		leads(f.Asks, collisionSecond)
		leads(f.Waits, collisionClock)
	}
	if len(c.Frames) != 14 || ends != 4 {
		t.Errorf("there are %d frames and %d ends, want 14 and 4", len(c.Frames), ends)
	}
	if got := c.Goes.String(); !strings.HasSuffix(got, ".A.B.@5s.B.@5s.B") {
		t.Errorf("the lesson is entered at %s", got)
	}
}

// Somebody may serve lessons of their own by the same name.
func TestAnotherLessonMakesNoCollision(t *testing.T) {
	l := fixture()
	l.Name = collisionLesson
	g := Gallery(t.Context(), &Edition{Lessons: []*lessons.Lesson{l}})
	if g.Collision != nil {
		t.Error("a lesson whose lock holds is shown as one that does not")
	}
	all := builtIn(t)
	endless := *all[slices.IndexFunc(all, func(l *lessons.Lesson) bool { return l.Name == collisionLesson })]
	endless.Actors = slices.Clone(endless.Actors)
	endless.Actors[1].Program = `while not trylock("lock", 10) do end work("8s") unlock("lock")`
	if g := Gallery(t.Context(), &Edition{Lessons: []*lessons.Lesson{&endless}}); g.Collision != nil {
		t.Error("a lesson with more ways than there is room for makes a collision")
	}
	broken := fixture()
	broken.Actors[0].Program = "this is no Lua"
	if g := Gallery(t.Context(), &Edition{Lessons: []*lessons.Lesson{broken}}); g.Thumbnails[broken.Name] != "" {
		t.Error("there is a picture of a story that cannot begin")
	}
}
