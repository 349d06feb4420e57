package engine

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// rest finds or makes the number of all the rest.
func (s *states) rest(left budget) uint32 {
	w := s.world
	key := left.key(s.key[:0])
	for _, p := range w.processes {
		key = p.machine.key(key)
		if len(p.memory) == 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(p.memory)) {
			key = appendText(appendText(append(key, 'p'), name), p.memory[name])
		}
	}
	for _, v := range w.servers {
		key = s.serverKey(key, v)
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
	s.key = key
	number, known := s.restOf[string(key)]
	if !known {
		number = uint32(len(s.rests))
		s.restOf[string(key)] = number
		s.rests = append(s.rests, s.newRest(left))
	}
	return number
}

// queue finds or makes the number of who waits for what.
func (s *states) queue() uint32 {
	key := s.key[:0]
	for _, h := range s.world.wanted {
		key = binary.AppendUvarint(appendText(key, h.Section), uint64(len(h.Actors)))
		for _, a := range h.Actors {
			key = appendText(key, a)
		}
	}
	s.key = key
	number, known := s.queues[string(key)]
	if !known {
		number = uint32(len(s.wanted))
		s.queues[string(key)] = number
		s.wanted = append(s.wanted, wanted{holdings: slices.Clone(s.world.wanted)})
	}
	return number
}

// inOrder are watches of keys, each once: whether it has changed since any of them.
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

// lag is how far the clock of a node that stands still is behind.
func (s *states) lag(v *server) Instant {
	n := memoOf(v.node)
	if !n.moment().waits {
		return 0 // nothing on it could tell
	}
	return s.world.now + v.clock - n.now
}

func (s *states) serverKey(key []byte, v *server) []byte {
	w := s.world
	key = appendFlags(v.machine.key(key), v.stale, v.saved != nil)
	key = binary.AppendVarint(key, int64(s.lag(v)))
	key = appendText(appendText(key, v.leader), w.leaders[v.group])
	if v.saved != nil {
		key = appendData(key, v.saved, w.now)
	}
	for _, q := range v.queue {
		key = appendData(append(key, 'q'), q.data, w.now)
		key = binary.AppendUvarint(appendFlags(key, q.Full), uint64(q.number))
	}
	for _, q := range v.inbox {
		t := w.waiting(q)
		key = appendText(appendFlags(append(key, 'i'), t != nil), q.from.Actor)
		if t == nil { // nobody else knows what it is
			key = fmt.Appendf(q.key(key), "%v %s", q.from, orphan(q.request))
		}
	}
	for _, g := range v.goodbyes {
		key = appendText(appendText(append(key, 'g'), g.process), g.actor)
	}
	return append(key, '.')
}

// orphan is a request that nobody waits for any more, without the addresses in it.
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

// age has the data that nodes may load grow as old as it is. Where clocks may be set back,
// what has expired may be there again, and data with deadlines keeps the instant at which it was made.
func (s *states) age() error {
	w := s.world
	back := slices.ContainsFunc(w.scenario.Faults, func(c Choice) bool { return c.Kind == Clock })
	for _, v := range w.servers {
		kept := []*Data{&v.saved}
		for i := range v.queue {
			kept = append(kept, &v.queue[i].data)
		}
		for _, data := range kept {
			if *data == nil {
				continue
			}
			d := (*data).(memoData)
			if back && d.memo.moments[d.copy-1].waits {
				continue
			}
			older, err := d.aged(context.Background(), w.now+v.clock)
			if err != nil {
				return err
			}
			*data = older
		}
	}
	return nil
}

func appendData(key []byte, data Data, now Instant) []byte {
	d := data.(memoData)
	key = appendText(binary.AppendUvarint(key, uint64(d.copy)), d.memo.name)
	return binary.AppendVarint(key, int64(d.at-now))
}

// counted is data whose instants count from now.
func counted(data Data, from, to Instant) Data {
	if data == nil {
		return nil
	}
	d := data.(memoData)
	d.at += to - from
	return d
}

func (s *states) newRest(left budget) rest {
	w := s.world
	r := rest{
		leaders: map[string]string{}, writes: w.writes, left: left,
		cuts: slices.Clone(w.cuts), watches: slices.Clone(w.watches),
	}
	maps.Copy(r.leaders, w.leaders)
	for _, p := range w.processes {
		r.processes = append(r.processes, *p)
	}
	for _, v := range w.servers {
		kept := *v
		kept.saved = counted(v.saved, w.now, 0)
		kept.queue = nil
		for _, q := range v.queue {
			kept.queue = append(kept.queue, queued{Queued{Full: q.Full}, counted(q.data, w.now, 0), q.number})
		}
		var inbox []waits
		for _, q := range v.inbox {
			inbox = append(inbox, waits{*q, w.waiting(q) != nil})
		}
		kept.inbox, kept.goodbyes = nil, slices.Clone(v.goodbyes)
		r.servers, r.inboxes, r.late = append(r.servers, kept), append(r.inboxes, inbox), append(r.late, s.lag(v))
	}
	r.plain = r.isPlain()
	return r
}

// renumber gives the writes that replicas are sent the smallest numbers that keep their
// order: only that decides what has reached whom.
func renumber(w *World) {
	var numbers []int
	for _, v := range w.servers {
		for _, q := range v.queue {
			numbers = append(numbers, q.number)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	rank := func(n int) int { // how many of them are not later
		i, found := slices.BinarySearch(numbers, n)
		if found {
			i++
		}
		return i
	}
	for _, v := range w.servers {
		for i := range v.queue {
			v.queue[i].number = rank(v.queue[i].number)
		}
	}
	for _, t := range w.threads {
		t.wrote = rank(t.wrote)
	}
	w.writes = len(numbers)
}

func (s *states) restoreRest(r *rest, nodes []uint64) {
	w := s.world
	for i := range r.processes {
		*w.processes[i] = r.processes[i]
	}
	for i := range r.servers {
		v, from := w.servers[i], &r.servers[i]
		node, queue := v.node, v.queue[:0]
		*v = *from
		v.node, v.goodbyes = node, slices.Clone(from.goodbyes)
		n := memoOf(node)
		n.at, n.now = uint32(nodes[i]), w.now+v.clock-r.late[i]
		v.saved = counted(from.saved, 0, w.now)
		v.queue = queue
		for _, q := range from.queue {
			v.queue = append(v.queue, queued{q.Queued, counted(q.data, 0, w.now), q.number})
		}
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
