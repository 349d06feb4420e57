package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"lockstep/engine/reply"
)

// DefaultTimeout is how long clients wait for a reply when the scenario says nothing.
const DefaultTimeout = time.Second

// sent is a request that is on its way or waits for its reply.
type sent struct {
	from    Client
	node    string
	request Request
	missing NoReply
	answer  *reply.Reply // nil: there is none yet
}

// toNode is the node of a request; goes is false for requests that need none.
func toNode(r Request) (node string, goes bool) {
	switch r.(type) {
	case Exec, Subscribe, Unsubscribe, AwaitReplicas:
		return NodeOf(r), true
	}
	return "", false
}

// send starts a thread's pending request. The reply is taken in the same step, unless a cut link, a
// pause or a wait in the node delays it.
func (w *World) send(ctx context.Context, t *thread, step *Step) error {
	request := w.addressed(t.next)
	node, goes := toNode(request)
	if !goes {
		return fmt.Errorf("actor %s has no request that could be performed: %T", t.name, t.next)
	}
	if e, ok := request.(Exec); ok && len(e.Stamps) > 0 {
		request = e.sentAt(w.clockOf(t))
	}
	q := &sent{from: Client{t.name, t.process}, node: node, request: request}
	step.Request = q.request
	s := w.server(q.node)
	t.sent = q
	switch {
	case s.crashed:
		q.answered(reply.OfError("REFUSED " + s.name + " is down"))
	case w.isDown(t.process, s.name):
		q.missing = RequestLost
	case s.paused:
		q.missing = NodePaused
		s.inbox = append(s.inbox, q)
	default:
		if err := w.arrive(ctx, s, q, step); err != nil {
			return err
		}
	}
	if q.answer != nil {
		return w.takeReply(t, step)
	}
	step.NoReply = q.missing
	t.until = w.patience(q)
	return nil
}

// addressed is a request with its ToLeader resolved to the current leader.
func (w *World) addressed(r Request) Request {
	switch req := r.(type) {
	case Exec:
		if req.ToLeader {
			req.Node = w.leaders[w.server(req.Node).group]
			return req
		}
	case AwaitReplicas:
		if req.ToLeader {
			req.Node = w.leaders[w.server(req.Node).group]
			return req
		}
	}
	return r
}

// patience is the instant at which a request gives up its wait: by the client's timeout, or by its own
// once it waits in the node. NoDeadline: the node ends the wait.
func (w *World) patience(q *sent) Instant {
	switch r := q.request.(type) {
	case AwaitReplicas:
		if q.missing == InNode {
			return after(w.now, r.Timeout)
		}
	case Exec:
		if q.missing == InNode {
			return NoDeadline
		}
		return after(w.now, cmp.Or(r.Timeout, w.scenario.Timeout, DefaultTimeout))
	}
	return after(w.now, cmp.Or(w.scenario.Timeout, DefaultTimeout))
}

func (w *World) takeReply(t *thread, step *Step) error {
	answer := t.sent.answer
	switch t.sent.request.(type) {
	case Exec, AwaitReplicas:
		step.Reply = answer
	default:
		if answer.IsError() {
			step.Reply = answer
		}
	}
	t.sent = nil
	w.settle(t, Outcome{Now: w.clockOf(t), Reply: *answer}, step)
	return nil
}

// arrive has a node perform a request. Afterwards the request has an answer, or missing says why not.
func (w *World) arrive(ctx context.Context, s *server, q *sent, step *Step) error {
	switch req := q.request.(type) {
	case Exec:
		req.Op.From, req.Op.TooFew = q.from, s.tooFew()
		req.Op.ReadOnly = s.leader != "" || req.Op.TooFew
		do := w.exec
		if req.Transaction != nil {
			do = w.transact
		}
		res, err := do(ctx, s, req, step)
		if err != nil {
			return err
		}
		w.writers = append(w.writers, q.from.Actor)
		w.spread(s, res.Effects, step)
		if res.Waits {
			q.missing = InNode
			return nil
		}
		w.answer(s, q, res.Reply)
		return nil
	case AwaitReplicas:
		w.await(s, q, req)
		return nil
	}
	r, err := w.listen(ctx, s, q)
	if err == nil {
		w.answer(s, q, r)
	}
	return err
}

// listen changes what a thread listens to.
func (w *World) listen(ctx context.Context, s *server, q *sent) (reply.Reply, error) {
	t := w.thread(q.from.Actor)
	channels, ok := s.node.(Channels)
	switch {
	case !ok:
		return reply.OfError("ERR " + s.name + " has no channels"), nil
	case t == nil || w.process(q.from.Process).crashed:
		return reply.Reply{}, nil
	}
	switch req := q.request.(type) {
	case Subscribe:
		if err := channels.Subscribe(ctx, q.from.Process, req.Channel); err != nil {
			return reply.Reply{}, err
		}
		t.listening = append(t.listening, subscription(req))
	case Unsubscribe:
		return reply.Reply{}, w.unsubscribe(ctx, channels, t, subscription(req))
	}
	return reply.Reply{}, nil
}

