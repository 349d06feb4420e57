package ui

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// znodeRow is a znode as the page shows it, with what hangs from it.
type znodeRow struct {
	keyRow
	Label    string // the last name of its path
	Watchers []engine.Subscription
	Children []znodeRow
}

// znodeRows is the tree below a path: what is there, and what the step removed. What is
// watched and not there is an empty place.
func znodeRows(v *View, n engine.NodeView) []znodeRow {
	rows := keyRows(v, n)
	for _, w := range n.Subscriptions {
		if w.Channel != "/" && !slices.ContainsFunc(rows, func(r keyRow) bool { return r.Name == w.Channel }) {
			rows = append(rows, keyRow{Node: n.Node, Key: engine.Key{Name: w.Channel, Deadline: engine.NoDeadline}})
		}
	}
	slices.SortFunc(rows, func(a, b keyRow) int { return strings.Compare(a.Name, b.Name) })
	return below(n, rows, "")
}

// below are the rows whose nearest row upwards is that of a path.
func below(n engine.NodeView, rows []keyRow, path string) []znodeRow {
	var out []znodeRow
	for i, r := range rows {
		rest, under := strings.CutPrefix(r.Name, path+"/")
		if !under || slices.ContainsFunc(rows[:i], func(o keyRow) bool {
			return len(o.Name) > len(path) && strings.HasPrefix(r.Name, o.Name+"/")
		}) {
			continue
		}
		z := znodeRow{keyRow: r, Label: "/" + rest, Children: below(n, rows, r.Name)}
		for _, w := range n.Subscriptions {
			if w.Channel == r.Name {
				z.Watchers = append(z.Watchers, w)
			}
		}
		out = append(out, z)
	}
	return out
}

// there tells whether the znode is, or was before the step.
func (z znodeRow) there() bool { return z.Type == engine.ZnodeKey }

// has is what a znode has by a name; empty: it does not.
func (z znodeRow) has(name string) string {
	text, _ := z.Get(name)
	return text
}

// watcherText says who waits for what.
func watcherText(lang lessons.Lang, w engine.Subscription) string {
	if w.Children {
		return zkWatchesChildren.in(lang, w.Process)
	}
	return zkWatches.in(lang, w.Process)
}

// sessionText says how a session stands.
func sessionText(v *View, n engine.NodeView, s engine.Session) string {
	switch {
	case s.Expired:
		return keyExpired.in(v.Lang)
	case s.Until != engine.NoDeadline:
		return zkSilent.in(v.Lang, span(v.Lang, s.Until-n.Clock-v.Snapshot().Now))
	}
	return zkAlive.in(v.Lang)
}

// sessionTTL is how long a silent session still lasts; nil: as long as it likes, or it is over.
func sessionTTL(v *View, n engine.NodeView, s engine.Session) *ttl {
	if s.Until == engine.NoDeadline {
		return nil
	}
	of, _ := v.Lesson.Node(n.Node)
	return &ttl{Left: s.Until - n.Clock - v.Snapshot().Now, Full: cmp.Or(of.Session, lessons.DefaultSession)}
}
