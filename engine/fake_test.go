package engine

import (
	"context"
	"maps"
	"slices"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// fakeNode is all that the engine's own tests need of a server: strings on a clock
// (SET key value span, 0s for no TTL, GET key, DEL key and RENAME key key), PUBLISH channel text, and AWAIT it,
// which waits until somebody sends POKE it.
type fakeNode struct {
	now   Instant
	keys  map[string]Key
	subs  []Subscription
	waits []Client // for a POKE
	fail  error
	down  bool // it crashed: whatever it is asked is a mistake of the world
}

func (f *fakeNode) Crash(context.Context) error {
	f.runs()
	f.down = true
	return nil
}

func (f *fakeNode) runs() {
	if f.down {
		panic("a node is asked that is down")
	}
}

func (f *fakeNode) Exec(_ context.Context, op Op) (Result, error) {
	f.runs()
	if f.fail != nil {
		return Result{}, f.fail
	}
	held, taken := f.keys[op.Args[1]]
	if op.TooFew && op.Args[0] != "GET" {
		return Result{Reply: reply.OfError("NOREPLICAS it hears too few replicas")}, nil
	}
	if op.ReadOnly && op.Args[0] != "GET" {
		return Result{Reply: reply.OfError("READONLY it follows another node")}, nil
	}
	switch op.Args[0] {
	case "GET":
		if !taken {
			return Result{}, nil
		}
		return Result{Reply: reply.OfBulk(held.Text)}, nil
	case "AWAIT":
		f.waits = append(f.waits, op.From)
		return Result{Waits: true}, nil
	case "POKE":
		res := Result{Reply: reply.OfInt(int64(len(f.waits)))}
		for _, c := range f.waits {
			res.Answered = append(res.Answered, Answer{Actor: c.Actor, Reply: reply.OfBulk("poked")})
		}
		f.waits = nil
		return res, nil
	case "SET":
		if taken {
			return Result{}, nil
		}
		d, _ := time.ParseDuration(op.Args[3])
		k := Key{Name: op.Args[1], Type: StringKey, Text: op.Args[2], Deadline: f.now + d}
		if d == 0 {
			k.Deadline = NoDeadline
		}
		f.keys[k.Name] = k
		return Result{Reply: reply.OK}, nil
	case "DEL":
		delete(f.keys, op.Args[1])
		return Result{Reply: reply.OfInt(1)}, nil
	case "RENAME":
		k := f.keys[op.Args[1]]
		delete(f.keys, k.Name)
		k.Name = op.Args[2]
		f.keys[k.Name] = k
		return Result{Reply: reply.OK}, nil
	case "PUBLISH":
		var ds []Delivery
		for _, s := range f.subs {
			if s.Channel == op.Args[1] {
				ds = append(ds, Delivery{Process: s.Process, Channel: s.Channel, Payload: op.Args[2]})
			}
		}
		return Result{Reply: reply.OfInt(int64(len(ds))), Effects: Effects{Delivered: ds}}, nil
	}
	return Result{Reply: reply.OfError("ERR unknown command")}, nil
}

func (f *fakeNode) Subscribe(_ context.Context, process, channel string) error {
	f.runs()
	if s := (Subscription{Channel: channel, Process: process}); !slices.Contains(f.subs, s) {
		f.subs = append(f.subs, s)
	}
	return nil
}

func (f *fakeNode) Unsubscribe(_ context.Context, process, channel string) error {
	f.runs()
	f.subs = slices.DeleteFunc(f.subs, func(s Subscription) bool { return s == Subscription{Channel: channel, Process: process} })
	return nil
}

func (f *fakeNode) Fault(_ context.Context, process string, kind ChoiceKind) (Effects, error) {
	f.runs()
	if kind == Crash {
		f.subs = slices.DeleteFunc(f.subs, func(s Subscription) bool { return s.Process == process })
		f.waits = slices.DeleteFunc(f.waits, func(c Client) bool { return c.Process == process })
	}
	return Effects{}, nil
}

func (f *fakeNode) AdvanceTo(_ context.Context, now Instant) (Effects, error) {
	f.runs()
	f.now = now
	var es []Expiry
	for name, k := range f.keys {
		if k.Deadline != NoDeadline && k.Deadline <= f.now {
			es = append(es, Expiry{Key: name, At: k.Deadline})
			delete(f.keys, name)
		}
	}
	return Effects{Expired: es}, nil
}

func (f *fakeNode) NextDue() (first Instant, found bool) {
	f.runs()
	for _, k := range f.keys {
		if k.Deadline != NoDeadline && (!found || k.Deadline < first) {
			first, found = k.Deadline, true
		}
	}
	return first, found
}

func (f *fakeNode) Copy(context.Context) (Data, error) {
	f.runs()
	return maps.Clone(f.keys), nil
}

func (f *fakeNode) Load(_ context.Context, data Data) error {
	f.runs()
	f.keys = maps.Clone(data.(map[string]Key))
	return nil
}

func (f *fakeNode) Follow(context.Context) (Effects, error) {
	f.runs()
	var e Effects
	for _, c := range f.waits {
		e.Answered = append(e.Answered, Answer{Actor: c.Actor, Reply: reply.OfError("READONLY it follows another node")})
	}
	f.waits = nil
	return e, nil
}

func (f *fakeNode) View(context.Context) (NodeView, error) {
	f.runs()
	v := NodeView{Subscriptions: slices.Clone(f.subs)}
	for _, name := range slices.Sorted(maps.Keys(f.keys)) {
		v.Keys = append(v.Keys, f.keys[name])
	}
	return v, nil
}

func (f *fakeNode) Reset(context.Context) error {
	*f = fakeNode{keys: map[string]Key{}, fail: f.fail}
	return nil
}

// script is an actor that makes its requests one after the other, whatever comes
// of them, and then those that it repeats.
type script struct {
	requests, repeated []Request
	last               Outcome // of the last request that was not its own business
	own                bool    // the last was
}

// tell stands for a Say of what came of the last request.
var tell = Say{"what came of it"}

func (s *script) Next(out Outcome) Request {
	if s.own && (out.TimedOut || out.Message != "" || out.Reply.String() != "nil") {
		return Done{Failure: fact.Text("something came of what was its own business")}
	}
	if !s.own {
		s.last = out
	}
	r := s.next()
	switch r.(type) {
	case Say, Want, Unwant, Enter, Leave, Refused, Spawn, Cancel, Remember:
		s.own = true
	default:
		s.own = false
	}
	if r == tell {
		return Say{s.outcome()}
	}
	return r
}

func (s *script) outcome() string {
	at := "at " + FormatSpan(s.last.Now)
	switch {
	case s.last.TimedOut:
		return at + " the time was over"
	case s.last.Message != "":
		return at + " came " + s.last.Message
	}
	return at + " the reply was " + s.last.Reply.String()
}

func (s *script) next() Request {
	if len(s.requests) == 0 {
		s.requests = s.repeated
	}
	if len(s.requests) == 0 {
		return Done{}
	}
	r := s.requests[0]
	s.requests = s.requests[1:]
	return r
}
