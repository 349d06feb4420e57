package keyspace

import "sync/atomic"

// valueType is the type of a key's value.
type valueType uint8

const (
	stringType valueType = iota
	hashType
	listType
	setType
	zsetType
)

// String is the type as TYPE answers it.
func (t valueType) String() string {
	return [...]string{"string", "hash", "list", "set", "zset"}[t]
}

// entry is the value and the deadline of one key. Only the keyspace whose owner
// it carries may write it.
type entry struct {
	owner *owner
	// sum caches the digest of name and value; 0 when it is not known. Forks
	// share entries, and reading a digest must not make them race.
	sum      atomic.Uint64
	deadline int64 // in virtual milliseconds, or noDeadline
	kind     valueType

	// The value is the one field that belongs to kind.
	text string
	hash *hash
	list *list
	set  *set
	zset *zset
}

// changed forgets the cached digest.
func (e *entry) changed() {
	if e.sum.Load() != 0 {
		e.sum.Store(0)
	}
}

// become gives an empty entry a type.
func (e *entry) become(t valueType) {
	e.kind = t
	switch t {
	case stringType:
	case hashType:
		if e.hash == nil {
			e.hash = new(hash)
		}
	case listType:
		if e.list == nil {
			e.list = new(list)
		}
	case setType:
		if e.set == nil {
			e.set = new(set)
		}
		e.set.ints = true
	case zsetType:
		if e.zset == nil {
			e.zset = new(zset)
		}
	}
}

// clone is a deep copy for another owner.
func (e *entry) clone(o *owner) *entry {
	c := &entry{owner: o, deadline: e.deadline, kind: e.kind, text: e.text}
	switch e.kind {
	case stringType:
	case hashType:
		c.hash = e.hash.clone()
	case listType:
		c.list = e.list.clone()
	case setType:
		c.set = e.set.clone()
	case zsetType:
		c.zset = e.zset.clone()
	}
	return c
}

// maxKept bounds the room, in items, that a reused entry keeps of its old value.
const maxKept = 64

// reset empties the entry for reuse.
func (e *entry) reset() {
	e.changed()
	e.text = ""
	switch e.kind {
	case stringType:
	case hashType:
		e.hash.reset()
	case listType:
		e.list.reset()
	case setType:
		e.set.fields.reset()
	case zsetType:
		e.zset.reset()
	}
}

// len is the number of items of a compound value.
func (e *entry) len() int {
	switch e.kind {
	case stringType:
	case hashType:
		return e.hash.len()
	case listType:
		return e.list.len()
	case setType:
		return e.set.fields.len()
	case zsetType:
		return e.zset.len()
	}
	return 1
}
