package keyspace

import (
	"maps"
	"slices"
)

// hash holds fields in the order they were first set, as a small hash of Redis
// does. Beyond maxListed fields an index is kept and a deletion no longer
// keeps the order: there Redis's own order is arbitrary.
type hash struct {
	pairs []pair
	index map[string]int // nil until the hash has grown large
	bytes int            // of all names and values
}

type pair struct{ name, value string }

// maxListed is Redis's hash-max-listpack-entries.
const maxListed = 512

func (h *hash) len() int { return len(h.pairs) }

// find is the position of a field, or -1.
func (h *hash) find(name string) int {
	if h.index != nil {
		if i, ok := h.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range h.pairs {
		if h.pairs[i].name == name {
			return i
		}
	}
	return -1
}

// add appends a field that does not exist.
func (h *hash) add(name, value string) {
	h.pairs = append(h.pairs, pair{name, value})
	h.bytes += len(name) + len(value)
	if h.index != nil {
		h.index[name] = len(h.pairs) - 1
		return
	}
	if len(h.pairs) > maxListed {
		h.index = make(map[string]int, 2*maxListed)
		for i := range h.pairs {
			h.index[h.pairs[i].name] = i
		}
	}
}

// set writes a field and tells whether it is new.
func (h *hash) set(name, value string) bool {
	if i := h.find(name); i >= 0 {
		h.put(i, value)
		return false
	}
	h.add(name, value)
	return true
}

func (h *hash) put(i int, value string) {
	h.bytes += len(value) - len(h.pairs[i].value)
	h.pairs[i].value = value
}

// remove deletes the field at position i.
func (h *hash) remove(i int) {
	h.bytes -= len(h.pairs[i].name) + len(h.pairs[i].value)
	if h.index == nil {
		h.pairs = slices.Delete(h.pairs, i, i+1)
		return
	}
	last := len(h.pairs) - 1
	delete(h.index, h.pairs[i].name)
	if i != last {
		h.pairs[i] = h.pairs[last]
		h.index[h.pairs[i].name] = i
	}
	h.pairs[last] = pair{}
	h.pairs = h.pairs[:last]
}

func (h *hash) clone() *hash {
	return &hash{pairs: slices.Clone(h.pairs), index: maps.Clone(h.index), bytes: h.bytes}
}
