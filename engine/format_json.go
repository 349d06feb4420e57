package engine

import (
	"encoding/json"
	"time"

	"lockstep/engine/reply"
)

// MarshalJSON writes the steps and the keys that are there at the end; what
// lies between follows from the changes. The same trace gives the same bytes.
func (t *Trace) MarshalJSON() ([]byte, error) {
	last := t.At(len(t.Steps))
	out := traceJSON{Start: jsonMoves(t.Start.moves()), Notes: t.Notes, Steps: t.Steps, Now: FormatSpan(last.Now)}
	if out.Steps == nil {
		out.Steps = []Step{}
	}
	for _, n := range last.Nodes {
		out.Nodes = append(out.Nodes, nodeJSON{n.Node, append([]Key{}, n.Keys...)})
	}
	for i := range t.Steps {
		if s := &t.Steps[i]; len(s.Broken) > 0 {
			out.Breaches = append(out.Breaches, t.jsonBreach(s))
		}
	}
	return json.Marshal(out)
}

type traceJSON struct {
	Start []moveJSON `json:"start,omitempty"` // where the actors stand, when they tell it
	Notes []Note     `json:"notes,omitempty"` // of before the first step
	Steps []Step     `json:"steps"`
	Now   string     `json:"now"`
	Nodes []nodeJSON `json:"nodes"`

	Breaches []breachJSON `json:"breaches,omitempty"`
}

// breachJSON is a step that broke rules, with the steps that led there, itself the last.
type breachJSON struct {
	Step   int         `json:"step"`
	Causes []causeJSON `json:"causes"`
}

type causeJSON struct {
	Step int        `json:"step"`
	Told []factJSON `json:"told,omitempty"`
}

// factJSON is a fact as its code and arguments: names, and lists of them.
type factJSON struct {
	Code string `json:"code"`
	Args []any  `json:"args"`
}

func (t *Trace) jsonBreach(breach *Step) breachJSON {
	out := breachJSON{Step: breach.N}
	for _, c := range t.Causes(breach) {
		j := causeJSON{Step: c.Step.N}
		for _, f := range c.Told {
			j.Told = append(j.Told, factJSON(f))
		}
		out.Causes = append(out.Causes, j)
	}
	return out
}

