package cluster

import (
	"fmt"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// Range is a row of slots on a node, both ends included.
type Range struct {
	Node        string
	First, Last int
}

// Move is a slot on its way from the node that has it to another one.
type Move struct {
	Slot     int
	From, To string
}

// Member is a node of a cluster; the zero Member is in none.
type Member struct {
	Name   string
	Ranges []Range // of all nodes
	Moving []Move
}

// Joiner is a node that can be told that it is a Member.
type Joiner interface{ Join(Member) }

// Refuse is the answer to an op about keys that the member does not have; ok is false for
// all others. MOVED and ASK name a node, where Redis has an address. has tells whether
// the member has a key.
func (m *Member) Refuse(op engine.Op, has func(key string) bool) (r reply.Reply, ok bool) {
	if !m.InCluster() || op.From == (engine.Client{}) { // a node is given its keys by nobody
		return reply.Reply{}, false
	}
	return m.refuse(keysOf(op), op.Asking, has)
}

// InCluster tells whether the member is in one.
func (m *Member) InCluster() bool { return len(m.Ranges) > 0 }

// RefuseInside is the answer to a command of a script about keys that the member does not have just then, declared or not; ok is
// false for all others. asking tells whether the script came with ASKING.
func (m *Member) RefuseInside(args []string, asking bool, has func(key string) bool) (r reply.Reply, ok bool) {
	_, ok = m.refuse(keyspace.KeysOf(args), asking, has)
	return reply.OfError("ERR Script attempted to access a non local key in a cluster node"), ok
}

func (m *Member) refuse(keys []string, asking bool, has func(key string) bool) (r reply.Reply, ok bool) {
	if len(keys) == 0 {
		return reply.Reply{}, false
	}
	slot := Slot(keys[0])
	for _, key := range keys[1:] {
		if Slot(key) != slot {
			return reply.OfError("CROSSSLOT Keys in request don't hash to the same slot"), true
		}
	}
	there, several := 0, false
	for _, key := range keys {
		several = several || key != keys[0]
		if has(key) {
			there++
		}
	}
	move, moves := m.moving(slot)
	owner := Owner(m.Ranges, slot)
	switch {
	case owner == "":
		return reply.OfError("CLUSTERDOWN Hash slot not served"), true
	case owner == m.Name && moves && there == 0:
		return reply.OfError(fmt.Sprintf("ASK %d %s", slot, move.To)), true
	case moves && (owner == m.Name || move.To == m.Name && asking && several) && there < len(keys):
		return reply.OfError("TRYAGAIN Multiple keys request during rehashing of slot"), true
	case owner == m.Name || moves && move.To == m.Name && asking:
		return reply.Reply{}, false
	}
	return reply.OfError(fmt.Sprintf("MOVED %d %s", slot, owner)), true
}

// Abort is what EXEC answers when nothing of a transaction is done: the member refuses an op, or the server does not queue it,
// or their keys are not of one slot that the member has; ok is false for all others.
func (m *Member) Abort(ops []engine.Op, has func(key string) bool, queues func(op engine.Op) bool) (r reply.Reply, ok bool) {
	together := engine.Op{Script: &engine.Script{}}
	for _, op := range ops {
		if _, refused := m.Refuse(op, has); refused || !queues(op) {
			return reply.OfError("EXECABORT Transaction discarded because of previous errors."), true
		}
		together.From, together.Asking = op.From, op.Asking
		together.Keys = append(together.Keys, keysOf(op)...)
	}
	return m.Refuse(together, has)
}

// RefuseWatch is the answer to who watches keys that the member does not have; ok is false when it has them.
func (m *Member) RefuseWatch(from engine.Client, keys []string, has func(key string) bool) (r reply.Reply, ok bool) {
	return m.Refuse(engine.Op{From: from, Script: &engine.Script{}, Keys: keys}, has)
}

func (m *Member) moving(slot int) (Move, bool) {
	for _, move := range m.Moving {
		if move.Slot == slot {
			return move, true
		}
	}
	return Move{}, false
}

// Owner is the node that has a slot; empty: none has.
func Owner(ranges []Range, slot int) string {
	for _, r := range ranges {
		if r.First <= slot && slot <= r.Last {
			return r.Node
		}
	}
	return ""
}

// keysOf are the keys that an op says it uses.
func keysOf(op engine.Op) []string {
	if op.Script != nil {
		return op.Keys
	}
	return keyspace.KeysOf(op.Args)
}
