package engine

import (
	"fmt"
	"slices"
	"strings"
)

// HasDigestOf tells whether an actor is in one world where it is in another.
func HasDigestOf(w *World, actor string, other *World) bool {
	return w.thread(Root(actor)).actor.(Digester).Digest() == other.thread(Root(actor)).actor.(Digester).Digest()
}

// StateText tells worlds apart that a search must tell apart, as simply as can be: it is
// what the searches of the tests compare the search with.
func StateText(w *World, dated bool) string {
	var b strings.Builder
	base := w.now
	if dated {
		fmt.Fprintln(&b, "now", w.now)
	}
	for _, s := range w.servers {
		fork := s.node.(Forker).Fork().(Forker)
		fork.Shift(-(w.now + s.clock))
		fmt.Fprintf(&b, "node %x %v %v %v %q %v\n", fork.Digest(), s.machine, len(s.queue), s.stale, s.leader, s.saved != nil)
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
	slices.Sort(rest)
	fmt.Fprintln(&b, rest, w.leaders)
	return b.String()
}
