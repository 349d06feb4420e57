package recording

import (
	"fmt"
	"slices"
	"strings"
)

// The rules about sections. Whoever shares one is in a section of its own beside it, so that the
// engine's rule still says who is alone, and a rule of the lesson's own keeps both kinds apart.
const (
	alone            = "mutual-exclusion"
	readersOrWriter  = "readers-or-writer"
	sharedSectionFmt = "%s (%s reads)"
)

// section is what a lesson calls the section of an event.
func (p *program) section(e *Event) string {
	if e.Shared {
		return fmt.Sprintf(sharedSectionFmt, e.Section, p.name)
	}
	return e.Section
}

// cross has the actor enter or leave a section. Whoever enters has room kept for the leave.
func (p *program) cross(e *Event) {
	name := p.section(e)
	in := p.w.inside[name]
	room := len("leave()"+quoted(name)) + len("\n    work(\"100h00m00.000s\")\n    ")
	switch {
	case e.Kind == Leave && !slices.Contains(in, p):
		return
	case e.Kind == Leave:
		p.bytes -= room
	case p.bytes+2*room > mostLua-1024:
		p.w.leftOut++
		return
	default:
		p.bytes += room
	}
	p.until(e.At)
	p.w.until(e.At)
	if e.Kind == Leave {
		p.add("leave(" + quoted(name) + ")")
		i := slices.Index(in, p)
		p.w.inside[name] = slices.Delete(in, i, i+1)
		return
	}
	mixed := p.w.isMixed()
	p.add("enter(" + quoted(name) + ")")
	p.w.inside[name] = append(in, p)
	if e.Shared {
		p.w.share(e.Section, name)
	}
	if p.beat == nil {
		return
	}
	if len(in) == 1 && in[0] != p {
		p.beat.breaks(alone)
	}
	if !mixed && p.w.isMixed() {
		p.beat.breaks(readersOrWriter)
	}
}

// breaks notes that a rule is broken by the move.
func (b *beat) breaks(rule string) {
	if !slices.Contains(b.broken, rule) {
		b.broken = append(b.broken, rule)
	}
}

// shared is a section with those of its readers.
type shared struct {
	section string
	readers []string
}

// share notes that a section has a reader.
func (w *writer) share(section, reader string) {
	i := slices.IndexFunc(w.shared, func(s shared) bool { return s.section == section })
	if i < 0 {
		i = len(w.shared)
		w.shared = append(w.shared, shared{section: section})
	}
	if s := &w.shared[i]; !slices.Contains(s.readers, reader) {
		s.readers = append(s.readers, reader)
	}
}

// isMixed tells whether somebody reads where another writes.
func (w *writer) isMixed() bool {
	return slices.ContainsFunc(w.shared, func(s shared) bool {
		return len(w.inside[s.section]) > 0 &&
			slices.ContainsFunc(s.readers, func(r string) bool { return len(w.inside[r]) > 0 })
	})
}

// rule is the rule of the lesson's own, as an expression: nobody reads where another writes.
func (w *writer) rule() string {
	all := make([]string, len(w.shared))
	for i, s := range w.shared {
		readers := make([]string, len(s.readers))
		for j, r := range s.readers {
			readers[j] = fmt.Sprintf("inside(%s) == 0", quoted(r))
		}
		all[i] = fmt.Sprintf("(inside(%s) == 0 or %s)", quoted(s.section), strings.Join(readers, " and "))
	}
	return strings.Join(all, " and ")
}
