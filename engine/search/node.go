package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
)

type store interface {
	engine.Forker
	engine.Channels
	engine.Copier
	engine.Queuer
}

// nodeMemo is all that a search has learned about a node. Invariant: the clock of every moment shows 0.
// So moments that differ only in the time of day are one: a node's acts depend on spans alone, unless
// their result is Dated.
type nodeMemo struct {
	name    string
	ages    bool // no fault sets a clock back: expired keys may leave data that can be loaded
	moments []*nodeMoment
	numbers map[uint64][]uint32 // of moments, by digest. Moments with equal digests have different views, or something else is due: a key that has ended can still be there, which no view shows
	scripts map[*engine.Script]int
	clocks  map[string]bool // actors that have got a Dated result here
	rests   bool            // somebody has got a result here that Rests
}

type nodeMoment struct {
	node  engine.Forker // immutable: acts happen on a fork
	view  engine.NodeView
	due   engine.Instant   // meaningful if waits
	waits bool             // something is due
	ends  []engine.Instant // of keys, waits and sessions
	copy  int              // 1 + the moment of a blank node after loading this one's data; 0: not known yet
	moves map[string]*nodeMove
	spans map[engine.Instant]*nodeMove // results of AdvanceTo
}

// nodeMove is the result of a node's act and the moment after it.
type nodeMove struct {
	to     uint32
	result engine.Result
}

func newNodeMemo(ctx context.Context, name string, n engine.Node, ages bool) (*nodeMemo, error) {
	node, ok := n.(engine.Forker)
	if !ok {
		return nil, fmt.Errorf("node %s cannot be searched: it cannot be copied, as only those in memory can", name)
	}
	m := &nodeMemo{name: name, ages: ages, numbers: map[uint64][]uint32{}, scripts: map[*engine.Script]int{}, clocks: map[string]bool{}}
	fresh := node.Fork().(engine.Forker)
	mustNot(fresh.Reset(ctx))
	m.reach(ctx, fresh)
	return m, nil
}

// sure is what a method of a Forker returns, which has no error.
func sure[T any](result T, err error) T {
	mustNot(err)
	return result
}

func mustNot(err error) {
	if err != nil {
		panic("search: a node in memory has an error: " + err.Error())
	}
}

// reach finds or makes the number of a node's moment. The node's clock must show 0, and the node belongs
// to the memo from then on.
func (m *nodeMemo) reach(ctx context.Context, node engine.Forker) uint32 {
	view := sure(node.View(ctx))
	digest := node.Digest()
	due, waits := node.NextDue()
	for _, n := range m.numbers[digest] {
		if of := m.moments[n]; of.waits == waits && of.due == due && of.view.Equal(&view) {
			return n
		}
	}
	n := uint32(len(m.moments))
	m.numbers[digest] = append(m.numbers[digest], n)
	m.moments = append(m.moments, &nodeMoment{
		node: node, view: view, due: due, waits: waits, ends: endsOf(ctx, node, &view),
		moves: map[string]*nodeMove{}, spans: map[engine.Instant]*nodeMove{},
	})
	return n
}

// learn performs an act on a fork of a moment's node. passed is the time that the act moves its clock by.
func (m *nodeMemo) learn(ctx context.Context, from uint32, passed time.Duration, do func(engine.Forker) (engine.Result, error)) *nodeMove {
	node := m.moments[from].node.Fork().(engine.Forker)
	result := sure(do(node))
	m.rests = m.rests || result.Rests
	node.Shift(-passed)
	return &nodeMove{m.reach(ctx, node), result}
}

// memoNode takes the place of a node in the world of a search.
type memoNode struct {
	memo *nodeMemo
	at   uint32         // its moment
	now  engine.Instant // shown by its clock
}

// memoStore is the memoNode of a store.
type memoStore struct{ *memoNode }

// memoConnected is the memoNode of a node that keeps a connection for each actor.
type memoConnected struct{ *memoNode }

