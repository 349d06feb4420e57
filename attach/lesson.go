package attach

import (
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/node/redis/keyspace"
	"lockstep/recording"
)

// mostTold is how many steps a lesson has.
const mostTold = 400

// LeftOut is who sends, in a lesson, what the steps came to that have left.
const LeftOut = "left-out"

// Recording is what is known now, to be written as a lesson. It ends on the last warning, if there is one, and begins
// with the keys that were shown before the oldest of its steps.
func (r *Recorder) Recording() *recording.Recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &recording.Recording{Scripts: map[string]string{}}
	for sha, s := range r.sources {
		if code := s.kind.does.Code; code != "" {
			l.Scripts[sha] = code
		}
	}
	end := len(r.steps)
	for i := range slices.Backward(r.steps) {
		if len(r.steps[i].Broken) > 0 {
			end = i + 1
			break
		}
	}
	begin := max(0, end-mostTold)
	start := r.after(begin)
	from := start.Now
	if begin < end {
		from = r.steps[begin].From
	}
	from = from.Truncate(time.Millisecond) // as the deadlines of keys
	for _, k := range start.Nodes[0].Keys {
		if k.Deadline != engine.NoDeadline {
			k.Deadline -= from
		}
		l.Given = append(l.Given, k)
	}
	for _, h := range start.Held {
		key, _ := start.Nodes[0].Key(h.Section)
		mode, _ := key.Get(modeField)
		for _, actor := range h.Actors {
			l.Events = append(l.Events, recording.Event{Kind: recording.Enter, Actor: actor, Section: h.Section, Shared: mode == "read"})
		}
	}
	told := r.steps[begin:end]
	named := namedBy(told)
	for _, s := range told {
		for _, e := range append(r.cameTo(&s, named), s.events...) {
			of := *e
			of.At, of.Sent = max(of.At-from, 0), max(of.Sent-from, 0)
			l.Events = append(l.Events, of)
		}
	}
	if end > begin {
		r.endOn(l, &r.steps[end-1])
	}
	return l
}

// namedBy are the keys that the commands of steps name.
func namedBy(steps []step) map[string]bool {
	named := map[string]bool{}
	for _, s := range steps {
		for _, e := range s.events {
			for _, args := range e.Commands {
				for _, key := range keyspace.KeysOf(args) {
					named[key] = true
				}
			}
		}
	}
	return named
}

// cameTo are commands that make of keys what they were when a step began before which others have left.
func (r *Recorder) cameTo(s *step, named map[string]bool) (all []*recording.Event) {
	for _, c := range s.before {
		if !named[c.Key] {
			continue
		}
		made := [][]string{}
		if c.Old != nil || c.New != nil {
			made = append(made, []string{"DEL", c.Key})
		}
		if c.New != nil {
			made = append(made, Making(*c.New, s.From)...)
		}
		for _, args := range made {
			all = append(all, &recording.Event{At: s.From, Sent: s.From, Actor: LeftOut, Commands: [][]string{args}})
		}
	}
	return all
}

// endOn gives a lesson the rule that its last step broke, besides what is said of sections.
func (r *Recorder) endOn(l *recording.Recording, s *step) {
	for _, b := range s.Broken {
		for _, c := range s.Changes {
			isAbout := slices.Contains(b.Detail.Args, any(c.Key))
			switch {
			case !isAbout:
			case b.Invariant == "no-lock-without-ttl":
				l.Broken = &recording.Rule{Kind: recording.Expires, Server: Node, Key: c.Key}
			case b.Invariant == "released-by-holder" && c.Old != nil && c.Old.Type == engine.StringKey && len(c.Old.Text) <= mostText:
				l.Broken = &recording.Rule{Kind: recording.Released, Server: Node, Key: c.Key, Value: c.Old.Text}
				holder, _ := b.Detail.Args[len(b.Detail.Args)-1].(string) // from whom it was taken away
				mark(l, c.Key, holder)
			}
		}
	}
}

// mark notes from where on a client has the lock that is taken from it.
func mark(l *recording.Recording, key, holder string) {
	for i := range slices.Backward(l.Events) {
		if e := l.Events[i]; e.Kind == recording.Enter && e.Actor == holder && e.Section == key {
			if !isTaken(l.Events[:i], holder, key) {
				break
			}
			l.Events = slices.Insert(l.Events, i+1, recording.Event{Kind: recording.Mark, At: e.At, Actor: holder})
			return
		}
	}
	l.Broken = nil
}

// isTaken tells whether the last request is a client's that took a lock, or there is none and it had it before.
func isTaken(before []recording.Event, holder, key string) bool {
	for _, e := range slices.Backward(before) {
		if e.Kind == recording.Request {
			return e.Actor == holder && slices.ContainsFunc(e.Commands, func(args []string) bool { return slices.Contains(args, key) })
		}
	}
	return true
}
