package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// Who waits in a server stands beside what they wait for, as dots: for a lock on a row, or to be told of a znode.

// mostWaits is how many stand beside one bar.
const mostWaits = 3

func waitersOf(v *View, s *engine.Snapshot, node string) []bar {
	n, _ := s.Node(node)
	var all []bar
	wait := func(key, client string) {
		b := bar{Key: key, Owner: client, Hue: hueOfProcess(v, client), Row: true, Waits: true, Deadline: engine.NoDeadline}
		if !slices.ContainsFunc(all, b.same) {
			all = append(all, b)
		}
	}
	for _, h := range n.Holds {
		if h.Waits {
			wait(h.Key, h.Actor)
		}
	}
	if v.hasZnodes(node) {
		for _, w := range n.Subscriptions {
			wait(w.Channel, clientOf(v.Lesson, w.Process))
		}
	}
	return all
}

// hasZnodes tells whether what processes listen to on a node are znodes.
func (v *View) hasZnodes(node string) bool {
	of, _ := v.Lesson.Node(node)
	return of.Kind == lessons.ZooKeeper
}

// place finds a column for a bar: who waits stands beside what another has, and a lock where somebody waited for it. It
// tells whether there is room.
func (b *bar) place(open []bar, most int) bool {
	at := slices.IndexFunc(open, func(o bar) bool { return o.Key == b.Key && o.Waits != b.Waits && o.Owner != b.Owner })
	if at < 0 {
		at = slices.IndexFunc(open, func(o bar) bool { return o.Key == b.Key && o.Waits })
	}
	if at >= 0 && (b.Waits || free(open, open[at].Column, 0, false)) {
		b.Column = open[at].Column
	} else if b.Column = freeColumn(open, most); b.Column == most {
		return false
	}
	for b.Waits && !free(open, b.Column, b.Slot, true) {
		b.Slot++
	}
	return b.Slot < mostWaits
}

// free tells whether nothing stands in a place of a column.
func free(open []bar, column, slot int, waits bool) bool {
	return !slices.ContainsFunc(open, func(o bar) bool { return o.Column == column && o.Slot == slot && o.Waits == waits })
}

func freeColumn(open []bar, most int) int {
	column := 0
	for slices.ContainsFunc(open, func(o bar) bool { return o.Column == column }) {
		column++
	}
	return min(column, most)
}

// claims are what a step brought of locks on rows, and who began to wait.
func claims(v *View, s *engine.Step, node string) []valuePart {
	var all []valuePart
	before := v.Trace.At(s.N - 1)
	was := slices.Concat(leasesOf(v, before, node), waitersOf(v, before, node))
	for _, b := range slices.Concat(leasesOf(v, &s.After, node), waitersOf(v, &s.After, node)) {
		if !b.Row || slices.ContainsFunc(was, b.same) || b.wrote(s, node) {
			continue
		}
		part := valuePart{Hue: b.Hue, Name: shortKey(b.Key), Whole: b.Waits}
		if b.Waits {
			part.Text, part.Short = part.Name+" ← "+waitText(v, node, b.Owner), "← "+b.Owner
		} else {
			part.Text, part.Short = part.Name+" "+heldText(&s.After, node, b), b.Owner
		}
		all = append(all, part)
	}
	return all
}

// wrote tells whether a step wrote what it locked, or made the znode: that goes without saying.
func (b bar) wrote(s *engine.Step, node string) bool {
	c, ok := engine.ChangeOf(s.Changes, node, b.Key)
	return ok && !b.Waits && c.New != nil && (c.New.Type == engine.ZnodeKey || c.New.Pending.By == b.Owner)
}

// heldText is who has a lock on a row, and which: A X.
func heldText(s *engine.Snapshot, node string, b bar) string {
	words := []string{b.Owner}
	n, _ := s.Node(node)
	for _, h := range n.Holds {
		if h.Key == b.Key && h.Actor == b.Owner && !h.Waits {
			words = append(words, string(h.Mode))
		}
	}
	return strings.Join(words, " ")
}

func waitText(v *View, node string, who ...string) string {
	one, many := rowWaits, rowWait
	if v.hasZnodes(node) {
		one, many = zkWatches, zkWatch
	}
	if len(who) > 1 {
		one = many
	}
	return one.in(v.Lang, strings.Join(who, ", "))
}

// claimText is who has a row or a znode at the shown step, and who waits: accounts/20 A X ← B waits.
func claimText(v *View, node string, b bar) string {
	text := shortKey(b.Key)
	if !b.Waits {
		text += " " + heldText(v.Snapshot(), node, b)
	}
	var who []string
	for _, w := range waitersOf(v, v.Snapshot(), node) {
		if w.Key == b.Key && (w.Owner != b.Owner || b.Waits) {
			who = append(who, w.Owner)
		}
	}
	if len(who) > 0 {
		text += " ← " + waitText(v, node, who...)
	}
	return text
}

// saidElsewhere tells whether the claim of another bar says who waits here, too.
func (b bar) saidElsewhere(open []bar) bool {
	i := slices.IndexFunc(open, func(o bar) bool { return o.Key == b.Key && (!o.Waits && o.Owner != b.Owner || o.Waits) })
	return b.Waits && !open[i].same(b)
}