// asNode is the node with the optional interfaces of the one that it replaces, and no others: the world
// asks by type.
func (n *memoNode) asNode() engine.Node {
	switch n.moment().node.(type) {
	case store:
		return memoStore{n}
	case engine.Connected:
		return memoConnected{n}
	}
	return n
}

func (n *memoNode) moment() *nodeMoment { return n.memo.moments[n.at] }

// lag is the distance of the node's clock behind the world's clock plus the node's offset. i is the
// node's index in the snapshot.
func (n *memoNode) lag(after *engine.Snapshot, i int) engine.Instant {
	return after.Now + after.Nodes[i].Clock - n.now
}

func (n *memoNode) do(ctx context.Context, key []byte, do func(engine.Forker) (engine.Result, error)) *nodeMove {
	from := n.moment()
	move, known := from.moves[string(key)]
	if !known {
		move = n.memo.learn(ctx, n.at, 0, do)
		from.moves[string(key)] = move
	}
	n.at = move.to
	return move
}

// effects is do for an act without a reply.
func (n *memoNode) effects(ctx context.Context, key string, do func(engine.Forker) (engine.Effects, error)) (engine.Effects, error) {
	move := n.do(ctx, []byte(key), func(node engine.Forker) (engine.Result, error) {
		effects, err := do(node)
		return engine.Result{Effects: effects}, err
	})
	return move.result.Effects, nil
}

func (n *memoNode) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	var buffer [256]byte
	key, from := n.memo.opKey(buffer[:0], op), n.at
	move := n.do(ctx, key, func(node engine.Forker) (engine.Result, error) { return node.Exec(ctx, op) })
	if move.result.Dated {
		n.memo.clocks[op.From.Actor], n.at = true, from
		move = n.do(ctx, binary.AppendVarint(append(key, 'n'), int64(n.now)), func(node engine.Forker) (engine.Result, error) {
			node.Shift(n.now)
			defer node.Shift(-n.now)
			return node.Exec(ctx, op)
		})
	}
	return move.result, nil
}

func (n *memoNode) Deadlines() []engine.Instant { return n.moment().deadlines(n.now) }

// deadlines are the ends of keys, waits and sessions when the node's clock shows now.
func (m *nodeMoment) deadlines(now engine.Instant) []engine.Instant {
	all := slices.Clone(m.ends)
	for i := range all {
		all[i] += now
	}
	return all
}

// endsOf are the ends that a view shows, and those that come of them: whose statement has waited for too long keeps a
// connection, which ends when it stays idle.
func endsOf(ctx context.Context, node engine.Forker, v *engine.NodeView) []engine.Instant {
	ends := shownEnds(v)
	if _, connected := node.(engine.Connected); !connected || len(v.Waits) == 0 {
		return ends
	}
	later := node.Fork()
	for at, due := later.NextDue(); due; at, due = later.NextDue() {
		sure(later.AdvanceTo(ctx, at))
		next := sure(later.View(ctx))
		ends = append(ends, shownEnds(&next)...)
	}
	slices.Sort(ends)
	return slices.Compact(ends)
}

func shownEnds(v *engine.NodeView) (ends []engine.Instant) {
	add := func(at engine.Instant) {
		if at != engine.NoDeadline {
			ends = append(ends, at)
		}
	}
	for i := range v.Keys {
		add(v.Keys[i].Deadline)
	}
	for _, w := range v.Waits {
		add(w.Until)
	}
	for _, s := range v.Sessions {
		add(s.Until)
	}
	return ends
}

