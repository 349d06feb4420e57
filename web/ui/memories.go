package ui

import (
	"strings"

	"lockstep/engine"
)

// memories are what the threads of each process have noted for each other up to the shown step,
// as process: name = text.
func memories(v *View) []string {
	var all []string
	forget := func(prefix string) {
		kept := all[:0]
		for _, line := range all {
			if !strings.HasPrefix(line, prefix) {
				kept = append(kept, line)
			}
		}
		all = kept
	}
	note := func(s *engine.Snapshot, notes []engine.Note) {
		for _, n := range notes {
			if n.Kind != engine.NoteRemember {
				continue
			}
			a, _ := s.Actor(n.Actor)
			name, _, kept := strings.Cut(n.Text, " = ")
			forget(a.Process + ": " + name + " = ")
			if kept {
				all = append(all, a.Process+": "+n.Text)
			}
		}
	}
	note(&v.Trace.Start, v.Trace.Notes)
	for i := range v.Pos {
		s := &v.Trace.Steps[i]
		if s.Choice.Kind == engine.Crash {
			forget(s.Choice.Target + ": ")
		}
		note(&s.After, s.Notes)
	}
	return all
}
