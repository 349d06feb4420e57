package keyspace

import (
	"slices"
	"sort"
)

// streamNode is a run of records that Redis packs together. An approximate trim
// deletes whole nodes only, so that what it leaves depends on their bounds.
type streamNode struct {
	first, last   streamID // deleted records included
	live, deleted int
	bytes         int      // of Redis's listpack
	fields        []string // names in the first record: records with the same names omit them
}

// Redis's stream-node-max-bytes and stream-node-max-entries.
const (
	maxNodeBytes   = 4096
	maxNodeRecords = 100
)

// pack puts a record into the last node, or into a new one when that is full.
func (s *stream) pack(id streamID, fields []string) {
	names := make([]string, 0, len(fields)/2)
	for i := 0; i < len(fields); i += 2 {
		names = append(names, fields[i])
	}
	last := len(s.nodes) - 1
	full := last < 0 || s.nodes[last].bytes+textBytes(fields) >= maxNodeBytes ||
		s.nodes[last].live+s.nodes[last].deleted >= maxNodeRecords
	if full {
		s.nodes = append(s.nodes, newStreamNode(id, names))
		last++
	}
	n := &s.nodes[last]
	n.live++
	n.last = id
	same := slices.Equal(names, n.fields)
	n.bytes += 2*packedInt(0) + packedInt(int64(id.ms-n.first.ms)) + packedInt(int64(id.seq-n.first.seq))
	if !same {
		n.bytes += packedInt(int64(len(names)))
	}
	for i, f := range fields {
		if i%2 == 1 || !same {
			n.bytes += packedText(f)
		}
	}
	if count := 2*len(names) + 4; !same && count > 127 || same && len(names)+3 > 127 {
		n.bytes++ // the count of elements at the end
	}
}

func newStreamNode(id streamID, names []string) streamNode {
	const header = 7
	n := streamNode{first: id, fields: names}
	n.bytes = header + 3*packedInt(0) + packedInt(int64(len(names)))
	for _, name := range names {
		n.bytes += packedText(name)
	}
	return n
}

// unpack marks a record as deleted in its node.
func (s *stream) unpack(id streamID) {
	i := sort.Search(len(s.nodes), func(i int) bool { return s.nodes[i].first.compare(id) > 0 }) - 1
	n := &s.nodes[i]
	n.live--
	n.deleted++
	if n.live == 0 {
		s.nodes = slices.Delete(s.nodes, i, i+1)
	}
}

// packedInt is the size of an integer in a listpack.
func packedInt(n int64) int {
	const back = 1
	switch {
	case n >= 0 && n <= 127:
		return 1 + back
	case n >= -1<<12 && n < 1<<12:
		return 2 + back
	case n >= -1<<15 && n < 1<<15:
		return 3 + back
	case n >= -1<<23 && n < 1<<23:
		return 4 + back
	case n >= -1<<31 && n < 1<<31:
		return 5 + back
	}
	return 9 + back
}

// packedText is the size of a text in a listpack, where integers are packed as such.
func packedText(s string) int {
	if n, ok := ParseInt(s); ok {
		return packedInt(n)
	}
	size := len(s) + 5
	switch {
	case len(s) < 64:
		size = len(s) + 1
	case len(s) < 4096:
		size = len(s) + 2
	}
	for back, limit := 1, 128; ; back, limit = back+1, limit<<7 {
		if size < limit {
			return size + back
		}
	}
}

// streamTrim says how much to delete from the front of a stream.
type streamTrim struct {
	by     trimBy
	maxLen int64
	minID  streamID
	approx bool  // whole nodes only
	limit  int64 // on the records deleted; 0 for none
}

type trimBy uint8

const (
	noTrim trimBy = iota
	byLength
	byID
)

// done tells whether no more records need to go.
func (t *streamTrim) done(s *stream) bool {
	if t.by == byLength {
		return int64(len(s.records)) <= t.maxLen
	}
	return len(s.records) == 0 || s.records[0].id.compare(t.minID) >= 0
}

// takes tells whether a whole node goes.
func (t *streamTrim) takes(s *stream, n *streamNode) bool {
	if t.by == byLength {
		return int64(len(s.records)-n.live) >= t.maxLen
	}
	return n.last.compare(t.minID) < 0
}

// count is how many records, and how many nodes, a trim would delete.
func (t *streamTrim) count(s *stream) (records, nodes int) {
	if t.by == noTrim || t.by == byLength && t.done(s) {
		return 0, 0
	}
	left := *s
	for len(left.nodes) > 0 && !(t.by == byLength && t.done(&left)) {
		n := &left.nodes[0]
		if t.limit > 0 && int64(records+n.live) > t.limit {
			return records, nodes
		}
		if !t.takes(&left, n) {
			break
		}
		records += n.live
		nodes++
		left.records, left.nodes = left.records[n.live:], left.nodes[1:]
	}
	if t.approx || len(left.nodes) == 0 {
		return records, nodes
	}
	for n := left.nodes[0].live; n > 0 && !t.done(&left); n-- {
		left.records = left.records[1:]
		records++
	}
	return records, nodes
}

// trim deletes what count counted.
func (s *stream) trim(records, nodes int) {
	rest := records
	for _, n := range s.nodes[:nodes] {
		rest -= n.live
	}
	clear(s.nodes[:nodes])
	s.nodes = s.nodes[nodes:]
	if rest > 0 {
		s.nodes[0].live -= rest
		s.nodes[0].deleted += rest
	}
	s.dropFront(records)
}
