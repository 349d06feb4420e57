package real

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/node/redis/blocking"
	"lockstep/node/redis/cluster"
)

// Node is an engine.Node on a real server. Invariant: between steps it keeps each key's
// virtual deadline, and on the server every key has the safety TTL.
type Node struct {
	server *Server
	prefix string // of all names; empty on a private server

	mu        sync.Mutex
	process   *private // nil on a shared server
	owner              // of the server that it is on
	steps     *wire    // the connection for steps
	confined  bool     // its steps run as a user of its own
	ready     bool     // connected, and the server holds exactly keys and due
	lost      *Error   // only Reset helps, and every other act fails with this; nil: nothing is lost
	now       engine.Instant
	keys      map[string]storedKey // by name on the server
	due       []string             // expired names, still on the server until the next step
	scripts   map[string]string    // sources that this session has loaded, by SHA-1
	listeners map[string]*listener // by process
	waiters   blocking.Waiters
	member    cluster.Member
}

// storedKey is one key as the last step left it.
type storedKey struct {
	key  engine.Key
	dump string // of DUMP; empty: Copy asks for it
	// The value holds the prefix, and so cannot be loaded under another one.
	named bool
}

var (
	_ engine.Node     = (*Node)(nil)
	_ engine.Channels = (*Node)(nil)
	_ engine.Crasher  = (*Node)(nil)
	_ engine.Queuer   = (*Node)(nil)
)

// safetyTTL is the TTL of every key on the server between steps: a killed playground leaves
// nothing behind for longer.
const safetyTTL = time.Hour

// Join makes the node a member of a cluster, or of none. The server is not asked for other members' keys.
func (n *Node) Join(m cluster.Member) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.member = m
}

func (n *Node) forget() {
	n.now, n.due = 0, nil
	n.keys = map[string]storedKey{}
	n.scripts = map[string]string{}
	n.listeners = map[string]*listener{}
	n.waiters = blocking.Waiters{}
}

// AdvanceTo implements engine.Node. It sends nothing: due keys leave the server in the next step.
func (n *Node) AdvanceTo(_ context.Context, now engine.Instant) (engine.Effects, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost != nil {
		return engine.Effects{}, n.lost
	}
	n.now = now
	var gone []engine.Expiry
	for name, h := range n.keys {
		if h.key.Deadline != engine.NoDeadline && h.key.Deadline <= n.now {
			gone = append(gone, engine.Expiry{Key: h.key.Name, At: h.key.Deadline})
			n.due = append(n.due, name)
			delete(n.keys, name)
		}
	}
	slices.Sort(n.due)
	slices.SortFunc(gone, func(a, b engine.Expiry) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Key, b.Key))
	})
	return engine.Effects{Expired: gone, Answered: n.waiters.Advance(now)}, nil
}

// NextDue implements engine.Node.
func (n *Node) NextDue() (engine.Instant, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	next := engine.NoDeadline
	for _, h := range n.keys {
		if d := h.key.Deadline; d != engine.NoDeadline && (next == engine.NoDeadline || d < next) {
			next = d
		}
	}
	end, ends := n.waiters.Due()
	return blocking.Earlier(next, next != engine.NoDeadline, end, ends)
}

// View implements engine.Node, from memory: it asks the server nothing.
func (n *Node) View(context.Context) (engine.NodeView, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost != nil {
		return engine.NodeView{}, n.lost
	}
	var view engine.NodeView
	for _, h := range n.keys {
		view.Keys = append(view.Keys, h.key)
	}
	slices.SortFunc(view.Keys, func(a, b engine.Key) int { return cmp.Compare(a.Name, b.Name) })
	for process, l := range n.listeners {
		for channel := range l.channels {
			view.Subscriptions = append(view.Subscriptions, engine.Subscription{Channel: channel, Process: process})
		}
	}
	slices.SortFunc(view.Subscriptions, func(a, b engine.Subscription) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Process, b.Process))
	})
	view.Waits = n.waiters.View()
	return view, nil
}

// Reset implements engine.Node. On a shared server it deletes only this session's keys. It makes a
// node usable again after an Error with NeedsReset.
func (n *Node) Reset(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.reset(ctx)
}

