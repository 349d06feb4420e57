package attach

import (
	"slices"

	"lockstep/engine"
	"lockstep/node/redis/clients"
)

// mostWarnings is how many are kept that nobody has read.
const mostWarnings = 50

// note takes the warnings of a step that is pushed.
func (r *Recorder) note(s *step) {
	about := r.locks.warned
	r.locks.warned = nil
	for i, b := range s.Broken {
		r.taking(about[i])
		w := clients.Warning{Lock: about[i], Client: s.Process, Breach: b, Times: 1, Step: s.number, At: s.At}
		same := func(o clients.Warning) bool {
			return o.Client == w.Client && o.Lock == w.Lock && o.Breach.String() == b.String()
		}
		if n := slices.IndexFunc(r.warnings, same); n >= 0 {
			w.ID, w.Times = r.warnings[n].ID, r.warnings[n].Times+1
			r.warnings = slices.Delete(r.warnings, n, n+1)
		} else {
			r.warned++
			w.ID = r.warned
		}
		if len(r.warnings) == mostWarnings {
			r.warnings = slices.Delete(r.warnings, 0, 1)
			r.unshown++
		}
		r.warnings = append(r.warnings, w)
	}
}

// taking has the step stay by which a lock was taken that a warning is about.
func (r *Recorder) taking(lock string) {
	for i := range slices.Backward(r.steps) {
		if slices.ContainsFunc(r.steps[i].Notes, func(n engine.Note) bool { return n.Kind == engine.NoteEnter && n.Text == lock }) {
			r.steps[i].cause = true
			return
		}
	}
}

// Warnings are those that nobody has read, the newest first, and how many have left unread for want of room.
func (r *Recorder) Warnings() (all []clients.Warning, left int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all = slices.Clone(r.warnings)
	slices.Reverse(all)
	return all, r.unshown
}

// Read takes a warning away; 0: all of them.
func (r *Recorder) Read(warning int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = slices.DeleteFunc(r.warnings, func(w clients.Warning) bool { return warning == 0 || w.ID == warning })
	if warning == 0 {
		r.unshown = 0
	}
	r.version++
}
