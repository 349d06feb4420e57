package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var setAlgebraCommands = []Command{
	{"sdiff", -2, ReadOnly | Slow, allKeys, sdiff, "List the members of the first set that no other set has"},
	{"sdiffstore", -3, Write | DenyOOM | Slow, allKeys, sdiffstore, "Store the members of the first set that no other set has"},
	{"sinter", -2, ReadOnly | Slow, allKeys, sinter, "List the members that all sets have"},
	{"sintercard", -3, ReadOnly | Slow, numberedKeys(1), sintercard, "Number of members that all sets have"},
	{"sinterstore", -3, Write | DenyOOM | Slow, allKeys, sinterstore, "Store the members that all sets have"},
	{"sunion", -2, ReadOnly | Slow, allKeys, sunion, "List the members that any set has"},
	{"sunionstore", -3, Write | DenyOOM | Slow, allKeys, sunionstore, "Store the members that any set has"},
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

// intersect lists up to limit members that all sets have; 0 means no limit.
func intersect(sets []*set, limit int) []string {
	smallest := 0
	for i, s := range sets {
		if len(s.members()) < len(sets[smallest].members()) {
			smallest = i
		}
	}
	var found []string
	for _, p := range sets[smallest].members() {
		everywhere := !slices.ContainsFunc(sets, func(s *set) bool { return !s.has(p.name) })
		if everywhere {
			found = append(found, p.name)
		}
		if limit > 0 && len(found) == limit {
			break
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
		elsewhere := slices.ContainsFunc(sets[1:], func(s *set) bool { return s.has(p.name) })
		if !elsewhere {
			found = append(found, p.name)
		}
	}
	return found
}

func intersectAll(sets []*set) []string { return intersect(sets, 0) }

func (s *set) names() []string {
	names := make([]string, len(s.fields.pairs))
	for i, p := range s.fields.pairs {
		names[i] = p.name
	}
	return names
}

func sinter(k *Keyspace, args []string) reply.Reply { return k.combineSets(args[1:], intersectAll) }
func sunion(k *Keyspace, args []string) reply.Reply { return k.combineSets(args[1:], unite) }
func sdiff(k *Keyspace, args []string) reply.Reply  { return k.combineSets(args[1:], subtract) }

func (k *Keyspace) combineSets(keys []string, combine func([]*set) []string) reply.Reply {
	sets, failed := k.setsOf(keys)
	if failed.IsError() {
		return failed
	}
	return bulks(combine(sets))
}

func bulks(texts []string) reply.Reply {
	items := make([]reply.Reply, len(texts))
	for i, s := range texts {
		items[i] = reply.OfBulk(s)
	}
	return reply.OfArray(items...)
}

func sinterstore(k *Keyspace, args []string) reply.Reply { return k.storeSets(args, intersectAll) }
func sunionstore(k *Keyspace, args []string) reply.Reply { return k.storeSets(args, unite) }
func sdiffstore(k *Keyspace, args []string) reply.Reply  { return k.storeSets(args, subtract) }

func (k *Keyspace) storeSets(args []string, combine func([]*set) []string) reply.Reply {
	sets, failed := k.setsOf(args[2:])
	if failed.IsError() {
		return failed
	}
	members := combine(sets)
	if len(members) == 0 {
		k.drop(args[1])
		return reply.OfInt(0)
	}
	target := k.replace(args[1], setType)
	for _, m := range members {
		target.set.add(m)
	}
	return reply.OfInt(int64(len(members)))
}

// drop deletes a key, if it is there.
func (k *Keyspace) drop(name string) {
	if old := k.find(name); old != nil {
		k.remove(name, old)
	}
}

func sintercard(k *Keyspace, args []string) reply.Reply {
	n, ok := ParseInt(args[1])
	switch {
	case !ok || n <= 0:
		return errNumKeys
	case n > int64(len(args)-2):
		return reply.OfError("ERR Number of keys can't be greater than number of args")
	}
	limit := int64(0)
	for rest := args[2+n:]; len(rest) > 0; rest = rest[2:] {
		if !strings.EqualFold(rest[0], "limit") || len(rest) == 1 {
			return errSyntax
		}
		if limit, ok = ParseInt(rest[1]); !ok || limit < 0 {
			return errNegativeLimit
		}
	}
	sets, failed := k.setsOf(args[2 : 2+n])
	if failed.IsError() {
		return failed
	}
	return reply.OfInt(int64(len(intersect(sets, int(limit)))))
}
