package decode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"lockstep/lessons"
)

// hash tells apart two versions of a lesson in which something different could
// happen. Words, expectations and the story are no part of it: a schedule stays
// good while they are improved.
func hash(l *lessons.Lesson) string {
	var all []byte
	// Each part goes in with its length, so that no two lessons read the same.
	add := func(parts ...string) {
		for _, p := range parts {
			all = fmt.Appendf(all, "%d:%s,", len(p), p)
		}
		all = append(all, ';')
	}
	add(l.NodeNames()...)
	add(l.Resolution.String())
	add(l.Client.Source)
	for _, s := range l.Scripts {
		add("script", s.Name, s.Source)
	}
	for _, a := range l.Actors {
		add("actor", a.Name, a.Process, a.Program)
	}
	for _, f := range l.Faults {
		add("fault", f.String())
	}
	// What few lessons have goes in only where it is there.
	for _, n := range l.Nodes {
		if n.ReplicaOf != "" {
			add("replica", n.Name, n.ReplicaOf)
		}
		if n.Kind != lessons.Redis {
			add("kind", n.Name, string(n.Kind))
		}
	}
	for _, n := range l.Nodes {
		if n.Session > 0 {
			add("session", n.Name, n.Session.String())
		}
	}
	for _, n := range l.Nodes {
		if n.Min.ToWrite > 0 {
			add("min-replicas", n.Name, strconv.Itoa(n.Min.ToWrite), n.Min.MaxLag.String())
		}
	}
	for _, n := range l.Nodes {
		if n.Version != "" {
			add("version", n.Name, n.Version)
		}
	}
	for _, a := range l.Actors {
		if a.Count > 0 {
			add("crowd", a.Name, strconv.Itoa(a.Count))
		}
	}
	for _, r := range l.Cluster {
		add("slots", r.Node, slotsText(r.First, r.Last))
	}
	for _, m := range l.Moving {
		add("moving", strconv.Itoa(m.Slot), m.From, m.To)
	}
	if l.Timeout > 0 {
		add("client-timeout", l.Timeout.String())
	}
	for _, g := range l.Given {
		if g.Statement != "" {
			add("statement", g.Node, g.Statement)
			continue
		}
		k := g.Key
		add("given", g.Node, k.Name, string(k.Type), k.Text, k.Deadline.String())
		for _, it := range k.Items {
			add(it.Name, it.Value)
		}
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:4])
}
