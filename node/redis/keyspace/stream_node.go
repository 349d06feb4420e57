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
	maxLen int64
	approx bool // whole nodes only, and no more records than Redis deletes at once
}

// count is how many records, and how many nodes, a trim would delete.
func (t *streamTrim) count(s *stream) (records, nodes int) {
	most := int64(100 * maxNodeRecords)
	left := int64(len(s.records))
	for _, n := range s.nodes {
		live := int64(n.live)
		if left <= t.maxLen || left-live < t.maxLen || t.approx && int64(records)+live > most {
			break
		}
		left -= live
		records += n.live
		nodes++
	}
	if !t.approx && left > t.maxLen {
		records += int(left - t.maxLen)
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
