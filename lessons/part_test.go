package lessons_test

import (
	"errors"
	"testing"

	"lockstep/lessons"
	"lockstep/luaexec"
)

// threeParts has a text of each kind.
func threeParts() *lessons.Lesson {
	return &lessons.Lesson{
		Hash:    "h",
		Scripts: []lessons.Script{{Name: "lock", Source: "return 1"}, {Name: "unlock", Source: "return 2"}},
		Client:  lessons.Client{Name: "lock", Source: "function take() end"},
		Actors:  []lessons.Actor{{Name: "A", Program: "take()"}, {Name: "B", Program: "take() take()"}},
	}
}

// A learner's text takes the place of one part, and the lesson itself stays as it is.
func TestALessonWithAnotherText(t *testing.T) {
	for _, name := range []string{"script:lock", "script:unlock", "client:lock", "program:A", "program:B"} {
		l := threeParts()
		part, ok := lessons.ParsePart(name)
		if !ok || part.String() != name {
			t.Fatalf("%s is read as %s", name, part)
		}
		original, ok := l.Source(part)
		if !ok {
			t.Fatalf("the lesson has no %s", name)
		}
		edited := l.With(part, "-- mine")
		for _, p := range l.Parts() {
			was, _ := threeParts().Source(p)
			if now, _ := l.Source(p); now != was {
				t.Errorf("with another %s the lesson itself has %q as its %s", name, now, p)
			}
			if p == part {
				was = "-- mine"
			}
			if now, _ := edited.Source(p); now != was {
				t.Errorf("with another %s, %s is %q, want %q", name, p, now, was)
			}
		}
		if back, _ := edited.With(part, original).Source(part); back != original || edited.Hash != l.Hash {
			t.Errorf("%s comes back as %q, in a lesson with the hash %q", name, back, edited.Hash)
		}
	}
	if n := len(threeParts().Parts()); n != 5 {
		t.Errorf("there are %d parts, want 5", n)
	}
}

func TestPartsThatALessonHasNot(t *testing.T) {
	l := threeParts()
	withoutClient := threeParts()
	withoutClient.Client = lessons.Client{}
	for _, c := range []struct {
		l    *lessons.Lesson
		part string
	}{
		{l, "script:A"}, {l, "client:A"}, {l, "program:lock"}, {l, "lock"}, {l, ":lock"}, {withoutClient, "client:"}, {withoutClient, "client:lock"},
	} {
		part, _ := lessons.ParsePart(c.part)
		if text, ok := c.l.Source(part); ok {
			t.Errorf("%q has the text %q", c.part, text)
		}
		for _, p := range c.l.With(part, "-- mine").Parts() {
			if text, _ := c.l.With(part, "-- mine").Source(p); text == "-- mine" {
				t.Errorf("a text for %q became that of %s", c.part, p)
			}
		}
	}
	if n := len(withoutClient.Parts()); n != 4 {
		t.Errorf("without a client there are %d parts, want 4", n)
	}
}

// Programs are written for a client that has Lua 5.1, scripts for a server: each is checked as
// what runs it would.
func TestATextIsCheckedAsWhatRunsIt(t *testing.T) {
	script, program := lessons.Part{Kind: lessons.ScriptPart, Name: "lock"}, lessons.Part{Kind: lessons.ProgramPart, Name: "A"}
	for _, c := range []struct {
		part   lessons.Part
		source string
		wrong  bool
	}{
		{script, "return 1", false},
		{script, "return (", true},
		{script, "#!lua name=lock\nreturn 1", true},
		{program, "take()", false},
		{program, "take(", true},
	} {
		err := c.part.Compiles(c.source)
		if _, is := errors.AsType[*luaexec.SyntaxError](err); is != c.wrong || (err != nil) != c.wrong {
			t.Errorf("%s as %s: %v", c.source, c.part, err)
		}
	}
}
