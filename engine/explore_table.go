package engine

import "encoding/binary"

// table holds the states that a search has met, one after the other in the order in which
// it met them: the numbers of each as varints in one array, found by a hash of them.
type table struct {
	bytes   []byte
	ends    []uint32 // of each state in bytes
	parents []uint32 // the state that each was first reached from, …
	choices []uint16 // … and by which choice
	slots   []uint32 // 1 + the number of a state, by hash
}

func newTable() *table { return &table{slots: make([]uint32, 1<<10)} }

func (t *table) len() int { return len(t.ends) }

// size is how many bytes the table takes.
func (t *table) size() int {
	return cap(t.bytes) + 4*(cap(t.ends)+cap(t.parents)+len(t.slots)) + 2*cap(t.choices)
}

func (t *table) at(state uint32) []byte {
	from := uint32(0)
	if state > 0 {
		from = t.ends[state-1]
	}
	return t.bytes[from:t.ends[state]]
}

// words appends the numbers of a state.
func (t *table) words(state uint32, words []uint64) []uint64 {
	for b := t.at(state); len(b) > 0; {
		word, n := binary.Uvarint(b)
		words, b = append(words, word), b[n:]
	}
	return words
}

// add finds a state, or adds it as one that was reached from a parent.
func (t *table) add(words []uint64, parent uint32, choice uint16) (state uint32, fresh bool) {
	if 4*len(t.ends) >= 3*len(t.slots) {
		t.grow()
	}
	var buffer [512]byte
	b := buffer[:0]
	for _, word := range words {
		b = binary.AppendUvarint(b, word)
	}
	mask := uint64(len(t.slots) - 1)
	for at := hashOf(b) & mask; ; at = (at + 1) & mask {
		if t.slots[at] == 0 {
			t.slots[at] = uint32(len(t.ends)) + 1
			t.bytes = append(t.bytes, b...)
			t.ends = append(t.ends, uint32(len(t.bytes)))
			t.parents = append(t.parents, parent)
			t.choices = append(t.choices, choice)
			return uint32(len(t.ends) - 1), true
		}
		if state = t.slots[at] - 1; string(t.at(state)) == string(b) {
			return state, false
		}
	}
}

func (t *table) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for state := range t.ends {
		at := hashOf(t.at(uint32(state))) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(state) + 1
	}
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
