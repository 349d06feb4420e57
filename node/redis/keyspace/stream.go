package keyspace

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// stream holds records by id. Unlike other values it may be empty, because it
// remembers the ids that it has given out.
type stream struct {
	records    []record
	nodes      []streamNode // how Redis packs the records
	last       streamID     // the greatest id so far
	maxDeleted streamID     // the greatest id that XDEL deleted
	added      uint64       // records so far
	bytes      int          // of all fields
}

// record is an entry of a stream, as Redis calls it.
type record struct {
	id     streamID
	fields []string // names and values in turn; never written in place
}

// search is the position of the first record that is not before id.
func (s *stream) search(id streamID) int {
	return sort.Search(len(s.records), func(i int) bool { return s.records[i].id.compare(id) >= 0 })
}

// between are the records from one id to another, both included.
func (s *stream) between(from, to streamID) []record {
	i := s.search(from)
	j := len(s.records)
	if after, ok := to.next(); ok {
		j = s.search(after)
	}
	return s.records[i:max(i, j)]
}

// add appends a record; its id is greater than any before.
func (s *stream) add(id streamID, fields []string) {
	s.pack(id, fields)
	s.records = append(s.records, record{id, fields})
	s.bytes += textBytes(fields)
	s.last = id
	s.added++
}

func (s *stream) remove(id streamID) {
	i := s.search(id)
	s.unpack(id)
	s.bytes -= textBytes(s.records[i].fields)
	s.records = slices.Delete(s.records, i, i+1)
	if s.maxDeleted.compare(id) < 0 {
		s.maxDeleted = id
	}
}

// dropFront forgets the first n records; what is behind them stays where it is.
func (s *stream) dropFront(n int) {
	for i := range s.records[:n] {
		s.bytes -= textBytes(s.records[i].fields)
		s.records[i] = record{}
	}
	s.records = s.records[n:]
}

func (s *stream) clone() *stream {
	c := *s
	c.records = slices.Clone(s.records)
	c.nodes = slices.Clone(s.nodes)
	return &c
}

func (s *stream) digest() uint64 {
	d := mix(s.last.ms, s.last.seq)
	d = mix(d, mix(s.maxDeleted.ms, s.maxDeleted.seq))
	d = mix(d, s.added)
	for _, r := range s.records {
		d = mix(d, mix(r.id.ms, r.id.seq))
		for _, f := range r.fields {
			d = hashText(d, f)
		}
	}
	for _, n := range s.nodes { // by which an approximate trim goes
		d = mix(d, mix(n.first.ms, n.first.seq))
		d = mix(d, mix(n.last.ms, n.last.seq))
		d = mix(d, mix(uint64(n.live)<<32|uint64(n.deleted), uint64(n.bytes)))
		for _, f := range n.fields {
			d = hashText(d, f)
		}
	}
	return d
}

// FieldsText is the fields of a record for a person.
func FieldsText(fields []string) string {
	shown := make([]string, len(fields))
	for i, f := range fields {
		if f == "" || strings.ContainsFunc(f, func(r rune) bool { return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
			f = strconv.Quote(f)
		}
		shown[i] = f
	}
	return strings.Join(shown, " ")
}
