package keyspace

// account estimates the bytes that the keys take. One entry at a time is open: it counts
// with the size that it had when it was opened, and the difference is settled when another
// entry is opened, so that a write costs only a comparison.
type account struct {
	used  int64 // of all keys, the open entry as it was
	limit int64 // or 0

	opened *entry
	before int64 // bytes of the open entry when it was opened
}

// Estimated overhead, in bytes, besides texts.
const (
	keyBytes      = 160 // an entry and its place in the table
	pairBytes     = 32
	itemBytes     = 16
	scoredBytes   = 24
	recordBytes   = 48 // of a stream
	nodeBytes     = 64 // of a stream
	indexBytes    = 48 // an item's place in an index
	deadlineBytes = 32
)

// Used estimates how many bytes the keys take.
func (k *Keyspace) Used() int64 {
	k.account.settle()
	return k.account.used + int64(len(k.due))*deadlineBytes
}

// SetLimit makes writes that may need memory answer with Redis's OOM error while more than
// this many bytes are used; 0 means no limit, and -1 refuses all of them.
func (k *Keyspace) SetLimit(bytes int64) { k.account.limit = bytes }

// Full tells whether a command that needs memory must be refused.
func (k *Keyspace) Full() bool { return k.hasNoRoomFor(0) }

// hasNoRoomFor is for commands that make large values from small arguments.
func (k *Keyspace) hasNoRoomFor(bytes int64) bool {
	return k.account.limit != 0 && k.Used()+bytes > k.account.limit
}

// open is called before an entry changes. The entry opened before must not be changed any
// more without opening it again.
func (a *account) open(e *entry) {
	if a.opened != e {
		a.settle()
		a.opened, a.before = e, e.bytes()
	}
}

func (a *account) settle() {
	if a.opened != nil {
		a.used += a.opened.bytes() - a.before
		a.opened = nil
	}
}

// bytes estimates the size of the value.
func (e *entry) bytes() int64 {
	switch e.kind {
	case stringType:
		return int64(len(e.text)) // the room for more is not a fork's
	case hashType:
		return e.hash.memory()
	case listType:
		return int64(e.list.bytes + itemBytes*e.list.len())
	case setType:
		return e.set.fields.memory()
	case zsetType:
		return int64(e.zset.bytes + (scoredBytes+indexed(e.zset.index != nil))*e.zset.len())
	case streamType:
		return int64(e.stream.bytes + recordBytes*len(e.stream.records) + nodeBytes*len(e.stream.nodes))
	}
	return 0
}

func (h *hash) memory() int64 {
	return int64(h.bytes + (pairBytes+indexed(h.index != nil))*h.len())
}

func indexed(yes bool) int {
	if yes {
		return indexBytes
	}
	return 0
}
