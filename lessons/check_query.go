package lessons

import (
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Eval is the answer after the steps of a beat, as a person would write it: 1,
// "text" for a reply, text for a value, 30s, yes, A, nobody; nil for what does not exist. It is
// empty when the query cannot be answered, such as for a hash field of a list.
func (q Query) Eval(steps []engine.Step) string {
	if len(steps) == 0 {
		return ""
	}
	last := &steps[len(steps)-1]
	if q.Kind == QueryReply {
		if last.Reply == nil {
			return ""
		}
		return last.Reply.String()
	}
	return q.in(&last.After)
}

// in is the answer in a snapshot, of every query but one for the reply.
func (q Query) in(s *engine.Snapshot) string {
	if q.Kind == QueryHolder {
		for _, h := range s.Held {
			if h.Section == q.Key {
				return strings.Join(h.Actors, ", ")
			}
		}
		return "nobody"
	}
	if q.Kind == QueryStatus {
		status, _ := statusOf(s, q.Key)
		return string(status)
	}
	k, exists := q.key(s)
	_, member := k.Get(q.Item)
	switch {
	case q.Kind == QueryExists:
		return yesNo(exists)
	case q.Kind == QuerySIsMember && (!exists || k.Type == engine.SetKey):
		return yesNo(member)
	case !exists && counted[string(q.Kind)] != "":
		return "0"
	case !exists:
		return "nil"
	}
	return q.of(k, s.Now)
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// of is the answer of a query about a key that exists; empty: the query does not fit its type.
func (q Query) of(k engine.Key, now engine.Instant) string {
	switch {
	case q.Kind == QueryTTL:
		return ttlFact(remaining(k.Deadline, now)).Error()
	case counted[string(q.Kind)] == k.Type:
		return strconv.Itoa(len(k.Items))
	case q.Kind == QueryGet && (k.Type == engine.StringKey || k.Type == engine.ZnodeKey):
		return textOf(k)
	case q.Kind == QueryHGet && k.Type == engine.HashKey, q.Kind == QueryZScore && k.Type == engine.ZSetKey, q.Kind == QueryColumn && (k.Type == engine.RowKey || k.Type == engine.ZnodeKey):
		if v, ok := k.Get(q.Item); ok {
			return v
		}
		return "nil"
	case q.Kind == QueryLIndex && k.Type == engine.ListKey:
		i, err := strconv.Atoi(q.Item)
		if err != nil {
			return ""
		}
		if v, ok := k.At(i); ok {
			return v
		}
		return "nil"
	}
	return ""
}

func (q Query) key(s *engine.Snapshot) (engine.Key, bool) { return keyOf(view(s, q.Node), q.Key) }

// miss says what a query without an answer meets in a snapshot.
func (q Query) miss(s *engine.Snapshot) fact.Fact {
	k, exists := q.key(s)
	switch {
	case q.Kind == QueryReply || q.Kind == QueryHolder || q.Kind == QueryStatus:
		return fact.Of("lesson-finds-nothing")
	case exists:
		return fact.Of("lesson-is-a", engine.Word(q.Key), k.Type)
	}
	for _, n := range s.Nodes {
		if _, there := n.Key(q.Key); there {
			return fact.Of("lesson-is-on", engine.Word(q.Key), n.Node)
		}
	}
	return fact.Of("lesson-no-key", engine.Word(q.Key))
}

// String is the query as a lesson writes it.
func (q Query) String() string {
	text := string(q.Kind)
	if q.Key != "" {
		text += " " + engine.Word(q.Key)
	}
	if q.Item != "" {
		text += " " + engine.Word(q.Item)
	}
	if q.Node != "" {
		text += " on " + q.Node
	}
	return text
}
