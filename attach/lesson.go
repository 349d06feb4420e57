package attach

import (
	"lockstep/engine"
	"lockstep/recording"
)

// Recording is what is known now, to be written as a lesson. A lesson begins with the keys
// that were shown when the oldest step that is kept was made.
func (r *Recorder) Recording() *recording.Recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &recording.Recording{Scripts: map[string]string{}}
	for sha, s := range r.sources {
		if s.kind != nil {
			l.Scripts[sha] = s.kind.does.Code
		}
	}
	from := r.start.Now
	for _, k := range r.start.Nodes[0].Keys {
		if k.Deadline != engine.NoDeadline {
			k.Deadline -= from
		}
		l.Given = append(l.Given, k)
	}
	for _, h := range r.start.Held {
		key, _ := r.start.Nodes[0].Key(h.Section)
		mode, _ := key.Get(modeField)
		for _, actor := range h.Actors {
			l.Events = append(l.Events, recording.Event{Kind: recording.Enter, Actor: actor, Section: h.Section, Shared: mode == "read"})
		}
	}
	for _, s := range r.steps {
		for _, e := range s.events {
			of := *e
			of.At, of.Sent = of.At-from, of.Sent-from
			l.Events = append(l.Events, of)
		}
	}
	return l
}
