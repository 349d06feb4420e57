package sql

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
)

// Digest tells nodes apart by all that a client could ever notice. Commits and arrivals count
// only by their order.
func (n *Node) Digest() uint64 {
	d := digest{commits: []int{n.commits}}
	for _, t := range n.tables {
		for _, r := range t.records {
			for v := r.committed; v != nil; v = v.before {
				d.commits = append(d.commits, v.at)
			}
		}
	}
	for _, c := range n.connections {
		if c.transaction != nil {
			d.commits = append(d.commits, c.transaction.snapshot)
		}
		if c.running != nil {
			d.arrivals = append(d.arrivals, c.arrival)
		}
	}
	slices.Sort(d.commits)
	slices.Sort(d.arrivals)
	d.commits, d.arrivals = slices.Compact(d.commits), slices.Compact(d.arrivals)
	d.say("%d %d %d %d", n.now, n.isolation, n.limits, d.order(n.commits))
	for i, c := range n.connections {
		d.connection(i, c)
	}
	for _, t := range n.tables {
		d.say("table %q", t.name)
		for _, r := range t.all() {
			d.record(r)
		}
	}
	h := fnv.New64a()
	h.Write([]byte(d.text.String()))
	return h.Sum64()
}

type digest struct {
	text              strings.Builder
	commits, arrivals []int
	transactions      map[*transaction]int
	parts             map[*lockStruct]int
}

func (d *digest) say(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

// order is the place of a commit among those that matter.
func (d *digest) order(commit int) int {
	i, _ := slices.BinarySearch(d.commits, commit)
	return i
}

func (d *digest) connection(i int, c *connection) {
	if d.transactions == nil {
		d.transactions, d.parts = map[*transaction]int{}, map[*lockStruct]int{}
	}
	next := ""
	if c.next != nil {
		next = fmt.Sprint(*c.next)
	}
	due, _ := c.due()
	d.say("connection %q %q %t %t %t %d %s %d %d", c.name, c.client.Actor, c.closed, c.ended, c.open, c.isolation, next, c.limits, due)
	for _, name := range slices.Sorted(maps.Keys(c.named)) {
		d.say("lock %q %d", name, c.named[name])
	}
	if s := c.running; s != nil {
		arrival, _ := slices.BinarySearch(d.arrivals, c.arrival)
		d.say("runs %v %t %d %d %q %d %v %t %d %d", *s.statement, s.auto, s.from, s.row, s.key, s.affected, s.result, s.waited, arrival, c.until)
	}
	if t := c.transaction; t != nil {
		d.transactions[t] = i + 1
		snapshot := -1
		if t.snapshot >= 0 {
			snapshot = d.order(t.snapshot)
		}
		d.say("transaction %d %d %t", t.isolation, snapshot, t.waits != nil)
		for _, u := range t.undo {
			d.say("wrote %q %s %t", u.table.name, u.record.key, u.fresh)
		}
		for j, s := range t.structs {
			d.parts[s] = j
			d.say("part %v", *s)
		}
	}
}

func (d *digest) record(r *record) {
	d.say("record %q %d", r.key, d.transactions[r.writer])
	for _, row := range r.written {
		d.say("written %#v", row) // which tells NULL from the text NULL
	}
	for v := r.committed; v != nil; v = v.before {
		d.say("version %#v %d", v.row, d.order(v.at))
	}
	for _, l := range r.locks {
		d.say("lock %d %c %d %t %d", d.transactions[l.of], l.mode, l.kind, l.waits, d.parts[l.part])
	}
}
