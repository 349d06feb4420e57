// Package beside is a node on a real server of its own with an embedded one beside it. The one
// beside moves by the virtual clock, refuses what is not in the subset and shows what a server
// does not tell; whatever both can tell must be equal.
package beside

import (
	"context"
	"errors"
	"sync"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/node/process"
)

// Node is what the nodes on real servers of all kinds have in common. Its server starts when it
// is used first. After an Error every call fails, until Reset; after Close for good.
type Node[E engine.Node] struct {
	Beside  E
	Process *process.Process // nil: none was started yet
	Changed bool             // the server may hold something else than when that was compared

	hooks  Hooks[E]
	owner  *Owner
	moves  []move // since the server was empty, when they may have to be made again
	mu     sync.Mutex
	lost   *Error // why only Reset helps
	closed bool
}

// Hooks are what a kind does with its server. The node is locked meanwhile.
type Hooks[E engine.Node] struct {
	New    func() E                                              // makes the embedded node
	Begin  func(context.Context) error                           // with a process that has just started
	Clear  func(context.Context) error                           // makes the server as good as new
	HangUp func()                                                // ends all lines to a server that has ended
	Follow func(context.Context, engine.Effects) error           // has the server do what the one beside did by itself
	Same   func(ctx context.Context, view engine.NodeView) error // compares what the server holds with a view of the one beside

	// Tries is how often moves are made when the server does otherwise: in one that runs what it
	// is sent side by side, races end as they like.
	Tries int
}

// move is one call of the node.
type move = func(context.Context) (engine.Result, error)

// New is a node without a server.
func New[E engine.Node](o *Owner, h Hooks[E]) *Node[E] {
	return &Node[E]{Beside: h.New(), owner: o, hooks: h}
}

// Move does what changes the server.
func (n *Node[E]) Move(ctx context.Context, m move) (res engine.Result, err error) {
	err = n.do(ctx, func() error {
		if res, err = m(ctx); err == nil && n.hooks.Tries > 1 {
			n.moves = append(n.moves, m)
		}
		return err
	})
	return res, err
}

// Between does what the server is not asked for.
func (n *Node[E]) Between(ctx context.Context, do func(context.Context) (engine.Effects, error)) (engine.Effects, error) {
	res, err := n.Move(ctx, func(ctx context.Context) (engine.Result, error) {
		want, err := do(ctx)
		if err == nil {
			err = n.hooks.Follow(ctx, want)
		}
		return engine.Result{Effects: want}, err
	})
	return res.Effects, err
}

// Fault implements engine.Node.
func (n *Node[E]) Fault(ctx context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	return n.Between(ctx, func(ctx context.Context) (engine.Effects, error) { return n.Beside.Fault(ctx, process, kind) })
}

// NextDue implements engine.Node.
func (n *Node[E]) NextDue() (engine.Instant, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.Beside.NextDue()
}

// View implements engine.Node.
func (n *Node[E]) View(ctx context.Context) (v engine.NodeView, err error) {
	err = n.do(ctx, func() error {
		if v, err = n.Beside.View(ctx); err == nil && n.Changed {
			err = n.hooks.Same(ctx, v)
			n.Changed = err != nil
		}
		return err
	})
	return v, err
}

// Reset implements engine.Node. After an Error it is what brings the node back, unless it was closed.
func (n *Node[E]) Reset(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return n.owner.problem(fact.Of("node-closed"))
	}
	return n.reset(ctx)
}

func (n *Node[E]) reset(ctx context.Context) error {
	n.lost, n.moves = nil, nil
	return n.failed(ctx, n.empty(ctx))
}

// Close ends the node's server, for good.
func (n *Node[E]) Close(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.end()
	n.closed = true
	return nil
}

// do asks something of the server, if it can be asked. Where the server did otherwise than the one
// beside, all is made again from the start. Where it fails the node no longer knows what the server holds.
func (n *Node[E]) do(ctx context.Context, ask func() error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return err
	}
	err := ask()
	for try := 1; try < n.hooks.Tries && differs(err); try++ {
		if err = n.again(ctx); err == nil {
			err = ask()
		}
	}
	return n.failed(ctx, err)
}

// again makes all moves from the start.
func (n *Node[E]) again(ctx context.Context) error {
	err := n.empty(ctx)
	for _, m := range n.moves {
		if err == nil {
			_, err = m(ctx)
		}
	}
	return err
}

func (n *Node[E]) usable(ctx context.Context) error {
	switch {
	case n.closed:
		return n.owner.problem(fact.Of("node-closed"))
	case n.lost != nil:
		return n.lost
	case n.Process == nil:
		return n.reset(ctx)
	case n.Process.Ended():
		return n.failed(ctx, n.owner.problem(fact.Of("server-ended", n.owner.Name, n.Process.State())))
	}
	return ctx.Err() // before anything is sent, so nothing is lost
}

func (n *Node[E]) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	problem, ok := errors.AsType[*Error](err)
	if !ok {
		problem = n.owner.problem(trouble(ctx, n.Process, n.owner.Name, err))
	}
	n.lost = problem
	n.end()
	return problem
}

// empty makes the server as good as new, or starts another one when there is none.
func (n *Node[E]) empty(ctx context.Context) error {
	if n.Process != nil && n.Process.Ended() {
		n.end()
	}
	n.Beside, n.Changed = n.hooks.New(), true
	if n.Process != nil {
		return n.hooks.Clear(ctx)
	}
	p, problem := n.owner.start(ctx)
	if problem != nil {
		return problem
	}
	n.Process = p
	return n.hooks.Begin(ctx)
}

func (n *Node[E]) end() {
	if n.Process == nil {
		return
	}
	n.owner.pool.End(n.Process)
	n.hooks.HangUp()
	n.Process = nil
}
