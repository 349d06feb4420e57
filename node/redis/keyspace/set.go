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

func (s *set) add(member string) {
	if s.ints {
		n, isInt := ParseInt(member)
		if isInt && s.fields.len() < maxInts {
			s.addInt(member, n)
			return
		}
		if s.fields.find(member) < 0 {
			s.ints = false
		}
	}
	if s.fields.find(member) < 0 {
		s.fields.add(member, "")
	}
}

func (s *set) addInt(member string, n int64) {
	pairs := s.fields.pairs
	at := sort.Search(len(pairs), func(i int) bool {
		other, _ := ParseInt(pairs[i].name)
		return other >= n
	})
	if at < len(pairs) && pairs[at].name == member {
		return
	}
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
