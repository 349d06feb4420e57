package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// dataText is the data of a node, with deadlines that count from an instant.
func dataText(s *server, data Data, now Instant) string {
	n := s.node.(Forker).Fork().(interface {
		Forker
		Copier
	})
	ctx := context.Background()
	if err := errors.Join(n.Reset(ctx), n.Load(ctx, data)); err != nil {
		panic(err)
	}
	v, err := n.View(ctx)
	if err != nil {
		panic(err)
	}
	keys := slices.DeleteFunc(shifted(v.Keys, -now), func(k Key) bool { return k.Deadline != NoDeadline && k.Deadline <= 0 })
	return fmt.Sprint(keys)
}

// StateText tells worlds apart that a search must tell apart, as simply as can be: it is
// what the searches of the tests compare the search with.
func StateText(w *World, clocks []string) string {
	var b strings.Builder
	base := w.now
	if slices.ContainsFunc(w.threads, func(t *thread) bool {
		return !t.ended() && !w.process(t.process).crashed && slices.ContainsFunc(clocks, func(name string) bool {
			return name == t.name || strings.Contains(name, ":") && strings.HasPrefix(t.name+":", Root(name)+":")
		})
	}) {
		fmt.Fprintln(&b, "now", w.now)
	}
	for _, s := range w.servers {
		fork := s.node.(Forker).Fork().(Forker)
		if _, due := fork.NextDue(); !due { // then the clock of a node that stands still does not matter
			if _, err := fork.AdvanceTo(context.Background(), w.now+s.clock); err != nil {
				panic(err)
			}
		}
		fork.Shift(-(w.now + s.clock))
		fmt.Fprintf(&b, "node %x %v %v %q", fork.Digest(), s.machine, s.stale, s.leader)
		if s.saved != nil {
			fmt.Fprint(&b, " saved", dataText(s, s.saved, w.now+s.clock))
		}
		for _, q := range s.queue {
			fmt.Fprint(&b, " on its way", q.Full, dataText(s, q.data, w.now+s.clock))
			for _, t := range w.threads {
				if q.number <= t.wrote[s.leader] {
					fmt.Fprint(&b, " and ", t.name, " had written")
				}
			}
		}
		for _, q := range s.inbox {
			fmt.Fprintf(&b, " inbox %s %v %#v", q.from.Actor, w.waiting(q) != nil, q.request)
		}
		for _, g := range s.goodbyes {
			fmt.Fprint(&b, " goodbye ", g)
		}
		fmt.Fprintln(&b)
	}
	over := map[string]bool{}
	for _, t := range w.threads {
		if _, known := over[Root(t.name)]; !known {
			over[Root(t.name)] = true
		}
		if !t.ended() && !w.process(t.process).crashed {
			over[Root(t.name)] = false
		}
	}
	for _, t := range w.threads {
		d := "over"
		if !over[Root(t.name)] {
			d = fmt.Sprintf("%x", t.actor.(Digester).Digest())
		} else if t.task && len(t.listening) == 0 {
			continue
		}
		if t.ended() || w.process(t.process).crashed {
			fmt.Fprintf(&b, "%s %s ended %v\n", t.name, d, t.listening)
			continue
		}
		left := Instant(-1)
		if t.until != NoDeadline {
			left = max(t.until-base, 0)
		}
		fmt.Fprintf(&b, "%s %s %v %v %v", t.name, d, left, t.inside, t.listening)
		if t.sent != nil {
			fmt.Fprintf(&b, " sent %q %v", t.sent.missing, t.sent.answer)
		}
		fmt.Fprintln(&b)
	}
	for _, p := range w.processes {
		fmt.Fprintln(&b, p.machine)
		for _, d := range w.mail {
			if d.Process == p.name {
				fmt.Fprintln(&b, d)
			}
		}
	}
	var rest []string
	for _, h := range w.wanted {
		rest = append(rest, fmt.Sprint(h))
	}
	for _, l := range w.cuts {
		rest = append(rest, fmt.Sprint(l))
	}
	for _, o := range inOrder(slices.Clone(w.watches)) {
		rest = append(rest, fmt.Sprint(o))
	}
	slices.Sort(rest)
	fmt.Fprintln(&b, rest, w.leaders)
	return b.String()
}
