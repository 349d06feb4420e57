package ui

import (
	"slices"
	"time"

	"lockstep/engine"
)

// guard is what has become of the key that guards a section, for one who is inside: the key of the section's
// name, where it named that actor while it has been inside. Of any other lock the page says nothing.
type guard string

const (
	guardUnknown guard = ""
	guardLeased  guard = "leased"
	guardForever guard = "forever" // it has no TTL
	guardGone    guard = "gone"
	guardTaken   guard = "taken" // it names another actor
)

// guardOf is the guard of an actor that is inside a section, and how long its lease still lasts.
func guardOf(v *View, s *engine.Snapshot, name, section string) (g guard, left time.Duration) {
	had := ownedAtMost(v, name, section)
	now := guardsOf(s, section)
	its := slices.DeleteFunc(slices.Clone(now), func(k engine.Key) bool { return !names(v, k, name) })
	switch {
	case had == 0 || slices.ContainsFunc(s.Nodes, func(n engine.NodeView) bool { return n.Leader == "" && n.Status != "" }):
		return guardUnknown, 0
	case len(now) == 0:
		return guardGone, 0
	case len(its) == 0 && !slices.ContainsFunc(now, func(k engine.Key) bool { return ownerOf(v, k) == "" }):
		return guardTaken, 0
	case len(its) < len(now) || len(its) < had || slices.ContainsFunc(its, func(k engine.Key) bool { return k.Deadline != its[0].Deadline }):
		return guardUnknown, 0
	case its[0].Deadline == engine.NoDeadline:
		return guardForever, 0
	}
	return guardLeased, its[0].Deadline - s.Now
}

// ownedAtMost is the number of servers on which a section's key has named an actor at a time, since the actor got in.
func ownedAtMost(v *View, name, section string) (most int) {
	n := v.Pos
	if v.Line > 0 {
		n--
	}
	for ; n >= 0; n-- {
		at := v.Trace.At(n)
		if a, _ := at.Actor(name); !slices.Contains(a.Inside, section) {
			break
		}
		owned := 0
		for _, k := range guardsOf(at, section) {
			if names(v, k, name) {
				owned++
			}
		}
		most = max(most, owned)
	}
	return most
}

// guardsOf are the keys of a name on the servers that take writes.
func guardsOf(s *engine.Snapshot, name string) []engine.Key {
	var all []engine.Key
	for _, n := range s.Nodes {
		if k, there := n.Key(name); there && n.Leader == "" {
			all = append(all, k)
		}
	}
	return all
}

// names tells whether a key names an actor: by its text, or by an item.
func names(v *View, k engine.Key, actor string) bool {
	if k.Type == engine.StringKey {
		return namedBy(v, k.Text) == actor
	}
	return slices.ContainsFunc(k.Items, func(it engine.Item) bool { return namedBy(v, it.Name) == actor })
}
