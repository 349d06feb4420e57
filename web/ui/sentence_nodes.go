package ui

import (
	"cmp"

	"lockstep/engine"
	"lockstep/lessons"
)

// placed names the node of a step's request where there are several: behind what was
// asked in English, behind who asked in Chinese.
func placed(lang lessons.Lang, s *engine.Step, place msg, asked string) (who, what string) {
	who, what = s.Choice.Target, asked
	switch node := engine.NodeOf(s.Request); {
	case len(s.After.Nodes) < 2, aboutZnodes(s.Request):
	case lang == lessons.Zh:
		who = place.in(lang, who, node)
	default:
		what = place.in(lang, what, node)
	}
	return who, what
}

// onNodeOf is a key or a channel, with its node where the step is not about that one.
func onNodeOf(lang lessons.Lang, s *engine.Step, node, name string) string {
	if len(s.After.Nodes) < 2 || node == cmp.Or(engine.NodeOf(s.Request), s.Choice.Target) {
		return name
	}
	return thingOn.in(lang, name, node)
}

// onNode is a key with its node where there are several.
func onNode(v *View, node, name string) string {
	if len(v.Trace.Start.Nodes) < 2 {
		return name
	}
	return thingOn.in(v.Lang, name, node)
}

// lost tells whether a key went with its node.
func lost(s *engine.Step, c engine.Change) bool {
	n, _ := s.After.Node(c.Node)
	return s.Choice.Kind == engine.Crash && n.Status == engine.Crashed
}

// nodeSentences say what nodes did besides changing keys.
func nodeSentences(lang lessons.Lang, s *engine.Step) []string {
	var parts []string
	for _, d := range s.Delivered {
		parts = append(parts, ofEvents(d.Channel, zkDelivered, saidDelivered).in(lang, d.Payload, onNodeOf(lang, s, d.Node, d.Channel), d.Process))
	}
	for _, d := range s.Missed {
		parts = append(parts, saidMissed.in(lang, d.Payload, onNodeOf(lang, s, d.Node, d.Channel), d.Process))
	}
	for _, a := range s.Answered {
		parts = append(parts, laterText(lang, s, a))
	}
	for _, r := range s.Replicas {
		if r.Leader != "" || s.Choice.Kind != engine.Promote {
			parts = append(parts, replicaText(lang, s, r))
		}
	}
	return parts
}

// laterText is a reply to a request of an earlier step. What a node that is down owed
// is answered by the end of the connection.
func laterText(lang lessons.Lang, s *engine.Step, a engine.Answer) string {
	if n, _ := s.After.Node(a.Node); n.Status == engine.Crashed {
		return saidClosed.in(lang, a.Actor, a.Node)
	}
	return saidAnswered.in(lang, a.Node, a.Actor, answered(lang, requestOf(s, a), &a.Reply))
}

func replicaText(lang lessons.Lang, s *engine.Step, r engine.Replica) string {
	switch {
	case r.Leader == "":
		return saidLeads.in(lang, r.Node)
	case r.Lost:
		return saidLostTouch.in(lang, r.Node, r.Leader)
	case r.Behind == 0:
		return saidFollows.in(lang, r.Node, r.Leader)
	case isSentAll(s, r):
		return saidSendsAll.in(lang, r.Node, r.Leader)
	}
	return saidBehind.in(lang, r.Node, r.Leader, r.Behind)
}

// replicaBrief is the same in a few words, where the replica's lane says who it is.
func replicaBrief(lang lessons.Lang, s *engine.Step, r engine.Replica) string {
	switch {
	case r.Leader == "":
		return nodeLeads.in(lang)
	case r.Lost:
		return nodeLost.in(lang, r.Leader)
	case r.Behind == 0:
		return nodeHasAll.in(lang)
	case isSentAll(s, r):
		return nodeSentAll.in(lang)
	}
	return nodeBehind.in(lang, r.Behind)
}

// isSentAll: first comes a copy of all that the leader holds, which is no write that could be counted.
func isSentAll(s *engine.Step, r engine.Replica) bool {
	n, _ := s.After.Node(r.Node)
	return len(n.Queue) > 0 && n.Queue[0].Full
}
