package search

import (
	"context"
	"encoding/binary"

	"lockstep/engine"
)

// memoData is the data of a node at the moment number copy-1, made when its clock showed an
// instant. It implements engine.TimedData.
type memoData struct {
	memo *nodeMemo
	copy int
	at   engine.Instant
}

// Copy gives equal data one number, whoever listens to the node or waits in it: the number is that
// of the moment to which a blank node comes that loads the data.
func (n memoStore) Copy(ctx context.Context) (engine.Data, error) {
	m := n.moment()
	if m.copy == 0 {
		blank := m.node.Fork().(store)
		mustNot(blank.Reset(ctx))
		mustNot(blank.Load(ctx, sure(m.node.(store).Copy(ctx))))
		m.copy = int(n.memo.reach(ctx, blank)) + 1
	}
	return memoData{n.memo, m.copy, n.now}, nil
}

func (n memoStore) Load(ctx context.Context, data engine.Data) error {
	d := data.(memoData)
	key := binary.AppendVarint(append(appendText([]byte("l"), d.memo.name), byte(d.copy), byte(d.copy>>8), byte(d.copy>>16)), int64(d.at-n.now))
	n.do(ctx, key, func(node engine.Forker) (engine.Result, error) {
		source := d.memo.moments[d.copy-1].node.Fork().(store)
		source.Shift(d.at - n.now)
		return engine.Result{}, node.(store).Load(ctx, sure(source.Copy(ctx)))
	})
	return nil
}

func (d memoData) AppendKey(key []byte, now engine.Instant) []byte {
	key = appendText(binary.AppendUvarint(key, uint64(d.copy)), d.memo.name)
	return binary.AppendVarint(key, int64(d.at-now))
}

func (d memoData) Deadlines() []engine.Instant { return d.memo.moments[d.copy-1].deadlines(d.at) }

func (d memoData) Later(by engine.Instant) engine.Data { return memoData{d.memo, d.copy, d.at + by} }

// Aged has data that never expires be as if it was made now. Where a clock may be set back, the
// expired can be there again, and data that expires stays as it was made.
func (d memoData) Aged(ctx context.Context, now engine.Instant) engine.Data {
	if !d.memo.ages && d.memo.moments[d.copy-1].waits {
		return d
	}
	n := &memoNode{memo: d.memo, at: uint32(d.copy - 1), now: d.at}
	sure(n.AdvanceTo(ctx, now))
	return memoData{d.memo, int(n.at) + 1, now}
}
