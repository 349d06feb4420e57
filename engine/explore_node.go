package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"
)

// store is a Node in memory that also has channels and data that can be copied.
type store interface {
	Forker
	Channels
	Copier
}

// nodeMemo is what a search has learned about a node. All its moments are as if the node's
// clock showed 0: what the node does depends only on how long things last.
type nodeMemo struct {
	name    string
	moments []*nodeMoment
	numbers map[uint64][]uint32 // of moments, by digest: those with the same one differ in what they show
	scripts map[*Script]int
}

// nodeMoment is one state of a node.
type nodeMoment struct {
	node  Forker
	view  NodeView
	due   Instant
	waits bool // something is due
	copy  int  // the number of its copy, from 1; 0: there is none yet
	moves map[string]*nodeMove
	spans map[Instant]*nodeMove // what comes of time that passes
}

// nodeMove is what a node does, and what it is then.
type nodeMove struct {
	to     uint32
	result Result
}

func newNodeMemo(ctx context.Context, name string, n Node) (*nodeMemo, error) {
	node, ok := n.(Forker)
	if !ok {
		return nil, fmt.Errorf("node %s cannot be searched: it cannot be copied, as only those in memory can", name)
	}
	m := &nodeMemo{name: name, numbers: map[uint64][]uint32{}, scripts: map[*Script]int{}}
	fresh := node.Fork().(Forker)
	if err := fresh.Reset(ctx); err != nil {
		return nil, err
	}
	_, err := m.reach(ctx, fresh)
	return m, err
}

// reach is the number of the moment that a node has come to, whose clock shows 0.
func (m *nodeMemo) reach(ctx context.Context, node Forker) (uint32, error) {
	view, err := node.View(ctx)
	if err != nil {
		return 0, err
	}
	digest := node.Digest()
	for _, n := range m.numbers[digest] {
		if m.moments[n].view.equal(&view) {
			return n, nil
		}
	}
	n := uint32(len(m.moments))
	m.numbers[digest] = append(m.numbers[digest], n)
	due, waits := node.NextDue()
	m.moments = append(m.moments, &nodeMoment{
		node: node, view: view, due: due, waits: waits,
		moves: map[string]*nodeMove{}, spans: map[Instant]*nodeMove{},
	})
	return n, nil
}

// learn has a node do something that it has not done at this moment, in which so much time passes. Its clock
// is set to 0 again.
func (m *nodeMemo) learn(ctx context.Context, from uint32, passed time.Duration, do func(Forker) (Result, error)) (*nodeMove, error) {
	node := m.moments[from].node.Fork().(Forker)
	result, err := do(node)
	if err != nil {
		return nil, err
	}
	node.Shift(-passed)
	to, err := m.reach(ctx, node)
	return &nodeMove{to, result}, err
}

// memoNode is a node, as far as a world can see.
type memoNode struct {
	memo *nodeMemo
	at   uint32
	now  Instant // what its clock shows
}

// memoStore is the memoNode of a store.
type memoStore struct{ *memoNode }

// memoConnected is the memoNode of a node that keeps a connection for each actor.
type memoConnected struct{ *memoNode }

// asNode is what takes the place of the node in a world.
func (m *nodeMemo) asNode() Node {
	n := &memoNode{memo: m}
	switch n.moment().node.(type) {
	case store:
		return memoStore{n}
	case Connected:
		return memoConnected{n}
	}
	return n
}

func (n *memoNode) itself() *memoNode { return n }

// memoOf is what a search remembers of a node of its world.
func memoOf(n Node) *memoNode { return n.(interface{ itself() *memoNode }).itself() }

// memoData is a copy of a node, made when the clock showed an instant.
type memoData struct {
	memo *nodeMemo
	copy int
	at   Instant
}

func (n *memoNode) moment() *nodeMoment { return n.memo.moments[n.at] }

func (n *memoNode) do(ctx context.Context, key []byte, do func(Forker) (Result, error)) (*nodeMove, error) {
	from := n.moment()
	move, known := from.moves[string(key)]
	if !known {
		var err error
		if move, err = n.memo.learn(ctx, n.at, 0, do); err != nil {
			return nil, err
		}
		from.moves[string(key)] = move
	}
	n.at = move.to
	return move, nil
}

func (n *memoNode) Exec(ctx context.Context, op Op) (Result, error) {
	var buffer [256]byte
	move, err := n.do(ctx, n.memo.opKey(buffer[:0], op), func(node Forker) (Result, error) { return node.Exec(ctx, op) })
	if err != nil {
		return Result{}, err
	}
	return move.result, nil
}

func (m *nodeMemo) opKey(b []byte, op Op) []byte {
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
	if op.Asking {
		b = append(b, 'a')
	}
	b = appendText(appendText(b, op.From.Actor), op.From.Process)
	b = binary.AppendUvarint(b, uint64(len(op.Keys)))
	for _, list := range [][]string{op.Keys, op.Args} {
		for _, text := range list {
			b = appendText(b, text)
		}
	}
	return b
}

