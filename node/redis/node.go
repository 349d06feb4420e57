package redis

import (
	"context"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/node/redis/blocking"
	"lockstep/node/redis/cluster"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/portable"
)

// Node is an embedded Redis server for one goroutine at a time. Forks may run on other goroutines: they
// share only the compiled programs, behind a mutex.
type Node struct {
	keys     *keyspace.Keyspace
	programs *programs // shared by all forks
	loaded   loaded    // the scripts of EVALSHA
	random   luaexec.Random
	waiters  blocking.Waiters
	member   cluster.Member
	budget   int64 // of a script, in instructions
	guard    func() error

	version   string                                  // of a newer server that it is; empty: it answers as Redis 7.0
	asking    bool                                    // what Exec does came with ASKING
	lesson    bool                                    // Exec runs: commands that lessons may not use are denied to scripts
	databases func(db int) (*keyspace.Keyspace, bool) // nil: keys is the only database
	running   *runner                                 // nil while no script runs
}

var (
	_ engine.Forker   = (*Node)(nil)
	_ engine.Channels = (*Node)(nil)
	_ engine.Copier   = (*Node)(nil)
	_ engine.Queuer   = (*Node)(nil)
)

// NewNode is an empty server at instant 0.
func NewNode() *Node {
	return &Node{
		keys: keyspace.New(), programs: newPrograms(), random: luaexec.NewRandom(),
		budget: luaexec.DefaultBudget,
	}
}

// SetBudget limits the instructions of each script, in place of luaexec.DefaultBudget. A guard, if not
// nil, is called from time to time while a script runs, and its error ends the script.
func (n *Node) SetBudget(instructions int64, guard func() error) {
	n.budget, n.guard = instructions, guard
}

// Exec runs a command or a script of a lesson. Ops that servers would answer differently, or that belong
// to another member of the cluster, are refused in the reply. The error is always nil.
func (n *Node) Exec(_ context.Context, op engine.Op) (engine.Result, error) {
	n.lesson, n.asking = true, op.Asking
	defer func() { n.lesson, n.asking = false, false }()
	do := func(args []string) (reply.Reply, error) { return n.Do(args), nil }
	res := n.perform(op, do)
	if !res.Waits && !op.More {
		res.Answered, _ = n.waiters.Serve(do)
	}
	res.Delivered = n.takeDelivered()
	return res, nil
}

// perform does an op, and answers nobody else.
func (n *Node) perform(op engine.Op, do blocking.Do) (res engine.Result) {
	if r, ok := portable.Refuse(op, n); ok {
		return engine.Result{Reply: r}
	}
	if r, ok := n.member.Refuse(op, n.has); ok {
		return engine.Result{Reply: r}
	}
	if c, ok := blocking.Command(op); ok {
		res, _ = n.waiters.Exec(c, op, n.keys.Now(), do)
		return res
	}
	args := op.Args
	if op.ReadOnly {
		args = portable.ReadOnly(args)
	}
	reads, rests := n.keys.ClockReads(), n.keys.RestReads()
	newer := n.newer(args)
	switch {
	case op.Script != nil:
		res.Reply = n.eval(op.Script.Source, invocation{keys: op.Keys, args: op.Args, readOnly: op.ReadOnly, written: op.Script.Written})
	case newer != nil && op.ReadOnly:
		res.Reply = portable.TakesNone(op)
	case newer != nil:
		res.Reply = newer(n, args)
	default:
		res.Reply = portable.Ordered(args, n.Do(args))
	}
	if op.ReadOnly {
		res.Reply = portable.AsReplica(op, n, res.Reply)
	}
	res.Dated, res.Rests = n.keys.ClockReads() != reads, n.keys.RestReads() != rests
	return res
}

// Abort implements engine.Queuer.
func (n *Node) Abort(_ context.Context, ops []engine.Op) (r reply.Reply, ok bool, err error) {
	r, ok = n.member.Abort(ops, n.has, func(op engine.Op) bool {
		return portable.Queues(op, n) || n.newer(op.Args) != nil && !op.ReadOnly
	})
	return r, ok, nil
}

// RefuseWatch implements engine.Queuer.
func (n *Node) RefuseWatch(from engine.Client, keys []string) (r reply.Reply, ok bool) {
	return n.member.RefuseWatch(from, keys, n.has)
}

func (n *Node) has(key string) bool { return n.keys.Do([]string{"EXISTS", key}).Int > 0 }

// Join makes the node a member of a cluster, or of none.
func (n *Node) Join(m cluster.Member) { n.member = m }

