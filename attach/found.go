package attach

import (
	"slices"

	"lockstep/engine"
	"lockstep/node/redis/port"
)

// keepFound keeps what a script was given and what it found, so that it can be run again, unless
// that is much.
func (r *Recorder) keepFound(s *step, d port.Done) {
	c := r.scriptOf(d.Args)
	if c == nil || r.sources[c.sha] == nil || d.Client.Database != 0 || d.Queue != nil {
		return
	}
	given := slices.Concat(c.keys, c.values)
	var found []engine.Key
	for _, k := range d.Found {
		switch {
		case k.Key == nil, slices.ContainsFunc(found, func(f engine.Key) bool { return f.Name == k.Name }):
			continue
		case k.Key.Type == engine.StreamKey, k.Key.Type != engine.StringKey && len(k.Key.Items) == 0:
			return // its groups are not known, or it has too many items
		}
		given = append(given, k.Key.Text)
		for _, i := range k.Key.Items {
			given = append(given, i.Name, i.Value)
		}
		found = append(found, r.clippedKey(*k.Key))
	}
	size := 0
	for _, text := range given {
		if size += len(text); len(text) > mostText || size > mostSent {
			return
		}
	}
	slices.SortFunc(found, func(a, b engine.Key) int { return byName(a, b.Name) })
	s.found, s.complete = found, true
}

// Found is the world before a step of the trace, with the keys that its script was given. False:
// the step has left, has no script, or that was too much to be kept. Steps have their numbers among all.
func (r *Recorder) Found(n int) (before engine.Snapshot, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, there := r.stepOf(n)
	if !there || !r.steps[i].complete {
		return before, false
	}
	if before = r.start.After; i > 0 {
		before = r.steps[i-1].After
	}
	before.Now = r.steps[i].At
	before.Nodes = []engine.NodeView{{Node: Node, Keys: r.steps[i].found, Subscriptions: before.Nodes[0].Subscriptions}}
	return before, true
}