func (n *memoNode) Fault(ctx context.Context, process string, kind ChoiceKind) (Effects, error) {
	move, err := n.do(ctx, []byte("f"+string(kind)+" "+process), func(node Forker) (Result, error) {
		effects, err := node.Fault(ctx, process, kind)
		return Result{Effects: effects}, err
	})
	if err != nil {
		return Effects{}, err
	}
	return move.result.Effects, nil
}

func (n memoConnected) Disconnect(ctx context.Context, actor string) (Effects, error) {
	move, err := n.do(ctx, []byte("d"+actor), func(node Forker) (Result, error) {
		effects, err := node.(Connected).Disconnect(ctx, actor)
		return Result{Effects: effects}, err
	})
	if err != nil {
		return Effects{}, err
	}
	return move.result.Effects, nil
}

func (n memoStore) Subscribe(ctx context.Context, process, channel string) error {
	_, err := n.do(ctx, []byte("s"+process+" "+channel), func(node Forker) (Result, error) {
		return Result{}, node.(store).Subscribe(ctx, process, channel)
	})
	return err
}

func (n memoStore) Unsubscribe(ctx context.Context, process, channel string) error {
	_, err := n.do(ctx, []byte("u"+process+" "+channel), func(node Forker) (Result, error) {
		return Result{}, node.(store).Unsubscribe(ctx, process, channel)
	})
	return err
}

func (n *memoNode) AdvanceTo(ctx context.Context, now Instant) (Effects, error) {
	from, span := n.moment(), now-n.now
	began := n.now
	n.now = now
	if !from.waits && span >= 0 {
		return Effects{}, nil
	}
	move := from.spans[span]
	if move == nil {
		var err error
		move, err = n.memo.learn(ctx, n.at, span, func(node Forker) (Result, error) {
			effects, err := node.AdvanceTo(ctx, span)
			return Result{Effects: effects}, err
		})
		if err != nil {
			return Effects{}, err
		}
		from.spans[span] = move
	}
	n.at = move.to
	effects := move.result.Effects
	if len(effects.Expired) > 0 {
		effects.Expired = append([]Expiry(nil), effects.Expired...)
		for i := range effects.Expired {
			effects.Expired[i].At += began
		}
	}
	return effects, nil
}

func (n *memoNode) NextDue() (Instant, bool) { return n.now + n.moment().due, n.moment().waits }

// View is what rules may look at: of all instants, only the deadlines of keys are by the node's clock.
func (n *memoNode) View(context.Context) (NodeView, error) {
	v := n.moment().view
	v.Keys = shifted(v.Keys, n.now)
	return v, nil
}

func (n *memoNode) Reset(context.Context) error {
	n.at, n.now = 0, 0
	return nil
}

func (n memoStore) Follow(ctx context.Context) (Effects, error) {
	move, err := n.do(ctx, []byte("o"), func(node Forker) (Result, error) {
		effects, err := node.(store).Follow(ctx)
		return Result{Effects: effects}, err
	})
	if err != nil {
		return Effects{}, err
	}
	return move.result.Effects, nil
}

// Copy numbers the data of a node: what is the same has one number, whoever listens to
// the node or waits in it.
func (n memoStore) Copy(ctx context.Context) (Data, error) {
	m := n.moment()
	if m.copy == 0 {
		data, err := m.node.(store).Copy(ctx)
		if err != nil {
			return nil, err
		}
		blank := m.node.Fork().(store)
		if err := blank.Reset(ctx); err != nil {
			return nil, err
		}
		if err := blank.(Copier).Load(ctx, data); err != nil {
			return nil, err
		}
		number, err := n.memo.reach(ctx, blank)
		if err != nil {
			return nil, err
		}
		m.copy = int(number) + 1
	}
	return memoData{n.memo, m.copy, n.now}, nil
}

func (n memoStore) Load(ctx context.Context, data Data) error {
	d := data.(memoData)
	key := binary.AppendVarint(append(appendText([]byte("l"), d.memo.name), byte(d.copy), byte(d.copy>>8), byte(d.copy>>16)), int64(d.at-n.now))
	_, err := n.do(ctx, key, func(node Forker) (Result, error) {
		source := d.memo.moments[d.copy-1].node.Fork().(store)
		source.Shift(d.at - n.now)
		copied, err := source.(Copier).Copy(ctx)
		if err != nil {
			return Result{}, err
		}
		return Result{}, node.(store).Load(ctx, copied)
	})
	return err
}

// aged is data as it is when the clock of a node that may load it shows another instant:
// what expires until then is gone. Data that never expires has no age.
func (d memoData) aged(ctx context.Context, now Instant) (memoData, error) {
	n := &memoNode{memo: d.memo, at: uint32(d.copy - 1), now: d.at}
	if _, err := n.AdvanceTo(ctx, now); err != nil {
		return d, err
	}
	return memoData{d.memo, int(n.at) + 1, now}, nil
}