func (m *nodeMemo) opKey(b []byte, op engine.Op) []byte {
	script := 0
	if op.Script != nil {
		if script = m.scripts[op.Script]; script == 0 {
			script = len(m.scripts) + 1
			m.scripts[op.Script] = script
		}
	}
	b = binary.AppendUvarint(append(b, 'x'), uint64(script))
	if op.ReadOnly {
		b = append(b, 'r')
	}
	if op.TooFew {
		b = append(b, 'f')
	}
	if op.Asking {
		b = append(b, 'a')
	}
	if op.More {
		b = append(b, 'm')
	}
	b = appendText(appendText(appendText(b, op.From.Actor), op.From.Process), op.Shared)
	b = binary.AppendUvarint(b, uint64(len(op.Keys)))
	for _, list := range [][]string{op.Keys, op.Args} {
		for _, text := range list {
			b = appendText(b, text)
		}
	}
	return b
}

func (n *memoNode) Fault(ctx context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	return n.effects(ctx, "f"+string(kind)+" "+process, func(node engine.Forker) (engine.Effects, error) { return node.Fault(ctx, process, kind) })
}

func (n memoConnected) Disconnect(ctx context.Context, actor string) (engine.Effects, error) {
	return n.effects(ctx, "d"+actor, func(node engine.Forker) (engine.Effects, error) {
		return node.(engine.Connected).Disconnect(ctx, actor)
	})
}

func (n memoStore) Subscribe(ctx context.Context, process, channel string) error {
	return n.told(ctx, "s"+process+" "+channel, func(node store) error { return node.Subscribe(ctx, process, channel) })
}

func (n memoStore) Unsubscribe(ctx context.Context, process, channel string) error {
	return n.told(ctx, "u"+process+" "+channel, func(node store) error { return node.Unsubscribe(ctx, process, channel) })
}

// told is do for an act that brings nothing.
func (n memoStore) told(ctx context.Context, key string, do func(store) error) error {
	n.do(ctx, []byte(key), func(node engine.Forker) (engine.Result, error) { return engine.Result{}, do(node.(store)) })
	return nil
}

// Abort changes nothing, so that there is nothing to learn.
func (n memoStore) Abort(ctx context.Context, ops []engine.Op) (reply.Reply, bool, error) {
	return n.moment().node.(store).Abort(ctx, ops)
}

// RefuseWatch changes nothing, either.
func (n memoStore) RefuseWatch(from engine.Client, keys []string) (reply.Reply, bool) {
	return n.moment().node.(store).RefuseWatch(from, keys)
}

func (n memoStore) Follow(ctx context.Context) (engine.Effects, error) {
	return n.effects(ctx, "o", func(node engine.Forker) (engine.Effects, error) { return node.(store).Follow(ctx) })
}

func (n *memoNode) AdvanceTo(ctx context.Context, now engine.Instant) (engine.Effects, error) {
	from, span := n.moment(), now-n.now
	began := n.now
	n.now = now
	if !from.waits && span >= 0 {
		return engine.Effects{}, nil
	}
	move := from.spans[span]
	if move == nil {
		move = n.memo.learn(ctx, n.at, span, func(node engine.Forker) (engine.Result, error) {
			effects, err := node.AdvanceTo(ctx, span)
			return engine.Result{Effects: effects}, err
		})
		from.spans[span] = move
	}
	n.at = move.to
	effects := move.result.Effects
	effects.Expired = slices.Clone(effects.Expired)
	for i := range effects.Expired {
		effects.Expired[i].At += began
	}
	return effects, nil
}

func (n *memoNode) NextDue() (engine.Instant, bool) { return n.now + n.moment().due, n.moment().waits }

// View is the view for rules. They read no instants but the deadlines of keys: the ends of waits and
// sessions are not shifted by the clock.
func (n *memoNode) View(context.Context) (engine.NodeView, error) {
	v := n.moment().view
	if n.now == 0 {
		return v, nil
	}
	v.Keys = slices.Clone(v.Keys)
	for i := range v.Keys {
		if at := &v.Keys[i].Deadline; *at != engine.NoDeadline {
			*at += n.now
		}
	}
	return v, nil
}

func (n *memoNode) Reset(context.Context) error {
	n.at, n.now = 0, 0
	return nil
}