// Source implements portable.Server.
func (n *Node) Source(sha string) (string, bool) {
	p := n.programs.withSHA(sha)
	if p == nil || !n.loaded.has(p) {
		return "", false
	}
	return p.Source, true
}

// Hashes implements portable.Server.
func (n *Node) Hashes() []engine.Key {
	var hashes []engine.Key
	for k := range n.keys.Keys() {
		if k.Type == engine.HashKey {
			hashes = append(hashes, k)
		}
	}
	return hashes
}

func (n *Node) takeDelivered() []engine.Delivery {
	deliveries := n.keys.TakeDeliveries()
	if len(deliveries) == 0 {
		return nil
	}
	out := make([]engine.Delivery, len(deliveries))
	for i, d := range deliveries {
		out[i] = engine.Delivery{Process: d.Subscriber, Channel: d.Channel, Payload: d.Payload}
	}
	return out
}

// Subscribe makes a process listen to a channel.
func (n *Node) Subscribe(_ context.Context, process, channel string) error {
	n.keys.Subscribe(keyspace.ToChannel, process, channel)
	return nil
}

// Unsubscribe ends a subscription of a process.
func (n *Node) Unsubscribe(_ context.Context, process, channel string) error {
	n.keys.Unsubscribe(keyspace.ToChannel, process, channel)
	return nil
}

// Fault ends the subscriptions and the waits of a process that crashed. Redis hears of
// no other fault.
func (n *Node) Fault(_ context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	if kind == engine.Crash {
		n.keys.Disconnect(process)
		n.waiters.Forget(process)
	}
	return engine.Effects{}, nil
}

// AdvanceTo moves the clock, forward or back. Its effects are the keys that expired and the waits that ended.
func (n *Node) AdvanceTo(_ context.Context, now engine.Instant) (engine.Effects, error) {
	if now < n.keys.Now() {
		n.keys.TurnBack(now)
	}
	return engine.Effects{Expired: n.keys.AdvanceTo(now), Answered: n.waiters.Advance(now)}, nil
}

// NextDue is the earliest deadline of any key or wait.
func (n *Node) NextDue() (engine.Instant, bool) {
	expiry, expires := n.keys.NextExpiry()
	end, ends := n.waiters.Due()
	return blocking.Earlier(expiry, expires, end, ends)
}

// Copy is all keys with their deadlines.
func (n *Node) Copy(context.Context) (engine.Data, error) { return n.keys.Fork(), nil }

// Load replaces all keys by those of a copy.
func (n *Node) Load(_ context.Context, data engine.Data) error {
	n.keys.Load(data.(*keyspace.Keyspace))
	return nil
}

// Follow answers all waiting requests with Redis's error for a new replica.
func (n *Node) Follow(context.Context) (engine.Effects, error) {
	return engine.Effects{Answered: n.waiters.End()}, nil
}

// View is the keys, subscriptions and waits of the node, in canonical order.
func (n *Node) View(context.Context) (engine.NodeView, error) {
	keys := slices.AppendSeq(make([]engine.Key, 0, n.keys.Len()), n.keys.Keys())
	return engine.NodeView{Keys: keys, Subscriptions: n.keys.Subscriptions(keyspace.ToChannel), Waits: n.waiters.View()}, nil
}

// Bytes is about how many bytes the node takes: its keys and its compiled scripts.
func (n *Node) Bytes() int { return int(n.keys.Used()) + n.programs.held() }

// Reset makes the node as new. It keeps the budget, the guard, the version and the place in a cluster, and compiled
// scripts unless they are many.
func (n *Node) Reset(context.Context) error {
	programs := n.programs
	if programs.held() > maxPrograms {
		programs = newPrograms()
	}
	*n = Node{
		keys: keyspace.New(), programs: programs, random: luaexec.NewRandom(),
		budget: n.budget, guard: n.guard, member: n.member, version: n.version,
	}
	return nil
}

// Fork is a copy, with no other databases. A change of either leaves the other as it is.
func (n *Node) Fork() engine.Node {
	out := *n
	out.keys, out.databases, out.running = n.keys.Fork(), nil, nil
	return &out
}

// Shift moves the clock, and with it every deadline and every wait.
func (n *Node) Shift(by time.Duration) {
	n.keys.Shift(by)
	n.waiters.Shift(by)
}

// Digest is a hash of all that a client could ever notice: clock, keys, deadlines, subscriptions,
// waits, loaded scripts and the state of math.random.
func (n *Node) Digest() uint64 {
	const prime = 0x9E3779B97F4A7C15
	d := n.keys.Digest()
	d = (d ^ n.loaded.sum) * prime
	d = (d ^ n.random.State()) * prime
	d = (d ^ n.waiters.Digest()) * prime
	return d ^ d>>32
}
