package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
)

// memoryTexts are what the threads of each process have noted for each other up to the shown step,
// as name = text, by process in the order of the lesson's actors.
func memoryTexts(v *View) []string {
	all := map[string][]string{}
	note := func(s *engine.Snapshot, notes []engine.Note) {
		for _, n := range notes {
			if n.Kind != engine.NoteRemember {
				continue
			}
			a, _ := s.Actor(n.Actor)
			name, _, kept := strings.Cut(n.Text, " = ")
			noted := slices.DeleteFunc(slices.Clone(all[a.Process]), func(old string) bool { return strings.HasPrefix(old, name+" = ") })
			if kept {
				noted = append(noted, n.Text)
			}
			all[a.Process] = noted
		}
	}
	note(&v.Trace.Start, v.Trace.Notes)
	for i := range v.Pos {
		s := &v.Trace.Steps[i]
		if s.Choice.Kind == engine.Crash {
			delete(all, s.Choice.Target)
		}
		note(&s.After, s.Notes)
	}
	var lines []string
	for _, a := range v.Lesson.Actors {
		for _, noted := range all[a.Process] {
			lines = append(lines, a.Process+": "+noted)
		}
		delete(all, a.Process)
	}
	return lines
}
