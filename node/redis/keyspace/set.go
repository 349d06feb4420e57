package keyspace

import (
	"slices"
	"sort"
)

// set holds members in the order of their insertion, except that a small set
// of integers is in numeric order, as Redis's intset is.
type set struct {
	fields hash // the members, without values
	ints   bool
}

// maxInts is Redis's set-max-intset-entries.
const maxInts = 512

// add inserts a member that does not exist.
func (s *set) add(member string) {
	var n int64
	if s.ints && s.fields.len() < maxInts {
		n, s.ints = ParseInt(member)
	} else {
		s.ints = false
	}
	if !s.ints {
		s.fields.add(member, "")
		return
	}
	pairs := s.fields.pairs
	at := sort.Search(len(pairs), func(i int) bool {
		other, _ := ParseInt(pairs[i].name)
		return other >= n
	})
	s.fields.pairs = slices.Insert(pairs, at, pair{name: member})
	s.fields.bytes += len(member)
}

func (s *set) has(member string) bool { return s.fields.find(member) >= 0 }

func (s *set) names() []string {
	names := make([]string, len(s.fields.pairs))
	for i, p := range s.fields.pairs {
		names[i] = p.name
	}
	return names
}

func (s *set) clone() *set { return &set{fields: *s.fields.clone(), ints: s.ints} }
