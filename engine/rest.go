package engine

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// Rest is the part of a Model outside its lanes: processes, links, transactions, and the state of
// servers that their nodes do not know. It is immutable. Its instants count from the one at which it
// was taken.
type Rest struct {
	processes []process
	servers   []server // without inboxes
	inboxes   [][]delayed
	leaders   map[string]string
	writes    int
	cuts      []Link
	watches   []watch
}

// delayed is a request in the inbox of a node that is paused.
type delayed struct {
	sent    sent
	awaited bool // its thread waits for the reply: restoring uses the request in that thread's lane
}

// TimedData is Data that a Model can keep. It expires by the clock of the node that loads it.
type TimedData interface {
	// AppendKey appends the same bytes for data only if it has the same content and the same time left
	// to live from now.
	AppendKey(key []byte, now Instant) []byte
	// Later is a copy with all its instants moved by a span.
	Later(by Instant) Data
	// Aged is a copy without the keys that have expired by now.
	Aged(ctx context.Context, now Instant) Data
}

// Rest takes the rest out of the model as it is.
func (m *Model) Rest() *Rest {
	w := m.world
	r := &Rest{leaders: maps.Clone(w.leaders), writes: w.writes, cuts: slices.Clone(w.cuts), watches: slices.Clone(w.watches)}
	for _, p := range w.processes {
		r.processes = append(r.processes, *p)
	}
	for _, v := range w.servers {
		var inbox []delayed
		for _, q := range v.inbox {
			inbox = append(inbox, delayed{*q, w.waiting(q) != nil})
		}
		kept := v.later(-w.now)
		kept.inbox = nil
		for i := range kept.queue {
			kept.queue[i].Changes = nil // only pages show them: a replica loads the data
		}
		r.servers, r.inboxes = append(r.servers, kept), append(r.inboxes, inbox)
	}
	return r
}

// Delayed tells whether requests wait for a paused node.
func (r *Rest) Delayed() bool {
	return slices.ContainsFunc(r.inboxes, func(inbox []delayed) bool { return len(inbox) > 0 })
}

// Runs tells whether a process does anything by itself.
func (r *Rest) Runs(name string) bool {
	i := slices.IndexFunc(r.processes, func(p process) bool { return p.name == name })
	return r.processes[i].runs()
}

// Plain tells whether only actors, nodes and the clock can change anything, and lanes have all that a client knows: nothing
// is paused, cut, saved, watched, queued or delayed, no node is down or has a clock of its own, and no process remembers anything.
func (r *Rest) Plain() bool {
	for _, p := range r.processes {
		m := p.machine
		m.crashed, m.clock = false, 0 // lanes tell who has crashed, and no timer follows the clock of a process
		if m != (machine{name: p.name}) || len(p.memory) > 0 {
			return false
		}
	}
	for i, v := range r.servers {
		if v.machine != (machine{name: v.name}) || v.stale || v.saved != nil || v.tooFew() || len(v.queue) > 0 || len(r.inboxes[i]) > 0 {
			return false
		}
	}
	return len(r.cuts) == 0 && len(r.watches) == 0
}

// restKey appends bytes that are equal only for an equal Rest. It puts cuts and watches in order first.
func (w *World) restKey(key []byte) []byte {
	for _, p := range w.processes {
		key = p.key(key)
		if len(p.memory) == 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(p.memory)) {
			key = appendText(appendText(append(key, 'p'), name), p.memory[name])
		}
	}
	for _, v := range w.servers {
		key = w.serverKey(key, v)
	}
	order := func(a, b Link) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) }
	slices.SortFunc(w.cuts, order)
	for _, l := range w.cuts {
		key = appendText(appendText(append(key, 'c'), l.From), l.To)
	}
	w.watches = inOrder(w.watches)
	for _, o := range w.watches {
		key = appendFlags(appendText(appendText(appendText(append(key, 'o'), o.actor), o.node), o.key), o.changed)
	}
	return key
}

func (w *World) serverKey(key []byte, v *server) []byte {
	key = appendFlags(v.key(key), v.stale, v.saved != nil)
	key = appendText(appendText(key, v.leader), w.leaders[v.group])
	if v.saved != nil {
		key = v.saved.(TimedData).AppendKey(key, w.now)
	}
	for _, q := range v.queue {
		key = q.data.(TimedData).AppendKey(append(key, 'q'), w.now)
		key = binary.AppendUvarint(appendFlags(key, q.Full), uint64(q.number))
	}
	for _, q := range v.inbox {
		t := w.waiting(q)
		key = appendText(appendFlags(append(key, 'i'), t != nil), q.from.Actor)
		if t == nil { // it is in no lane
			key = fmt.Appendf(q.key(key), "%v %s", q.from, orphan(q.request))
		}
	}
	for _, g := range v.goodbyes {
		key = appendFlags(appendText(appendText(append(key, 'g'), g.process), g.actor), g.arrived)
	}
	return append(v.hearsKey(key, w.now), '.')
}