func (n *Node) reset(ctx context.Context) error {
	for _, l := range n.listeners {
		// A server that is gone has no subscriptions left.
		_ = l.end(ctx)
	}
	known := n.ready && n.lost == nil
	names := n.names()
	n.forget()
	n.ready = false
	n.steps.recheck() // the server may have restarted since the last step
	if err := n.connect(ctx); err != nil {
		n.lost = err
		return err
	}
	var problem *Error
	switch {
	case n.process != nil:
		// As new, the Lua interpreter included: cjson, for one, keeps the settings of scripts.
		problem = n.asOwner(ctx, [][]string{{"FLUSHALL", "SYNC"}, {"SCRIPT", "FLUSH", "SYNC"}})
	case known:
		problem = n.remove(ctx, names)
	default:
		problem = n.sweep(ctx)
	}
	if problem != nil {
		return n.markLost(problem)
	}
	n.ready, n.lost = true, nil
	return nil
}

// names are the known names on the server: of keys and of due ones.
func (n *Node) names() []string {
	names := slices.AppendSeq(slices.Clone(n.due), maps.Keys(n.keys))
	slices.Sort(names)
	return slices.Compact(names)
}

//go:embed sweep.lua
var sweepScript string

// asOwner runs commands as the user whom the server was reached with, who may do what the session's own user
// may not. Only errors among their replies matter.
func (n *Node) asOwner(ctx context.Context, commands [][]string) *Error {
	replies, err := sendAll(ctx, n.data, commands)
	if err != nil {
		return n.connectionError(err)
	}
	for _, r := range replies {
		if r.IsError() {
			return n.server.unexpected(r.Str)
		}
	}
	return nil
}

// sweep deletes all keys of the session, unknown ones too, as the session's own user. A script on
// the server does it, because a lesson may have made names of any number and length.
func (n *Node) sweep(ctx context.Context) *Error {
	return n.execOK(ctx, "EVAL", sweepScript, "0", n.pattern())
}

// remove deletes keys, as the session's own user.
func (n *Node) remove(ctx context.Context, names []string) *Error {
	for chunk := range slices.Chunk(names, 1000) {
		if err := n.execOK(ctx, append([]string{"DEL"}, chunk...)...); err != nil {
			return err
		}
	}
	return nil
}

// execOK runs a command as the session's own user, who reaches no names but its own. Its reply matters
// only if it is an error.
func (n *Node) execOK(ctx context.Context, args ...string) *Error {
	_, problem := n.server.onlyReply(n.steps.transact(ctx, [][]string{args}))
	return problem
}

// usable makes the node ready for a step: it connects again, or resets a node that never was ready.
func (n *Node) usable(ctx context.Context) error {
	if n.lost != nil {
		return n.lost
	}
	if n.ready && n.process != nil && n.process.Ended() {
		return n.markLost(n.server.problem(fact.Of("server-ended", n.server.Version(), n.process.State())))
	}
	if n.ready && n.steps.open() {
		return nil
	}
	if n.ready {
		if err := n.dial(ctx); err != nil {
			return n.markLost(err)
		}
		return nil
	}
	at := n.now
	if err := n.reset(ctx); err != nil {
		return err
	}
	n.now = at
	return nil
}

// markLost marks the server's content as unknown: only Reset helps from then on.
func (n *Node) markLost(e *Error) *Error {
	n.closeSteps() // replies to the broken step may still arrive there
	e.NeedsReset = true
	n.lost = e
	return e
}

// Close removes the session's keys and connections, or its private server. The node is of no use then.
func (n *Node) Close(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer func() {
		n.forget()
		n.ready = false
		n.lost = n.server.problem(fact.Of("node-closed"))
	}()
	for _, l := range n.listeners {
		_ = l.end(ctx)
	}
	if n.process != nil {
		n.dropProcess()
		return nil
	}
	return n.leave(ctx)
}

// leave removes the node's keys and user from a shared server.
func (n *Node) leave(ctx context.Context) error {
	var errs []error
	if err := n.removeKeys(ctx); err != nil {
		errs = append(errs, err)
	}
	n.closeSteps()
	if n.confined {
		if err := n.closeAccount(ctx); err != nil {
			errs = append(errs, err)
		}
		n.confined = false
	}
	return errors.Join(errs...)
}

func (n *Node) removeKeys(ctx context.Context) *Error {
	if !n.ready {
		return nil
	}
	if !n.steps.open() {
		if err := n.dial(ctx); err != nil {
			return err
		}
	}
	if n.lost != nil {
		return n.sweep(ctx)
	}
	return n.remove(ctx, n.names())
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
