package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
)

// memory is what the threads of a process have noted for each other, as name = text.
type memory struct {
	Process string
	Noted   []string
}

// memories are those of the processes that have noted something, at the shown step.
func memories(v *View) []memory {
	var all []memory
	at := func(process string) *memory {
		i := slices.IndexFunc(all, func(m memory) bool { return m.Process == process })
		if i < 0 {
			all = append(all, memory{Process: process})
			i = len(all) - 1
		}
		return &all[i]
	}
	note := func(s *engine.Snapshot, notes []engine.Note) {
		for _, n := range notes {
			if n.Kind != engine.NoteRemember {
				continue
			}
			a, _ := s.Actor(n.Actor)
			m := at(a.Process)
			name, _, kept := strings.Cut(n.Text, " = ")
			m.Noted = slices.DeleteFunc(m.Noted, func(old string) bool { return strings.HasPrefix(old, name+" = ") })
			if kept {
				m.Noted = append(m.Noted, n.Text)
			}
		}
	}
	note(&v.Trace.Start, v.Trace.Notes)
	for i := range v.Pos {
		s := &v.Trace.Steps[i]
		if s.Choice.Kind == engine.Crash {
			at(s.Choice.Target).Noted = nil
		}
		note(&s.After, s.Notes)
	}
	return slices.DeleteFunc(all, func(m memory) bool { return len(m.Noted) == 0 })
}
