package attach

import (
	"slices"

	"lockstep/engine"
)

// foldPoll has one step tell of all attempts of a client at a lock that goes on being refused to it: the first one
// counts the others, and tells of what the client's scripts find out about the lock meanwhile, such as that there is
// nothing to release. A new line begins when the lock has changed hands.
func (r *Recorder) foldPoll(s *step, a act) (folded bool) {
	if len(s.Changes)+len(s.Delivered)+len(s.Broken) > 0 {
		return false
	}
	n := slices.IndexFunc(s.Notes, func(n engine.Note) bool { return n.Kind == engine.NoteRefused })
	if n < 0 {
		return len(s.Notes) == 0 && a.script != nil && !a.failed && slices.ContainsFunc(a.script.keys, func(key string) bool {
			w := r.locks.waitOf(key, a.actor)
			return w != nil && w.line > 0
		})
	}
	w := r.locks.waitOf(s.Notes[n].Text, s.Notes[n].Actor)
	if w == nil {
		return false
	}
	at, there := r.stepOf(w.line)
	if !there || len(s.Notes) > 1 {
		w.line = r.pushed + 1
		return false
	}
	line := &r.steps[at]
	notes := slices.Clone(line.Notes) // pages may be looking at the others
	for i := range notes {
		if notes[i].Kind == engine.NoteRefused {
			notes[i].Times = max(notes[i].Times, 1) + 1
		}
	}
	line.Notes = notes
	r.version++
	return true
}

// stepOf finds the step with a number.
func (r *Recorder) stepOf(number int) (at int, there bool) {
	return slices.BinarySearchFunc(r.steps, number, func(s step, n int) int { return s.number - n })
}
