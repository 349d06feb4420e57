package keyspace

import (
	"sync/atomic"
	"unsafe"
)

// valueType is the type of a key's value.
type valueType uint8

const (
	stringType valueType = iota
	hashType
	listType
	setType
	zsetType
	streamType
)

func (t valueType) String() string {
	return [...]string{"string", "hash", "list", "set", "zset", "stream"}[t]
}

// entry is the value and the deadline of one key. Only the keyspace with the same owner may
// write it.
type entry struct {
	owner *owner
	// sum caches the digest of name and value; 0 when it is not known. Forks
	// share entries, and reading a digest must not make them race.
	sum      atomic.Uint64
	deadline int64  // in virtual milliseconds, or noDeadline
	record   uint64 // number of the record in the heap that has the deadline
	kind     valueType

	// The value is what belongs to kind; room only to a string.
	text   string
	room   []byte // if not nil, the bytes behind text, with spare capacity
	hash   *hash
	list   *list
	set    *set
	zset   *zset
	stream *stream
}

// changed drops the cached digest.
func (e *entry) changed() {
	if e.sum.Load() != 0 {
		e.sum.Store(0)
	}
}

// newEntry is an empty value without a deadline.
func newEntry(o *owner, t valueType) *entry {
	e := &entry{owner: o, deadline: noDeadline, kind: t}
	switch t {
	case stringType:
	case hashType:
		e.hash = new(hash)
	case listType:
		e.list = new(list)
	case setType:
		e.set = &set{ints: true}
	case zsetType:
		e.zset = new(zset)
	case streamType:
		e.stream = new(stream)
	}
	return e
}

// clone is a deep copy for another owner.
func (e *entry) clone(o *owner) *entry {
	c := &entry{owner: o, deadline: e.deadline, record: e.record, kind: e.kind, text: e.text}
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
	case streamType:
		c.stream = e.stream.clone()
	}
	return c
}

// len is the number of items, or of a string's bytes.
func (e *entry) len() int {
	switch e.kind {
	case stringType:
		return len(e.text)
	case hashType:
		return e.hash.len()
	case listType:
		return e.list.len()
	case setType:
		return e.set.fields.len()
	case zsetType:
		return e.zset.len()
	case streamType:
		return len(e.stream.records)
	}
	return 0
}

func (e *entry) setText(text string) { e.text, e.room = text, nil }

// appendText grows the text. Texts handed out before share the bytes at its beginning,
// which do not change.
func (e *entry) appendText(more string) {
	if more == "" {
		return
	}
	if e.room == nil {
		e.room = append(make([]byte, 0, len(e.text)+len(e.text)/2+len(more)), e.text...)
	}
	e.room = append(e.room, more...)
	e.text = unsafe.String(unsafe.SliceData(e.room), len(e.room))
}
