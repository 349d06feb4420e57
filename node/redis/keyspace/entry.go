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
	private  bool // the text was handed out to nobody, so room may be overwritten

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
	case streamType:
		e.stream = new(stream)
	}
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

// maxKept limits the capacity, in items, that a reused entry keeps from its old value.
const maxKept = 64

// emptied is the room of the items of an old value, for those of a new one.
func emptied[T any](items []T) []T {
	if cap(items) > maxKept {
		return nil
	}
	clear(items)
	return items[:0]
}

// reset empties the entry for reuse.
func (e *entry) reset() {
	e.changed()
	e.setText("")
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
	case streamType:
		e.stream = nil
	}
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

func (e *entry) setText(text string) { e.text, e.room, e.private = text, nil, false }

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

// bytesToWrite is the text for writing in place, size bytes of it at least.
// Texts handed out before do not change.
func (e *entry) bytesToWrite(size int) []byte {
	if !e.private {
		e.room = append(make([]byte, 0, max(size, len(e.text))), e.text...)
		e.private = true
	}
	if n := len(e.room); n < size {
		e.room = append(e.room, make([]byte, size-n)...)
	}
	e.text = unsafe.String(unsafe.SliceData(e.room), len(e.room))
	return e.room
}

// textOf hands out the text of a string.
func (k *Keyspace) textOf(e *entry) string {
	if e.private && e.owner == k.owner { // or it is shared by forks, and never written
		e.private = false
	}
	return e.text
}
