package engine

import (
	"encoding/json"

	"lockstep/engine/reply"
)

// MarshalJSON writes the steps and the keys that are there at the end; what
// lies between follows from the changes. The same trace gives the same bytes.
func (t *Trace) MarshalJSON() ([]byte, error) {
	last := t.At(len(t.Steps))
	out := traceJSON{Start: jsonMoves(t.Start.moves()), Notes: jsonNotes(t.Notes), Steps: t.Steps, Now: FormatSpan(last.Now)}
	if out.Steps == nil {
		out.Steps = []Step{}
	}
	for _, n := range last.Nodes {
		node := nodeJSON{Node: n.Node, Keys: []*keyJSON{}}
		for i := range n.Keys {
			node.Keys = append(node.Keys, n.Keys[i].json())
		}
		out.Nodes = append(out.Nodes, node)
	}
	return json.Marshal(out)
}

type traceJSON struct {
	Start []moveJSON `json:"start,omitempty"` // where the actors stand, when they tell it
	Notes []noteJSON `json:"notes,omitempty"` // of before the first step
	Steps []Step     `json:"steps"`
	Now   string     `json:"now"`
	Nodes []nodeJSON `json:"nodes"`
}

type nodeJSON struct {
	Node string     `json:"node"`
	Keys []*keyJSON `json:"keys"`
}

type keyJSON struct {
	Name  string  `json:"name"`
	Type  KeyType `json:"type"`
	Value any     `json:"value"`
	// Pending is what By has made of a row, absent when nobody has.
	Pending map[string]string `json:"pending,omitempty"`
	By      string            `json:"by,omitempty"`
	// Deadline is absent when the key has none.
	Deadline string `json:"deadline,omitempty"`
}

type memberJSON struct {
	Member string `json:"member"`
	Score  string `json:"score"`
}

func (k *Key) json() *keyJSON {
	if k == nil {
		return nil
	}
	out := &keyJSON{Name: k.Name, Type: k.Type, Value: k.jsonValue(), Pending: fields(k.Pending.Items), By: k.Pending.By}
	if k.Deadline != NoDeadline {
		out.Deadline = FormatSpan(k.Deadline)
	}
	return out
}

func fields(items []Item) map[string]string {
	out := map[string]string{}
	for _, it := range items {
		out[it.Name] = it.Value
	}
	return out
}

func (k *Key) jsonValue() any {
	switch k.Type {
	case StringKey:
		return k.Text
	case HashKey, StreamKey, RowKey, ZnodeKey:
		return fields(k.Items)
	case ZSetKey:
		members := make([]memberJSON, len(k.Items))
		for i, it := range k.Items {
			members[i] = memberJSON{Member: it.Name, Score: it.Value}
		}
		return members
	case ListKey, SetKey:
	}
	values := make([]string, len(k.Items))
	for i, it := range k.Items {
		values[i] = it.Name + it.Value // a list has no names, a set no values
	}
	return values
}

type stepJSON struct {
	N         int             `json:"n"`
	Choice    string          `json:"choice"`
	From      string          `json:"from"`
	At        string          `json:"at"`
	Process   string          `json:"process,omitempty"`
	Request   *requestJSON    `json:"request,omitempty"`
	Inside    *insideJSON     `json:"inside,omitempty"`
	Taken     bool            `json:"taken,omitempty"`
	Reply     *reply.Reply    `json:"reply,omitempty"`
	NoReply   NoReply         `json:"noReply,omitempty"`
	Message   *string         `json:"message,omitempty"`
	Lost      *string         `json:"lost,omitempty"`
	Expired   []expiryJSON    `json:"expired,omitempty"`
	Changes   []changeJSON    `json:"changes,omitempty"`
	Delivered []deliveryJSON  `json:"delivered,omitempty"`
	Missed    []deliveryJSON  `json:"missed,omitempty"`
	Answered  []answerJSON    `json:"answered,omitempty"`
	Replicas  []replicaJSON   `json:"replicas,omitempty"`
	Notes     []noteJSON      `json:"notes,omitempty"`
	Ran       []ranJSON       `json:"ran,omitempty"`
	Moves     []moveJSON      `json:"moves,omitempty"`
	Broken    []violationJSON `json:"broken,omitempty"`
}

type requestJSON struct {
	Do       string   `json:"do"`
	Node     string   `json:"node,omitempty"`
	Asking   bool     `json:"asking,omitempty"`
	Script   string   `json:"script,omitempty"`
	Keys     []string `json:"keys,omitempty"`
	Args     []string `json:"args,omitempty"`
	Channel  string   `json:"channel,omitempty"`
	Timeout  string   `json:"timeout,omitempty"`
	Replicas int      `json:"replicas,omitempty"`
	For      string   `json:"for,omitempty"`
	Label    string   `json:"label,omitempty"`
}