// orphan is the text of a request whose reply nobody awaits. It holds no address, so that requests of
// equal content have equal texts.
func orphan(r Request) string {
	e, ok := r.(Exec)
	if !ok {
		return fmt.Sprintf("%#v", r)
	}
	var rest string
	if e.Op.Script != nil {
		rest = e.Op.Script.Source
	}
	if t := e.Transaction; t != nil {
		rest += fmt.Sprintf("%q %t %t", t.Watch, t.Forget, t.Commit)
		for _, op := range t.Ops {
			rest += orphan(Exec{Op: op})
		}
	}
	e.Op.Script, e.Transaction = nil, nil
	return fmt.Sprintf("%#v %q", e, rest)
}

// inOrder sorts watches and keeps one for each actor, node and key: a watch whose key has changed, if
// there is one.
func inOrder(all []watch) []watch {
	slices.SortFunc(all, func(a, b watch) int {
		if c := cmp.Or(cmp.Compare(a.actor, b.actor), cmp.Compare(a.node, b.node), cmp.Compare(a.key, b.key)); c != 0 || a.changed == b.changed {
			return c
		}
		if a.changed {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(all, func(a, b watch) bool { return a.actor == b.actor && a.node == b.node && a.key == b.key })
}

// age removes expired keys from snapshots and from queued writes.
func (w *World) age(ctx context.Context) {
	for _, v := range w.servers {
		kept := []*Data{&v.saved}
		for i := range v.queue {
			kept = append(kept, &v.queue[i].data)
		}
		for _, data := range kept {
			if *data != nil {
				*data = (*data).(TimedData).Aged(ctx, w.now+v.clock)
			}
		}
	}
}

// renumber gives queued writes the smallest numbers that keep their order. Only the order decides
// what has reached whom, so that states that differ in numbers alone become one.
func (w *World) renumber() {
	w.writes = 0
	for _, leader := range w.servers {
		w.renumberOf(leader.name)
	}
}

func (w *World) renumberOf(leader string) {
	var numbers []int
	for _, v := range w.servers {
		for _, q := range v.queue {
			if v.leader == leader {
				numbers = append(numbers, q.number)
			}
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	rank := func(n int) int { // of queued writes, up to and with number n
		i, found := slices.BinarySearch(numbers, n)
		if found {
			i++
		}
		return i
	}
	for _, v := range w.servers {
		for i := range v.queue {
			if v.leader == leader {
				v.queue[i].number = rank(v.queue[i].number)
			}
		}
	}
	for _, t := range w.threads {
		if n, wrote := t.wrote[leader]; wrote {
			t.hasWritten(leader, rank(n))
		}
	}
	w.writes = max(w.writes, len(numbers))
}

// later is a copy of the server with the instants of its data moved by a span. A change of the queue
// or the goodbyes of one leaves the other as it is.
func (s *server) later(by Instant) server {
	later := func(data Data) Data {
		if data == nil {
			return nil
		}
		return data.(TimedData).Later(by)
	}
	o := *s
	o.saved, o.queue, o.goodbyes, o.hears = later(s.saved), nil, slices.Clone(s.goodbyes), s.hearsLater(by)
	for _, q := range s.queue {
		o.queue = append(o.queue, queued{q.Queued, later(q.data), q.number})
	}
	return o
}

// restoreRest puts the rest back. The threads must have been restored before: inboxes refer to them.
func (w *World) restoreRest(r *Rest) {
	for i := range r.processes {
		*w.processes[i] = r.processes[i]
	}
	for i := range r.servers {
		v := w.servers[i]
		*v = r.servers[i].later(w.now)
		for _, q := range r.inboxes[i] {
			if t := w.thread(q.sent.from.Actor); q.awaited && t != nil {
				v.inbox = append(v.inbox, t.sent)
			} else {
				orphan := q.sent
				v.inbox = append(v.inbox, &orphan)
			}
		}
	}
	clear(w.leaders)
	maps.Copy(w.leaders, r.leaders)
	w.writes = r.writes
	w.cuts = append(w.cuts[:0], r.cuts...)
	w.watches = append(w.watches[:0], r.watches...)
}

// appendText and appendFlags (8 at most) write parts of keys. No part is a prefix of another one of its
// kind: sequences of the same kinds are equal only if each part is.
func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendFlags(b []byte, flags ...bool) []byte {
	var bits byte
	for i, set := range flags {
		if set {
			bits |= 1 << i
		}
	}
	return append(b, bits)
}
