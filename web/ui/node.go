package ui

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/redis/cluster"
)

// withName puts a server's name into a text. In Chinese only a Latin name stands apart.
func withName(lang lessons.Lang, text msg, name string) string {
	if name != "" && name[0] >= utf8.RuneSelf {
		text.zh = strings.NewReplacer(" %s", "%s", "%s ", "%s").Replace(text.zh)
	}
	return text.in(lang, name)
}

// nodeMark is a short word about a node.
type nodeMark struct{ class, text string }

// marksOf are what sets a node apart from one that is well and alone.
func marksOf(v *View, n engine.NodeView) []nodeMark {
	var marks []nodeMark
	add := func(on bool, class string, text msg, args ...any) {
		if on {
			marks = append(marks, nodeMark{class, text.in(v.Lang, args...)})
		}
	}
	leads := slices.ContainsFunc(v.Snapshot().Nodes, func(o engine.NodeView) bool { return o.Leader == n.Node })
	add(n.Status == engine.Crashed, "bad", nodeDown)
	add(n.Status == engine.Paused, "off", nodePaused)
	add(leads, "leads", nodeLeads)
	add(n.Leader != "" && !n.Stale, "", nodeReplica, n.Leader)
	add(n.Stale, "off", nodeLost, n.Leader)
	add(n.Clock != 0, "off", clockOff, offset(v.Lang, n.Clock))
	add(n.Inbox > 0, "", nodeInbox, n.Inbox)
	add(n.Saved, "", nodeSaved)
	return marks
}

// waitsOf are the requests that wait in a node: those that it holds, and those that ask
// how many replicas have a write, which it does not know.
func waitsOf(v *View, n engine.NodeView) []string {
	var texts []string
	for _, w := range n.Waits {
		text := nodeWait.in(v.Lang, w.Actor, strings.Join(w.Keys, clauseAnd.in(v.Lang)))
		if len(w.By) > 0 {
			text += clauseComma.in(v.Lang) + nodeWaitBy.in(v.Lang, strings.Join(w.By, clauseAnd.in(v.Lang)))
		}
		texts = append(texts, text)
	}
	for _, a := range v.Snapshot().Actors {
		if r, ok := a.Next.(engine.AwaitReplicas); ok && a.Status == engine.Blocked && r.Node == n.Node {
			replicas := nodeReplicas.in(v.Lang, r.Replicas)
			if r.Replicas == 1 {
				replicas = nodeReplica1.in(v.Lang)
			}
			texts = append(texts, nodeWait.in(v.Lang, a.Name, replicas))
		}
	}
	return texts
}

// arrivals let writes reach a replica.
func arrivals(v *View, n engine.NodeView) []button {
	var out []button
	for _, o := range v.Snapshot().Options {
		if o.Choice.Kind == engine.Replicate && o.Choice.Target == n.Node {
			text := nodeNext
			if o.Choice.Other != "" {
				text = nodeNextAll
			}
			out = append(out, button{Option: o, Class: "btn", Why: "why-arrival-" + n.Node, Text: text.in(v.Lang), Of: n.Node})
		}
	}
	return out
}

// stuck says why the writes on their way to a replica do not arrive; empty when they may.
func stuck(v *View, n engine.NodeView) string {
	for _, o := range arrivals(v, n) {
		if !o.Enabled() && v.Line == 0 {
			return Tell(v.Lang, o.Reason)
		}
	}
	return ""
}

// queuedText is a write on its way to a replica, in a few words.
func queuedText(lang lessons.Lang, q engine.Queued) string {
	if q.Full {
		return nodeAll.in(lang)
	}
	return clip(joined(q.Changes, clauseComma.in(lang), func(c engine.Change) string { return writeText(lang, c) }), 60)
}

func writeText(lang lessons.Lang, c engine.Change) string {
	switch {
	case c.New == nil:
		return saidDeleted.in(lang, c.Key)
	case c.New.Type == engine.StringKey:
		return c.Key + " = " + c.New.Text
	case c.Old == nil:
		return c.Key + " = " + c.New.Value()
	}
	return c.Key + clauseColon.in(lang) + cmp.Or(valueChange(lang, c.Old, c.New), keyTTL.in(lang))
}

// cutText says what a cut link loses.
func cutText(lang lessons.Lang, s *engine.Snapshot, l engine.Link) string {
	_, from := s.Node(l.From)
	_, to := s.Node(l.To)
	text := cutRequests
	switch {
	case from && to:
		text = cutNodes
	case from:
		text = cutReplies
	}
	return text.in(lang, l.From, l.To)
}

// slotText is where a cluster keeps a key.
func slotText(lang lessons.Lang, key string) string { return keySlot.in(lang, cluster.Slot(key)) }

// keyID tells a key from others of the same name on other nodes.
func keyID(s *engine.Snapshot, node, key string) string {
	if len(s.Nodes) < 2 {
		return key
	}
	return node + "/" + key
}

// memoryTexts are what the threads of each process have noted for each other up to the shown step,
// as name = text, by process in the order of the lesson's actors.
func memoryTexts(v *View) []string {
	all := map[string][]string{}
	note := func(s *engine.Snapshot, notes []engine.Note) {
		for _, n := range notes {
			if n.Kind != engine.NoteRemember {
				continue
			}
			a, _ := s.Actor(n.Actor)
			name, _, kept := strings.Cut(n.Text, " = ")
			noted := slices.DeleteFunc(slices.Clone(all[a.Process]), func(old string) bool { return strings.HasPrefix(old, name+" = ") })
			if kept {
				noted = append(noted, n.Text)
			}
			all[a.Process] = noted
		}
	}
	note(&v.Trace.Start, v.Trace.Notes)
	for i := range v.Pos {
		s := &v.Trace.Steps[i]
		if s.Choice.Kind == engine.Crash {
			delete(all, s.Choice.Target)
		}
		note(&s.After, s.Notes)
	}
	var lines []string
	for _, a := range v.Lesson.Actors {
		for _, noted := range all[a.Process] {
			lines = append(lines, a.Process+": "+noted)
		}
		delete(all, a.Process)
	}
	return lines
}
