package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lockstep/engine/fact"
)

// MaxChoices bounds a schedule, so that a link or a message cannot ask for
// unbounded work.
const MaxChoices = 2000

// World is one run of a scenario: the only thing that moves actors, nodes and
// the clock. It is not safe for concurrent use.
type World struct {
	scenario   Scenario
	now        Instant
	threads    []*thread
	processes  []*process
	servers    []*server
	cuts       []Link            // every message on them is lost
	leaders    map[string]string // the current leader of each group of nodes, as a sentinel tells
	writes     int               // number of the last write sent to replicas; the first is 1
	watches    []watch           // of keys, for transactions
	writers    []string          // actors whose requests nodes did in this step
	hangUps    []hangUp          // in this step, which nodes have not heard of
	mail       []Delivery
	wanted     []Holding
	standing   map[string]bool // breaches after the last step, by Violation.String: they are not reported again
	trace      Trace
	failed     error // of a step that broke off in its middle: every further Apply returns it
	bytes      int   // of the trace, roughly
	actorBytes int   // of actors and nodes at the last call of Scenario.Reserve
}

// NotEnabledError says that a choice may not happen now.
type NotEnabledError struct {
	Choice Choice
	Reason fact.Fact
}

func (e *NotEnabledError) Error() string { return e.Fact().Error() }

// Fact is what the error tells.
func (e *NotEnabledError) Fact() fact.Fact { return fact.Of("not-enabled", e.Choice, e.Reason) }

// NewWorld resets the scenario's nodes and lets every actor come to its first request.
func NewWorld(ctx context.Context, s Scenario) (*World, error) {
	if len(s.Actors) == 0 || len(s.Nodes) == 0 {
		return nil, errors.New("a scenario needs at least one actor and one node")
	}
	if s.Resolution <= 0 {
		return nil, errors.New("a scenario needs a resolution of its clock")
	}
	w := &World{scenario: s}
	for _, n := range s.Nodes {
		if err := n.Node.Reset(ctx); err != nil {
			return nil, fact.Of("node-not-reset", n.Name, err)
		}
		w.servers = append(w.servers, &server{machine: machine{name: n.Name}, node: n.Node, leader: n.ReplicaOf, min: n.Min})
	}
	if err := w.formGroups(); err != nil {
		return nil, err
	}
	w.hear()
	if err := w.give(ctx); err != nil {
		return nil, err
	}
	for _, a := range s.Actors {
		if w.process(a.Process) == nil {
			w.processes = append(w.processes, &process{machine: machine{name: a.Process}})
		}
		w.threads = append(w.threads, &thread{name: a.Name, process: a.Process, actor: a.New()})
	}
	var first Step
	for _, t := range slices.Clone(w.threads) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		w.settle(t, Outcome{}, &first)
	}
	w.join(&first)
	start := &first.After
	if err := w.snapshot(ctx, start); err != nil {
		return nil, err
	}
	w.describeNodes(start)
	start.Options = w.options()
	if err := w.addBytes(&first); err != nil {
		return nil, err
	}
	w.trace = Trace{Start: *start, Notes: first.Notes}
	if err := w.reserve(stepBytes); err != nil {
		return nil, err
	}
	return w, nil
}

// give runs each node's setup (Given) before the first step.
func (w *World) give(ctx context.Context) error {
	for _, n := range w.scenario.Nodes {
		for _, op := range n.Given {
			out, err := n.Node.Exec(ctx, op)
			if err != nil {
				return err
			}
			if out.Waits || out.Reply.IsError() {
				return fact.Of("not-given", n.Name, strings.Join(op.Args, " "), out.Reply.String())
			}
		}
	}
	return nil
}

// Trace is what has happened so far. It grows with every step.
func (w *World) Trace() *Trace { return &w.trace }

// Snapshot is the world now.
func (w *World) Snapshot() *Snapshot { return w.trace.At(len(w.trace.Steps)) }

// Enabled lists what may happen next, with a reason for each thing that may not.
func (w *World) Enabled() []Option { return w.Snapshot().Options }

// Apply makes one choice. A choice that cannot be made leaves the world as it was: the error is a
// *NotEnabledError or a fact (too many steps, a span finer than the clock, a run that has ended).
// Any other error (of a node, a rule, a size limit) comes from the middle of the step. The trace does not
// have that step, every further choice gets the same error, and the schedule must be replayed.
func (w *World) Apply(ctx context.Context, c Choice) (Step, error) {
	if w.failed != nil {
		return Step{}, w.failed
	}
	if err := ctx.Err(); err != nil {
		return Step{}, fact.Of("run-ended", context.Cause(ctx))
	}
	if len(w.trace.Steps) >= MaxChoices {
		return Step{}, fact.Of("too-many-steps", MaxChoices)
	}
	if r := w.reason(c); r.Code != "" {
		return Step{}, &NotEnabledError{Choice: c, Reason: r}
	}
	if c.Span%w.scenario.Resolution != 0 {
		return Step{}, OffClock(c.Span, w.scenario.Resolution)
	}
	step, err := w.perform(ctx, c)
	if err != nil {
		w.failed = err
		return Step{}, err
	}
	w.trace.Steps = append(w.trace.Steps, *step)
	return *step, nil
}