type nodeJSON struct {
	Node string `json:"node"`
	Keys []Key  `json:"keys"`
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

// MarshalJSON writes the value in the shape that its type has.
func (k Key) MarshalJSON() ([]byte, error) {
	out := keyJSON{Name: k.Name, Type: k.Type, Value: k.jsonValue(), Pending: fields(k.Pending.Items), By: k.Pending.By}
	if k.Deadline != NoDeadline {
		out.Deadline = FormatSpan(k.Deadline)
	}
	return json.Marshal(out)
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
	Inside    *Inside         `json:"inside,omitempty"`
	Taken     bool            `json:"taken,omitempty"`
	Reply     *reply.Reply    `json:"reply,omitempty"`
	NoReply   NoReply         `json:"noReply,omitempty"`
	Message   *string         `json:"message,omitempty"`
	Lost      *string         `json:"lost,omitempty"`
	Expired   []expiryJSON    `json:"expired,omitempty"`
	Changes   []Change        `json:"changes,omitempty"`
	Delivered []Delivery      `json:"delivered,omitempty"`
	Missed    []Delivery      `json:"missed,omitempty"`
	Answered  []Answer        `json:"answered,omitempty"`
	Replicas  []Replica       `json:"replicas,omitempty"`
	Notes     []noteJSON      `json:"notes,omitempty"`
	Holds     []holdJSON      `json:"holds,omitempty"`
	Ran       []ranJSON       `json:"ran,omitempty"`
	Moves     []moveJSON      `json:"moves,omitempty"`
	Broken    []violationJSON `json:"broken,omitempty"`
}

type requestJSON struct {
	Do       string   `json:"do"`
	Node     string   `json:"node,omitempty"`
	Shared   string   `json:"connection,omitempty"`
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

// violationJSON names the actors whom the breach is about, and what a lesson's own rule looked at.
type violationJSON struct {
	Invariant string   `json:"invariant"`
	Detail    string   `json:"detail"`
	Actors    []string `json:"actors,omitempty"`
	Looked    []Place  `json:"looked,omitempty"`
}

// noteJSON has the instant of a note within a move of the clock, which passes many.
type noteJSON struct {
	Note
	At string `json:"at,omitempty"`
}

// holdJSON is a lock of a node's own after the step.
type holdJSON struct {
	Node string `json:"node"`
	Hold
}

// moveJSON has no place when the actor has ended.
type moveJSON struct {
	Actor string       `json:"actor"`
	At    []Frame      `json:"at,omitempty"`
	Next  *requestJSON `json:"next,omitempty"`
}

type ranJSON struct {
	Actor string `json:"actor"`
	Frame
}

// MarshalJSON writes what happened in the step, without the snapshot after it.
func (s Step) MarshalJSON() ([]byte, error) {
	out := stepJSON{
		N: s.N, Choice: s.Choice.String(), From: FormatSpan(s.From), At: FormatSpan(s.At),
		Process: s.Process, Request: jsonRequest(s.Request), Inside: s.Inside, Taken: s.Taken, Reply: s.Reply, NoReply: s.NoReply,
		Changes: s.Changes, Delivered: s.Delivered, Missed: s.Missed, Answered: s.Answered, Replicas: s.Replicas,
		Moves: jsonMoves(s.Moves),
	}
	for _, n := range s.Notes {
		j := noteJSON{Note: n}
		if s.Choice.Kind == Tick {
			j.At = FormatSpan(n.At)
		}
		out.Notes = append(out.Notes, j)
	}
	for _, n := range s.After.Nodes {
		for _, h := range n.Holds {
			out.Holds = append(out.Holds, holdJSON{n.Node, h})
		}
	}
	if _, ok := s.Request.(Receive); ok {
		out.Message = &s.Message
	}
	if s.Choice.Kind == Drop {
		out.Lost = &s.Lost
	}
	for _, e := range s.Expired {
		out.Expired = append(out.Expired, expiryJSON{e.Node, e.Key, FormatSpan(e.At)})
	}
	for _, r := range s.Ran {
		out.Ran = append(out.Ran, ranJSON{r.Actor, r.At.Frames[0]})
	}
	for _, v := range s.Broken {
		actors, _ := v.Names(&s.After)
		out.Broken = append(out.Broken, violationJSON{v.Invariant, v.Detail.Error(), actors, v.Looked})
	}
	return json.Marshal(out)
}

func jsonMoves(ms []Move) []moveJSON {
	var out []moveJSON
	for _, m := range ms {
		j := moveJSON{Actor: m.Actor, Next: jsonRequest(m.Next)}
		if m.To != nil {
			j.At = m.To.Frames
		}
		out = append(out, j)
	}
	return out
}

func jsonRequest(r Request) *requestJSON {
	out := requestJSON{Node: NodeOf(r)}
	switch r := r.(type) {
	case Exec:
		out.Do, out.Shared, out.Asking, out.Keys, out.Args = "call", r.Op.Shared, r.Op.Asking, r.Op.Keys, r.Op.Args
		if r.Op.Script != nil {
			out.Do, out.Script = "eval", r.Op.Script.Name
		}
	case AwaitReplicas:
		out.Do, out.Replicas, out.Timeout = "await-replicas", r.Replicas, atMost(r.Timeout)
	case Subscribe:
		out.Do, out.Channel = "subscribe", r.Channel
	case Unsubscribe:
		out.Do, out.Channel = "unsubscribe", r.Channel
	case Receive:
		out.Do, out.Channel, out.Timeout = "receive", r.Channel, atMost(r.Timeout)
	case Await:
		out.Do, out.Label = "await", r.Name
	case Sleep:
		out.Do, out.For, out.Label = "sleep", FormatSpan(r.For), r.Label
	default:
		return nil
	}
	return &out
}

// atMost is a bound on a wait; empty: it has none.
func atMost(d time.Duration) string {
	if d < 0 {
		return ""
	}
	return FormatSpan(d)
}
