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

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/node/redis/blocking"
	"lockstep/node/redis/cluster"
)

// Node is an engine.Node on a real server. Between steps it remembers each
// key's virtual deadline, and on the server every key has the safety TTL.
type Node struct {
	server *Server
	prefix string // of names on a shared server

	mu        sync.Mutex
	process   *private      // on a private server
	account   *account      // where a node has a user of its own
	options   redis.Options // to connect as the server's owner
	clients   clients
	ready     bool   // connected, and the server holds what keys and due say
	lost      *Error // why only Reset helps
	now       engine.Instant
	keys      map[string]storedKey // by name on the server
	due       []string             // names on the server to delete in the next step
	scripts   map[string]string    // that this session has run, by their SHA-1
	listeners map[string]*listener // by process
	waiters   blocking.Waiters
	member    cluster.Member
}

// storedKey is one key as the last step left it.
type storedKey struct {
	key  engine.Key
	dump string // the server's own form; empty: Copy asks for it
	// The value has a name in it, with the node's prefix.
	named bool
}

var (
	_ engine.Node     = (*Node)(nil)
	_ engine.Channels = (*Node)(nil)
	_ engine.Crasher  = (*Node)(nil)
)

// safetyTTL is what every key has on the server between steps, so that a
// killed playground leaves nothing behind for longer.
const safetyTTL = time.Hour

// Join makes the node a member of a cluster, or of none: what other members have, the
// server is not asked for.
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

// AdvanceTo implements engine.Node. Nothing is sent: keys that are due leave the
// server in the next step.
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

// View implements engine.Node. It shows what the last step read.
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

// Reset implements engine.Node. It deletes this session's keys only, and is
// what brings a node back after an Error with NeedsReset.
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
	n.clients.steps.recheck() // the server may have been started anew since the last step
	if err := n.connect(ctx); err != nil {
		n.lost = err
		return err
	}
	var problem *Error
	switch {
	case n.process != nil:
		problem = n.wipe(ctx)
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

// names are all names on the server that the node knows of.
func (n *Node) names() []string {
	names := slices.AppendSeq(slices.Clone(n.due), maps.Keys(n.keys))
	slices.Sort(names)
	return slices.Compact(names)
}

//go:embed sweep.lua
var sweepScript string

// wipe makes a private server as good as new, its interpreter of scripts included:
// cjson, for one, remembers what a script has told it.
func (n *Node) wipe(ctx context.Context) *Error {
	return n.asOwner(ctx, [][]any{{"FLUSHALL", "SYNC"}, {"SCRIPT", "FLUSH", "SYNC"}})
}

// asOwner runs commands whose replies matter only if they are errors.
func (n *Node) asOwner(ctx context.Context, commands [][]any) *Error {
	replies, err := sendAll(ctx, n.clients.owner, commands)
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

// sweep deletes all keys of the session, those that nobody remembers included, as the
// session's own user. The server does it by itself: a script may have made names of
// any number and length.
func (n *Node) sweep(ctx context.Context) *Error {
	return n.execOK(ctx, "EVAL", sweepScript, 0, n.pattern())
}

// remove deletes keys, as the session's own user.
func (n *Node) remove(ctx context.Context, names []string) *Error {
	for chunk := range slices.Chunk(names, 1000) {
		args := []any{"DEL"}
		for _, name := range chunk {
			args = append(args, name)
		}
		if err := n.execOK(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// execOK runs a command between steps whose reply matters only if it is an error.
func (n *Node) execOK(ctx context.Context, args ...any) *Error {
	_, problem := n.server.onlyReply(n.clients.steps.transact(ctx, [][]any{args}))
	return problem
}

// usable makes the node ready for a step, or says why it cannot be.
func (n *Node) usable(ctx context.Context) error {
	if n.lost != nil {
		return n.lost
	}
	if n.ready && n.process != nil && n.process.Ended() {
		return n.markLost(n.ended())
	}
	if n.ready && n.clients.steps.open() {
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

// markLost notes that the node no longer knows what the server holds.
func (n *Node) markLost(e *Error) *Error {
	n.closeSteps() // what else comes there may belong to what is given up
	e.NeedsReset = true
	n.lost = e
	return e
}

// Close removes the session's keys, its connections, and its private server.
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

// leave removes from a shared server what the node has there.
func (n *Node) leave(ctx context.Context) error {
	var errs []error
	if err := n.removeKeys(ctx); err != nil {
		errs = append(errs, err)
	}
	n.closeSteps()
	if n.account != nil {
		if err := n.server.closeAccount(ctx, n.clients.control, n.account); err != nil {
			errs = append(errs, err)
		}
		n.account = nil
	}
	return errors.Join(errs...)
}

func (n *Node) removeKeys(ctx context.Context) *Error {
	if !n.ready {
		return nil
	}
	if !n.clients.steps.open() {
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
