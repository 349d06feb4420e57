package lessons

import (
	"strconv"
	"strings"

	"lockstep/engine"
)

// Eval is the answer after the steps of a beat, as a person would write it: 1,
// "text" for a reply, text for a value, 30s, yes, A, nobody. What is not there is
// nil; what the query does not fit, such as a hash field of a list, is "".
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

// in is the answer that a snapshot holds.
func (q Query) in(s *engine.Snapshot) string {
	if q.Kind == QueryHolder {
		for _, h := range s.Held {
			if h.Section == q.Key {
				return strings.Join(h.Actors, ", ")
			}
		}
		return "nobody"
	}
	k, exists := s.Nodes[0].Key(q.Key)
	if q.Kind == QueryExists {
		if exists {
			return "yes"
		}
		return "no"
	}
	if !exists {
		return "nil"
	}
	return q.of(k, s.Now)
}

// of is the answer that a key holds.
func (q Query) of(k engine.Key, now engine.Instant) string {
	switch {
	case q.Kind == QueryTTL:
		return ttlText(remaining(k.Deadline, now))
	case q.Kind == QueryGet && k.Type == engine.StringKey:
		return k.Text
	case q.Kind == QueryHGet && k.Type == engine.HashKey, q.Kind == QueryZScore && k.Type == engine.ZSetKey:
		if v, ok := k.Get(q.Item); ok {
			return v
		}
		return "nil"
	case q.Kind == QueryLIndex && k.Type == engine.ListKey:
		i, err := strconv.Atoi(q.Item)
		if err != nil {
			return ""
		}
		if i < 0 {
			i += len(k.Items)
		}
		if i < 0 || i >= len(k.Items) {
			return "nil"
		}
		return k.Items[i].Value
	}
	return ""
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
	return text
}