func (w *World) unsubscribe(ctx context.Context, channels Channels, t *thread, s subscription) error {
	if i := slices.Index(t.listening, s); i >= 0 {
		t.listening = slices.Delete(t.listening, i, i+1)
	}
	for _, other := range w.threads {
		if other.process == t.process && slices.Contains(other.listening, s) {
			return nil
		}
	}
	if err := channels.Unsubscribe(ctx, t.process, s.Channel); err != nil {
		return err
	}
	w.mail = slices.DeleteFunc(w.mail, func(d Delivery) bool {
		return d.Process == t.process && d.Node == s.Node && d.Channel == s.Channel
	})
	return nil
}

// answer sends a reply back. On a cut link it is lost, and a thread whose request waited in the node
// has its client's timeout from then on.
func (w *World) answer(s *server, q *sent, r reply.Reply) {
	if !w.isDown(s.name, q.from.Process) {
		q.answered(r)
		return
	}
	waited := q.missing == InNode
	q.missing = ReplyLost
	if t := w.waiting(q); t != nil && waited {
		t.until = w.patience(q)
	}
}

func (q *sent) answered(r reply.Reply) { q.answer, q.missing = &r, "" }

// onOwn tells whether a request is sent on a connection of its actor alone.
func (q *sent) onOwn() bool {
	e, is := q.request.(Exec)
	return is && e.Op.Shared == ""
}

// waiting is the thread that still waits for the reply to a request; nil when nobody does.
func (w *World) waiting(q *sent) *thread {
	if t := w.thread(q.from.Actor); t != nil && t.sent == q {
		return t
	}
	return nil
}

// answerLater sends the reply to a request of an earlier step. Taking it is a step of
// its own.
func (w *World) answerLater(s *server, q *sent, r reply.Reply, step *Step) {
	t := w.waiting(q)
	if t == nil {
		return
	}
	if w.answer(s, q, r); q.answer != nil {
		w.arrived(s, t, step)
	}
}

func (w *World) arrived(s *server, t *thread, step *Step) {
	t.until = NoDeadline
	step.Answered = append(step.Answered, Answer{Node: s.name, Actor: t.name, Reply: *t.sent.answer})
}

// spread brings a node's effects to the step and to the other side: expiries to the step, messages to
// processes that can be reached, answers to threads whose requests wait in the node.
func (w *World) spread(s *server, effects Effects, step *Step) {
	for _, e := range effects.Expired {
		e.Node = s.name
		e.At -= s.clock
		step.Expired = append(step.Expired, e)
	}
	for _, d := range effects.Delivered {
		d.Node = s.name
		switch p := w.process(d.Process); {
		case p.crashed:
		case w.isDown(s.name, d.Process):
			step.Missed = append(step.Missed, d)
		default:
			step.Delivered = append(step.Delivered, d)
			w.mail = append(w.mail, w.copies(d)...)
		}
	}
	for _, a := range effects.Answered {
		if t := w.thread(a.Actor); t != nil && t.sent != nil && t.sent.node == s.name && t.sent.missing == InNode {
			w.answerLater(s, t.sent, a.Reply, step)
		}
	}
}

// exec sends an op. If the scenario has a Look, scripts of Run steps that are watched go through that.
func (w *World) exec(ctx context.Context, s *server, req Exec, step *Step) (Result, error) {
	if w.scenario.Look == nil || req.Op.Script == nil || step.Choice.Kind != Run || !w.watched(step) {
		return s.node.Exec(ctx, req.Op)
	}
	before, _ := w.Snapshot().Node(s.name)
	before.Keys = shifted(before.Keys, s.clock)
	res, inside, err := w.scenario.Look(ctx, s.node, req.Op, before, w.now+s.clock)
	step.Inside = inside.shifted(-s.clock)
	return res, err
}

// watched tells whether the scenario asks for the lines of a step.
func (w *World) watched(step *Step) bool {
	return w.scenario.Watch != nil && w.scenario.Watch(step.N)
}

// sentAt is the request with its stamps filled in by the client's clock. The arguments are copied.
func (e Exec) sentAt(now Instant) Exec {
	e.Op.Args = slices.Clone(e.Op.Args)
	for _, s := range e.Stamps {
		e.Op.Args[s.Arg] = fmt.Sprint(EpochMillis(now) + s.Offset.Milliseconds())
	}
	e.Stamps = nil
	return e
}

// copies is a message that has come to a process, once for each receiver that may take it: for one, or for all
// that wait now and have said that it is for all of them. What a node tells without a subscription is for all that wait:
// each has asked for it.
func (w *World) copies(d Delivery) []Delivery {
	mail := []Delivery{d}
	waits := false
	_, subscribes := w.server(d.Node).node.(Channels)
	for _, t := range w.threads {
		r, receives := t.next.(Receive)
		isForAll := !subscribes || r.ForAll != "" && r.ForAll == d.Payload
		if !receives || !isForAll || r.Node != d.Node || r.Channel != d.Channel ||
			t.process != d.Process || !w.goesOn(t) {
			continue
		}
		if waits {
			d.Copy = true
			mail = append(mail, d)
		}
		waits = true
	}
	return mail
}