func (w *World) perform(ctx context.Context, c Choice) (*Step, error) {
	step := &Step{N: len(w.trace.Steps) + 1, Choice: c, From: w.now}
	if err := w.happen(ctx, c, step); err != nil {
		return nil, err
	}
	before := w.Snapshot()
	if err := w.observe(ctx, before, step); err != nil {
		return nil, err
	}
	step.After.Options = w.options()
	step.Replicas = moved(before, &step.After)
	if err := w.addBytes(step); err != nil {
		return nil, err
	}
	if err := w.judge(before, step); err != nil {
		return nil, err
	}
	return step, nil
}

// happen makes a choice and all that follows before the next one: wakes, joins and ends of connections.
func (w *World) happen(ctx context.Context, c Choice, step *Step) error {
	w.writers, w.hangUps = nil, nil
	var err error
	switch row := c.Kind.Row(); row.Of {
	case AnActor:
		err = w.run(ctx, w.thread(c.Target), step)
	case TheClock:
		err = w.tick(ctx, c.Span, step)
	default:
		if p := w.process(c.Target); p != nil && row.Of != ALink {
			step.Process = p.name
		}
		err = row.do(ctx, w, c, step)
	}
	if err != nil {
		return err
	}
	w.acknowledge(step)
	w.wake(step)
	w.join(step)
	w.reread(step)
	step.At = w.now
	return w.disconnect(ctx, step)
}

// observe fills in the step's snapshot and changes, and queues its writes for replicas.
func (w *World) observe(ctx context.Context, before *Snapshot, step *Step) error {
	w.hear()
	after := &step.After
	if err := w.snapshot(ctx, after); err != nil {
		return err
	}
	step.Changes = changes(step.Changes, before, after)
	if step.Choice.Kind != Resume { // a node that goes on has told of each request by itself
		w.notice(step.Changes)
	}
	if err := w.enqueue(ctx, step.Changes, step); err != nil {
		return err
	}
	w.describeNodes(after)
	return nil
}

// judge asks every invariant. A breach that stood before the step is not reported again.
func (w *World) judge(before *Snapshot, step *Step) error {
	var standing map[string]bool
	for _, inv := range w.scenario.Invariants {
		vs, err := inv.Check(before, step)
		if err != nil {
			return err
		}
		for _, v := range vs {
			if !w.standing[v.String()] && !standing[v.String()] {
				step.Broken = append(step.Broken, v)
			}
			if standing == nil {
				standing = map[string]bool{}
			}
			standing[v.String()] = true
		}
	}
	w.standing = standing
	return nil
}

// run lets an actor perform its pending request, or take the reply to it.
func (w *World) run(ctx context.Context, t *thread, step *Step) error {
	step.Process = t.process
	if t.sent != nil {
		step.Request, step.Taken = t.sent.request, true
		return w.takeReply(t, step)
	}
	req, receives := t.next.(Receive)
	if !receives {
		return w.send(ctx, t, step)
	}
	step.Request = req
	i := w.letter(t.process, req)
	step.Message = w.mail[i].Payload
	w.mail = slices.Delete(w.mail, i, i+1)
	w.settle(t, Outcome{Now: w.clockOf(t), Message: step.Message}, step)
	return nil
}

// clockOf is what a thread's process reads from its clock.
func (w *World) clockOf(t *thread) Instant { return w.now + w.process(t.process).clock }

// letter is the index in mail of the message that a Receive would take, or -1.
func (w *World) letter(process string, r Receive) int {
	return slices.IndexFunc(w.mail, func(d Delivery) bool {
		return d.Process == process && d.Node == r.Node && d.Channel == r.Channel
	})
}

func (w *World) thread(name string) *thread {
	for _, t := range w.threads {
		if t.name == name {
			return t
		}
	}
	return nil
}

// Replay runs a schedule from the start. When a choice fails, the world and the
// trace up to it are returned together with the error.
func Replay(ctx context.Context, s Scenario, choices []Choice) (*World, *Trace, error) {
	w, err := NewWorld(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	return w, w.Trace(), w.Play(ctx, choices)
}

// Play makes choices until one fails.
func (w *World) Play(ctx context.Context, choices []Choice) error {
	for _, c := range choices {
		if _, err := w.Apply(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
