package keyspace

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var sortCommands = []Command{
	{"sort", -2, Write | DenyOOM | Global | Slow, keySpec{first: 1, last: 1, step: 1, more: storedTo, at: 1}, sortKey, "Sort the items of a list, a set or a sorted set, or store them sorted"},
	{"sort_ro", -2, ReadOnly | Global | Slow, oneKey, sortReadOnly, "Sort the items of a list, a set or a sorted set"},
}

// sortQuery is a parsed SORT.
type sortQuery struct {
	by       string // a pattern; "" to sort by the items themselves
	unsorted bool   // the pattern has no *, so that all items weigh the same
	gets     []string
	offset   int64
	count    int64 // negative for all
	reverse  bool
	alpha    bool
	storeAs  *string
}

func sortKey(k *Keyspace, args []string) reply.Reply      { return k.sort(args, true) }
func sortReadOnly(k *Keyspace, args []string) reply.Reply { return k.sort(args, false) }

func (q *sortQuery) parse(options []string, stores bool) (failed reply.Reply) {
	q.count = -1
	for i := 0; i < len(options); i++ {
		opt, more := options[i], len(options)-1-i
		switch {
		case strings.EqualFold(opt, "asc"):
			q.reverse = false
		case strings.EqualFold(opt, "desc"):
			q.reverse = true
		case strings.EqualFold(opt, "alpha"):
			q.alpha = true
		case strings.EqualFold(opt, "limit") && more >= 2:
			var ok1, ok2 bool
			q.offset, ok1 = parseInt(options[i+1])
			q.count, ok2 = parseInt(options[i+2])
			if !ok1 || !ok2 {
				return errNotInt
			}
			i += 2
		case stores && strings.EqualFold(opt, "store") && more >= 1:
			q.storeAs = &options[i+1]
			i++
		case strings.EqualFold(opt, "by") && more >= 1:
			q.by = options[i+1]
			q.unsorted = !strings.Contains(q.by, "*")
			i++
		case strings.EqualFold(opt, "get") && more >= 1:
			q.gets = append(q.gets, options[i+1])
			i++
		default:
			return errSyntax
		}
	}
	return reply.Reply{}
}

// weighed is an item with its sort key.
type weighed struct {
	item   string
	number float64
	text   string
	hasKey bool // that the pattern makes of it
}

func (k *Keyspace) sort(args []string, stores bool) reply.Reply {
	var q sortQuery
	if failed := q.parse(args[2:], stores); failed.IsError() {
		return failed
	}
	items, failed := k.itemsToSort(args[1], &q)
	if failed.IsError() {
		return failed
	}
	if !q.unsorted {
		if failed := k.sortItems(items, &q); failed.IsError() {
			return failed
		}
	}
	items = items[q.from(len(items)):]
	if q.count >= 0 {
		items = items[:min(q.count, int64(len(items)))]
	}
	out := make([]reply.Reply, 0, len(items)*max(1, len(q.gets)))
	for _, it := range items {
		if len(q.gets) == 0 {
			out = append(out, reply.OfBulk(it.item))
		}
		for _, pattern := range q.gets {
			out = append(out, k.lookUpFor(pattern, it.item))
		}
	}
	if q.storeAs == nil {
		return reply.OfArray(out...)
	}
	return k.storeList(*q.storeAs, out)
}

// from is the first item of a LIMIT.
func (q *sortQuery) from(n int) int64 { return min(max(q.offset, 0), int64(n)) }

func (k *Keyspace) storeList(key string, items []reply.Reply) reply.Reply {
	if len(items) == 0 {
		k.drop(key)
		return reply.OfInt(0)
	}
	l := k.replace(key, listType).list
	for _, item := range items {
		l.pushBack(item.Str)
	}
	return reply.OfInt(int64(len(items)))
}

func (k *Keyspace) itemsToSort(key string, q *sortQuery) ([]weighed, reply.Reply) {
	e := k.find(key)
	var items []weighed
	switch {
	case e == nil:
	case e.kind == listType:
		for _, s := range e.list.items() {
			items = append(items, weighed{item: s})
		}
	case e.kind == setType:
		for _, p := range e.set.fields.pairs {
			items = append(items, weighed{item: p.name})
		}
		// When Redis stores an unsorted set, it sorts by member; this always does.
		if q.unsorted {
			slices.SortStableFunc(items, func(a, b weighed) int { return cmp.Compare(a.item, b.item) })
		}
	case e.kind == zsetType:
		for _, it := range e.zset.items {
			items = append(items, weighed{item: it.member})
		}
		if q.unsorted && q.reverse {
			slices.Reverse(items)
		}
	default:
		return nil, errWrongType
	}
	return items, reply.Reply{}
}

func (k *Keyspace) sortItems(items []weighed, q *sortQuery) (failed reply.Reply) {
	for i := range items {
		it := &items[i]
		it.text = it.item
		if q.by != "" {
			found := k.lookUpFor(q.by, it.item)
			it.text, it.hasKey = found.Str, found.Kind != reply.Nil
		}
		if q.alpha || q.by != "" && it.text == "" {
			continue
		}
		var ok bool
		if it.number, ok = parseBound(it.text); !ok {
			return reply.OfError("ERR One or more scores can't be converted into double")
		}
	}
	slices.SortStableFunc(items, func(a, b weighed) int {
		order := cmp.Compare(a.number, b.number)
		switch {
		case !q.alpha && order == 0:
			order = cmp.Compare(a.item, b.item)
		case q.alpha && !a.hasKey && b.hasKey:
			order = -1
		case q.alpha && a.hasKey && !b.hasKey:
			order = 1
		case q.alpha:
			order = cmp.Compare(a.text, b.text)
		}
		if q.reverse {
			return -order
		}
		return order
	})
	return reply.Reply{}
}

// lookUpFor evaluates a pattern of BY or GET for an item: # is the item itself; * is
// replaced by the item in the name of a string or, before ->, of a hash.
func (k *Keyspace) lookUpFor(pattern, item string) reply.Reply {
	if pattern == "#" {
		return reply.OfBulk(item)
	}
	before, after, found := strings.Cut(pattern, "*")
	if !found {
		return reply.Reply{}
	}
	name, field, ofHash := strings.Cut(after, "->")
	if !ofHash || field == "" {
		if e, _ := k.value(before+item+after, stringType, nothing); e != nil {
			return reply.OfBulk(k.textOf(e))
		}
		return nothing
	}
	if e, _ := k.value(before+item+name, hashType, nothing); e != nil {
		return hget(k, e, []string{"hget", "", field})
	}
	return nothing
}
