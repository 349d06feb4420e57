package process

import (
	"context"
	"errors"
	"sync"

	"lockstep/engine/fact"
)

// Tenancy is what a node has of the server that is its own: a process that starts when it is used first, until Close.
type Tenancy struct {
	sync.Mutex          // held by whoever looks at the node
	Process    *Process // nil: none was started yet
	Hooks      Hooks

	owner  *Owner
	lost   *Error // why only Reset helps
	closed bool
}

// Hooks are what a node does with its server. The Tenancy is locked meanwhile.
type Hooks struct {
	Begin  func(context.Context) error // with a process that has just started
	Clear  func(context.Context) error // makes the server as good as new
	HangUp func()                      // ends all lines to a server that has ended
}

// NewTenancy is one without a process.
func NewTenancy(o *Owner, h Hooks) *Tenancy { return &Tenancy{owner: o, Hooks: h} }

// Reset makes the server as good as new. After an Error it is what brings the node back, unless it was closed.
func (t *Tenancy) Reset(ctx context.Context) error {
	t.Lock()
	defer t.Unlock()
	if t.closed {
		return t.owner.Problem(fact.Of("node-closed"))
	}
	return t.reset(ctx)
}

func (t *Tenancy) reset(ctx context.Context) error {
	t.lost = nil
	return t.failed(ctx, t.Empty(ctx))
}

// Do asks something of the server, if it can be asked. Where that fails the node no longer knows what the server holds.
func (t *Tenancy) Do(ctx context.Context, ask func() error) error {
	t.Lock()
	defer t.Unlock()
	if err := t.usable(ctx); err != nil {
		return err
	}
	return t.failed(ctx, ask())
}

func (t *Tenancy) usable(ctx context.Context) error {
	switch {
	case t.closed:
		return t.owner.Problem(fact.Of("node-closed"))
	case t.lost != nil:
		return t.lost
	case t.Process == nil:
		return t.reset(ctx)
	case t.Process.Ended():
		return t.failed(ctx, t.owner.Problem(fact.Of("server-ended", t.owner.Name, t.Process.State())))
	}
	return ctx.Err() // before anything is sent, so nothing is lost
}

func (t *Tenancy) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	problem, ok := errors.AsType[*Error](err)
	if !ok {
		problem = t.owner.Problem(Trouble(ctx, t.Process, t.owner.Name, err))
	}
	t.lost = problem
	t.end()
	return problem
}

// Empty makes the server as good as new, or starts another one when there is none.
func (t *Tenancy) Empty(ctx context.Context) error {
	if t.Process != nil && t.Process.Ended() {
		t.end()
	}
	if t.Process != nil {
		return t.Hooks.Clear(ctx)
	}
	p, problem := t.owner.Start(ctx)
	if problem != nil {
		return problem
	}
	t.Process = p
	return t.Hooks.Begin(ctx)
}

// end ends the process.
func (t *Tenancy) end() {
	if t.Process == nil {
		return
	}
	t.owner.Pool.End(t.Process)
	t.Hooks.HangUp()
	t.Process = nil
}

// Close ends the process, for good.
func (t *Tenancy) Close(context.Context) error {
	t.Lock()
	defer t.Unlock()
	t.end()
	t.closed = true
	return nil
}
