package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// uncommitted is what a transaction has made of a row; empty: nothing.
func uncommitted(lang lessons.Lang, k engine.Key) string {
	p := k.Pending
	switch {
	case p.By == "":
		return ""
	case p.Items == nil:
		return rowDeletes.in(lang, p.By)
	}
	written := &engine.Key{Type: engine.RowKey, Items: p.Items}
	if k.Items == nil {
		return rowInserts.in(lang, p.By, clip(strings.TrimPrefix(written.Value(), "row "), 80))
	}
	return rowWrites.in(lang, p.By, valueChange(lang, &engine.Key{Type: engine.RowKey, Items: k.Items}, written))
}

// insertedOnly tells whether a row is only what a transaction has inserted and not committed. Where such a row is gone,
// nobody has deleted it.
func insertedOnly(k engine.Key) bool { return k.Items == nil && k.Pending.Items != nil }

// rowSentence says what became of a row.
func rowSentence(lang lessons.Lang, name string, c engine.Change) string {
	var parts []string
	var was engine.Key
	if c.Old != nil {
		was = *c.Old
	}
	was.Type = engine.RowKey
	if was.Items == nil && c.New.Items != nil {
		parts = append(parts, rowNew.in(lang, clip(strings.TrimPrefix(c.New.Value(), string(engine.RowKey)+" "), 80)))
	} else if text := valueChange(lang, &was, c.New); text != "" {
		parts = append(parts, text)
	}
	if text := uncommitted(lang, *c.New); text != "" && text != uncommitted(lang, was) {
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		parts = append(parts, rowRolledBack.in(lang, was.Pending.By))
	}
	return name + clauseColon.in(lang) + strings.Join(parts, clauseComma.in(lang))
}

// locksOn are the locks on a row, or before it.
func locksOn(n engine.NodeView, key string) []engine.Hold {
	return slices.DeleteFunc(slices.Clone(n.Holds), func(h engine.Hold) bool { return h.Key != key })
}

func otherLocks(n engine.NodeView) []engine.Hold {
	return slices.DeleteFunc(slices.Clone(n.Holds), func(h engine.Hold) bool {
		_, row := n.Key(h.Key)
		return row
	})
}

// lockWords say what a lock keeps others from.
var lockWords = map[engine.HoldMode]msg{
	engine.HoldsAlone:  lockAlone,
	engine.HoldsShared: lockShared,
	engine.HoldsGap:    lockGap,
	engine.HoldsInsert: lockInsert,
}

func lockText(lang lessons.Lang, h engine.Hold) string {
	what := lockWords[h.Mode].in(lang)
	if h.Waits {
		return lockWaits.in(lang, h.Actor, what)
	}
	return lockHas.in(lang, h.Actor, what)
}

func lockClass(v *View, h engine.Hold) string {
	if h.Waits {
		return hue(v, h.Actor)
	}
	return "in " + hue(v, h.Actor)
}

// embeddedDatabases are the SQL servers of a lesson, by name, where they are those that come
// with the playground.
func embeddedDatabases(v *View) []string {
	var names []string
	for _, n := range v.Lesson.Nodes {
		if n.Kind == lessons.SQL && v.Engine.Real() != n.Kind {
			names = append(names, n.Name)
		}
	}
	return names
}
