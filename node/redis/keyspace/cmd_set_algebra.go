package keyspace

import (
	"cmp"
	"slices"

	"lockstep/engine/reply"
)

var setAlgebraCommands = []Command{
	{"sdiff", -2, ReadOnly | Slow, allKeys, combines(subtract), "List the members of the first set that no other set has"},
	{"sinter", -2, ReadOnly | Slow, allKeys, combines(intersect), "List the members that all sets have"},
	{"sunion", -2, ReadOnly | Slow, allKeys, combines(unite), "List the members that any set has"},
}

// setsOf are the sets of keys, nil for one that is not there.
func (k *Keyspace) setsOf(keys []string) (sets []*set, failed reply.Reply) {
	sets = make([]*set, len(keys))
	for i, key := range keys {
		e, ok := k.findAs(key, setType)
		switch {
		case !ok:
			return nil, errWrongType
		case e != nil:
			sets[i] = e.set
		}
	}
	return sets, reply.Reply{}
}

func (s *set) has(member string) bool { return s != nil && s.fields.find(member) >= 0 }

func (s *set) members() []pair {
	if s == nil {
		return nil
	}
	return s.fields.pairs
}

func intersect(sets []*set) []string {
	smallest := slices.MinFunc(sets, func(a, b *set) int { return cmp.Compare(len(a.members()), len(b.members())) })
	var found []string
	for _, p := range smallest.members() {
		if !slices.ContainsFunc(sets, func(s *set) bool { return !s.has(p.name) }) {
			found = append(found, p.name)
		}
	}
	return found
}

func unite(sets []*set) []string {
	all := set{ints: true}
	for _, s := range sets {
		for _, p := range s.members() {
			all.add(p.name)
		}
	}
	return all.names()
}

func subtract(sets []*set) []string {
	var found []string
	for _, p := range sets[0].members() {
		if !slices.ContainsFunc(sets[1:], func(s *set) bool { return s.has(p.name) }) {
			found = append(found, p.name)
		}
	}
	return found
}

func (s *set) names() []string {
	names := make([]string, len(s.fields.pairs))
	for i, p := range s.fields.pairs {
		names[i] = p.name
	}
	return names
}

// combines makes a command that lists what comes of several sets.
func combines(combine func([]*set) []string) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		sets, failed := k.setsOf(args[1:])
		if failed.IsError() {
			return failed
		}
		return bulks(combine(sets))
	}
}

func bulks(texts []string) reply.Reply {
	items := make([]reply.Reply, len(texts))
	for i, s := range texts {
		items[i] = reply.OfBulk(s)
	}
	return reply.OfArray(items...)
}
