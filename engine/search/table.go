package search

import "encoding/binary"

// tuples numbers lists of numbers, from 0 in the order in which they are added. The lists are kept
// as varints, one after the other in one array: states are many, and most numbers small.
type tuples struct {
	bytes []byte
	ends  []uint32 // where each list ends in bytes
	slots []uint64 // a hash table: half of a list's hash and 1 + its number; 0 is free. A quarter is always free
	key   []byte   // memory that is used again
}

func newTuples() tuples { return tuples{slots: make([]uint64, 1<<10)} }

func (t *tuples) len() int { return len(t.ends) }

func (t *tuples) size() int { return cap(t.bytes) + 4*cap(t.ends) + 8*len(t.slots) }

func (t *tuples) at(n uint32) []byte {
	from := uint32(0)
	if n > 0 {
		from = t.ends[n-1]
	}
	return t.bytes[from:t.ends[n]]
}

// words appends a list.
func (t *tuples) words(n uint32, words []uint64) []uint64 {
	for b := t.at(n); len(b) > 0; {
		word, n := binary.Uvarint(b)
		words, b = append(words, word), b[n:]
	}
	return words
}

// find finds the number of a list. If the list is not known, slot is what its slot must become
// when it is added, and at the place of that.
func (t *tuples) find(words []uint64) (n uint32, slot, at uint64, known bool) {
	t.key = t.key[:0]
	for _, word := range words {
		t.key = binary.AppendUvarint(t.key, word)
	}
	hash, mask := hashOf(t.key)>>32, uint64(len(t.slots)-1)
	for at = hash & mask; t.slots[at] != 0; at = (at + 1) & mask {
		if slot = t.slots[at]; slot>>32 == hash {
			if n = uint32(slot) - 1; string(t.at(n)) == string(t.key) {
				return n, slot, at, true
			}
		}
	}
	return 0, hash<<32 | uint64(len(t.ends)+1), at, false
}

// add finds the number of a list, or adds the list.
func (t *tuples) add(words []uint64) (n uint32, fresh bool) {
	if 4*len(t.ends) >= 3*len(t.slots) {
		t.grow()
	}
	n, slot, at, known := t.find(words)
	if !known {
		n, t.slots[at] = uint32(len(t.ends)), slot
		t.bytes = append(t.bytes, t.key...)
		t.ends = append(t.ends, uint32(len(t.bytes)))
	}
	return n, !known
}

func (t *tuples) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	mask := uint64(len(t.slots) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := slot >> 32 & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = slot
	}
}

// table holds the words of the states that a search has met.
type table struct {
	tuples
	parents []uint32 // of each state, the state from which it was reached first, …
	choices []uint32 // … and the number of the choice
}

func (t *table) size() int { return t.tuples.size() + 4*cap(t.parents) + 4*cap(t.choices) }

// add finds the number of a state, or adds the state as one that was reached from a parent.
func (t *table) add(words []uint64, parent uint32, choice uint32) (state uint32, fresh bool) {
	state, fresh = t.tuples.add(words)
	if fresh {
		t.parents = append(t.parents, parent)
		t.choices = append(t.choices, choice)
	}
	return state, fresh
}

// hashOf mixes eight bytes at a time, as murmur's finalizer does.
func hashOf(b []byte) uint64 {
	h := uint64(len(b)) * 0x9E3779B97F4A7C15
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	h = (h ^ tail) * 0xff51afd7ed558ccd
	h = (h ^ h>>29) * 0xc4ceb9fe1a85ec53
	return h ^ h>>32
}
