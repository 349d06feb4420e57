package lessons_test

import (
	"slices"
	"testing"

	"lockstep/lessons"
)

// TestWaysLeadToLessons: each name is that of a lesson, each text has both languages, and no lesson comes twice.
func TestWaysLeadToLessons(t *testing.T) {
	all := builtIn(t)
	for _, w := range lessons.Ways {
		seen := map[string]bool{}
		for _, s := range w.Stations {
			for _, name := range append([]string{s.Lesson}, s.Aside...) {
				if lessons.Find(all, name) == nil {
					t.Errorf("%s: there is no lesson %q", w.Name, name)
				}
				if seen[name] {
					t.Errorf("%s: %s comes a second time", w.Name, name)
				}
				seen[name] = true
			}
		}
		for _, name := range w.Known {
			if lessons.Find(all, name) == nil {
				t.Errorf("%s: there is no lesson %q, which its readers should know", w.Name, name)
			}
		}
		for _, text := range []lessons.Text{w.Title, w.For} {
			if text.En == "" || text.Zh == "" {
				t.Errorf("%s: %q lacks a language", w.Name, text)
			}
		}
	}
}

// TestNothingIsUsedBeforeItIsTaught walks each way: what a lesson needs came before it, or its readers know it.
func TestNothingIsUsedBeforeItIsTaught(t *testing.T) {
	all := builtIn(t)
	for _, w := range lessons.Ways {
		known := slices.Clone(w.Known)
		for after := w.After; after != ""; {
			i := slices.IndexFunc(lessons.Ways, func(o lessons.Way) bool { return o.Name == after })
			if i < 0 {
				t.Fatalf("%s comes after %q, which is no way", w.Name, after)
			}
			before := lessons.Ways[i]
			known, after = append(append(known, before.Known...), before.Lessons()...), before.After
		}
		for _, s := range w.Stations {
			here := slices.Clip(known) // and who goes aside knows the side trips before
			for i, name := range append([]string{s.Lesson}, s.Aside...) {
				l := lessons.Find(all, name)
				if l == nil {
					continue // which another test says
				}
				for _, need := range l.Needs {
					if !slices.Contains(here, need) {
						t.Errorf("%s: %s needs %s, which does not come before it: move it, or say in Known that readers of this way know it", w.Name, name, need)
					}
				}
				here = append(here, name)
				if i == 0 {
					known = append(known, name)
				}
			}
		}
	}
	for i, l := range all {
		for _, need := range l.Needs {
			if lessons.Find(all[i:], need) != nil {
				t.Errorf("in the order of the folders, %s comes before %s, which it needs", l.Name, need)
			}
		}
	}
}

// TestTheFirstWayTakesAnHour: its minutes are counted from words and moves.
func TestTheFirstWayTakesAnHour(t *testing.T) {
	all := builtIn(t)
	if got := lessons.Ways[0].In(all).MinutesOf(all); got < 50 || got > 70 {
		t.Errorf("one hour takes %d minutes", got)
	}
}
