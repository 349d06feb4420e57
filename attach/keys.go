package attach

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/node/redis/port"
)

// passTo has the keys expire whose time has come.
func (r *Recorder) passTo(now engine.Instant) {
	for r.due <= now-r.late {
		var next *known
		for _, k := range r.keys {
			if k.Deadline != engine.NoDeadline && (next == nil || k.Deadline < next.Deadline || k.Deadline == next.Deadline && k.Name < next.Name) {
				next = k
			}
		}
		if r.due = math.MaxInt64; next != nil {
			r.due = next.Deadline
		}
		if r.due <= now-r.late {
			r.expire(next.Key)
		}
	}
	r.now = max(r.now, now)
	r.locks.giveUp(r.now)
}

// endKeys has keys expire that a command has found to be past their deadlines.
func (r *Recorder) endKeys(d port.Done) {
	for _, k := range d.Keys {
		if old := r.keys[k.Name]; old != nil && old.Deadline != engine.NoDeadline && old.Deadline <= d.At-r.begin {
			r.expire(old.Key)
		}
	}
}

func (r *Recorder) expire(k engine.Key) {
	at := max(r.now, k.Deadline)
	s := step{Step: engine.Step{
		Choice: engine.Choice{Kind: engine.Tick, Span: at - r.now}, From: r.now, At: at,
		Expired: []engine.Expiry{{Node: Node, Key: k.Name}},
		Changes: []engine.Change{{Node: Node, Key: k.Name, Old: &k}},
	}}
	r.now = at
	delete(r.keys, k.Name)
	s.ofLock = r.locks.isPart(k.Name)
	s.events = r.locks.expired(k.Name, at)
	r.push(s)
}

// change takes in what has become of keys.
func (r *Recorder) change(s *step, d port.Done) {
	if d.Flushed {
		for _, k := range r.keys {
			s.Changes = append(s.Changes, engine.Change{Node: Node, Key: k.Name, Old: &k.Key})
		}
		clear(r.keys)
	}
	for _, k := range d.Keys {
		c := engine.Change{Node: Node, Key: k.Name}
		if old, was := r.keys[k.Name]; was {
			c.Old = &old.Key
		}
		delete(r.keys, k.Name)
		if c.New = r.shownKey(k.Key); c.New != nil {
			r.show(s, *c.New)
		}
		if (c.Old != nil || c.New != nil) && (c.Old == nil || c.New == nil || !c.Old.Equal(*c.New)) {
			s.Changes = append(s.Changes, c)
		}
	}
	slices.SortStableFunc(s.Changes, func(a, b engine.Change) int { return cmp.Compare(a.Key, b.Key) })
}

// show has a key among those of the page, in place of another if there are too many.
func (r *Recorder) show(s *step, k engine.Key) {
	s.hidden = slices.DeleteFunc(s.hidden, func(name string) bool { return name == k.Name })
	if len(r.keys) == mostKeys {
		name := r.leastWanted()
		delete(r.keys, name)
		s.hidden = append(s.hidden, name)
		s.events = append(s.events, r.locks.hide(name, s.At)...)
	}
	r.touches++
	r.keys[k.Name] = &known{k, r.touches}
	if k.Deadline != engine.NoDeadline {
		r.due = min(r.due, k.Deadline)
	}
}

// leastWanted is the key that has not changed for longest, one that is no lock if there is any.
func (r *Recorder) leastWanted() string {
	var least *known
	isLock := false
	for name, k := range r.keys {
		held := r.locks.isPart(name)
		if least == nil || isLock && !held || isLock == held && k.touched < least.touched {
			least, isLock = k, held
		}
	}
	return least.Name
}

// draw gives the snapshots of steps their keys.
func (r *Recorder) draw() {
	keys := r.keysAfter(r.drawn)
	for i := range r.steps[r.drawn:] {
		s := &r.steps[r.drawn+i]
		if len(s.before)+len(s.Changes)+len(s.hidden) > 0 {
			keys = s.apply(slices.Clone(keys)) // the snapshot before has its own
		}
		s.After.Nodes[0].Keys = keys
	}
	r.drawn = len(r.steps)
}

// keysAfter are the keys that were shown after so many of the steps that are kept.
func (r *Recorder) keysAfter(steps int) []engine.Key {
	from, before := min(steps, r.drawn), &r.start.After
	if from > 0 {
		before = &r.steps[from-1].After
	}
	keys := slices.Clone(before.Nodes[0].Keys)
	for i := range r.steps[from:steps] {
		keys = r.steps[from+i].apply(keys)
	}
	return keys
}

// apply makes of the keys before a step, by name, those after it.
func (s *step) apply(keys []engine.Key) []engine.Key {
	for _, c := range slices.Concat(s.before, s.Changes) {
		at, there := slices.BinarySearchFunc(keys, c.Key, byName)
		switch {
		case c.New == nil && there:
			keys = slices.Delete(keys, at, at+1)
		case c.New != nil && there:
			keys[at] = *c.New
		case c.New != nil:
			keys = slices.Insert(keys, at, *c.New)
		}
	}
	for _, name := range s.hidden {
		if at, there := slices.BinarySearchFunc(keys, name, byName); there {
			keys = slices.Delete(keys, at, at+1)
		}
	}
	return keys
}

func byName(k engine.Key, name string) int { return strings.Compare(k.Name, name) }