type expiryJSON struct {
	Node string `json:"node"`
	Key  string `json:"key"`
	At   string `json:"at"`
}

// changeJSON has null where the key did not exist.
type changeJSON struct {
	Node string   `json:"node"`
	Key  string   `json:"key"`
	Old  *keyJSON `json:"old"`
	New  *keyJSON `json:"new"`
}

type deliveryJSON struct {
	Node    string `json:"node"`
	Process string `json:"process"`
	Channel string `json:"channel"`
	Payload string `json:"payload"`
}

type answerJSON struct {
	Node  string      `json:"node"`
	Actor string      `json:"actor"`
	Reply reply.Reply `json:"reply"`
}

// replicaJSON has no leader where the node takes writes.
type replicaJSON struct {
	Node   string `json:"node"`
	Leader string `json:"leader,omitempty"`
	Behind int    `json:"behind"`
	Lost   bool   `json:"lost,omitempty"`
}

type noteJSON struct {
	Actor string   `json:"actor"`
	Kind  NoteKind `json:"kind"`
	Text  string   `json:"text,omitempty"`
}

type violationJSON struct {
	Invariant string `json:"invariant"`
	Detail    string `json:"detail"`
}

// MarshalJSON writes what happened in the step, without the snapshot after it.
func (s Step) MarshalJSON() ([]byte, error) {
	out := stepJSON{
		N: s.N, Choice: s.Choice.String(), From: FormatSpan(s.From), At: FormatSpan(s.At),
		Process: s.Process, Request: jsonRequest(s.Request), Taken: s.Taken, Reply: s.Reply, NoReply: s.NoReply,
	}
	if s.Inside != nil {
		out.Inside = s.Inside.json()
	}
	if _, ok := s.Request.(Receive); ok {
		out.Message = &s.Message
	}
	if s.Choice.Kind == Drop {
		out.Lost = &s.Lost
	}
	for _, e := range s.Expired {
		out.Expired = append(out.Expired, expiryJSON{Node: e.Node, Key: e.Key, At: FormatSpan(e.At)})
	}
	for _, c := range s.Changes {
		out.Changes = append(out.Changes, changeJSON{Node: c.Node, Key: c.Key, Old: c.Old.json(), New: c.New.json()})
	}
	for _, d := range s.Delivered {
		out.Delivered = append(out.Delivered, deliveryJSON(d))
	}
	for _, d := range s.Missed {
		out.Missed = append(out.Missed, deliveryJSON(d))
	}
	for _, a := range s.Answered {
		out.Answered = append(out.Answered, answerJSON(a))
	}
	for _, r := range s.Replicas {
		out.Replicas = append(out.Replicas, replicaJSON(r))
	}
	out.Notes = jsonNotes(s.Notes)
	out.Ran, out.Moves = jsonRan(s.Ran), jsonMoves(s.Moves)
	for _, v := range s.Broken {
		out.Broken = append(out.Broken, violationJSON{v.Invariant, v.Detail.Error()})
	}
	return json.Marshal(out)
}

func jsonNotes(ns []Note) []noteJSON {
	var out []noteJSON
	for _, n := range ns {
		out = append(out, noteJSON{n.Actor, n.Kind, n.Text})
	}
	return out
}

func jsonRequest(r Request) *requestJSON {
	switch r := r.(type) {
	case Exec:
		if r.Op.Script != nil {
			return &requestJSON{Do: "eval", Node: r.Node, Asking: r.Op.Asking, Script: r.Op.Script.Name, Keys: r.Op.Keys, Args: r.Op.Args}
		}
		return &requestJSON{Do: "call", Node: r.Node, Asking: r.Op.Asking, Args: r.Op.Args}
	case AwaitReplicas:
		out := &requestJSON{Do: "await-replicas", Node: r.Node, Replicas: r.Replicas}
		if r.Timeout >= 0 {
			out.Timeout = FormatSpan(r.Timeout)
		}
		return out
	case Subscribe:
		return &requestJSON{Do: "subscribe", Node: r.Node, Channel: r.Channel}
	case Unsubscribe:
		return &requestJSON{Do: "unsubscribe", Node: r.Node, Channel: r.Channel}
	case Receive:
		out := &requestJSON{Do: "receive", Node: r.Node, Channel: r.Channel}
		if r.Timeout >= 0 {
			out.Timeout = FormatSpan(r.Timeout)
		}
		return out
	case Await:
		return &requestJSON{Do: "await", Label: r.Name}
	case Sleep:
		return &requestJSON{Do: "sleep", For: FormatSpan(r.For), Label: r.Label}
	}
	return nil
}
