package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// lines tell where an actor stands now, what it waits for, and which variables
// have other values than before.
func (m *Move) lines() []string {
	if m.To == nil {
		return nil
	}
	lines := []string{m.Actor + " stands at " + m.To.String() + pending(m.Next)}
	if m.Next == nil {
		lines[0] = m.Actor + " stood at " + m.To.String()
	}
	for i := len(m.To.Frames) - 1; i >= 0; i-- {
		f, was := &m.To.Frames[i], &Frame{}
		if before := m.Before(i); before != nil {
			was = before
		}
		var news []string
		for _, text := range []string{newValues(was.Locals, f.Locals), newValues(was.Outer, f.Outer)} {
			if text != "" {
				news = append(news, text)
			}
		}
		if len(news) > 0 {
			lines = append(lines, fmt.Sprintf("|   %s:%d  %s", f.Chunk, f.Line, strings.Join(news, ", ")))
		}
	}
	return lines
}

// ranLines tells which lines the actors ran, in order: A ran redisson.lua:25 28, A:2.
func (s *Step) ranLines() []string {
	var lines []string
	actor, chunk := "", ""
	for _, r := range s.Ran {
		f := &r.At.Frames[0]
		switch place := fmt.Sprintf("%s:%d", f.Chunk, f.Line); {
		case r.Actor != actor:
			lines = append(lines, r.Actor+" ran "+place)
		case f.Chunk != chunk:
			lines[len(lines)-1] += ", " + place
		default:
			lines[len(lines)-1] += " " + strconv.Itoa(f.Line)
		}
		actor, chunk = r.Actor, f.Chunk
	}
	return lines
}

// String is the way into the program, outermost call first: A:2 → redisson.lua:31.
func (p *Position) String() string {
	var places []string
	for _, f := range slices.Backward(p.Frames) {
		places = append(places, fmt.Sprintf("%s:%d", f.Chunk, f.Line))
	}
	return strings.Join(places, " → ")
}

// pending is what an actor waits for.
func pending(r Request) string {
	if text := requestWords(r); text != "" {
		return ", next: " + text
	}
	switch r := r.(type) {
	case Receive:
		if r.Timeout < 0 {
			return ", waiting for a message on " + Word(r.Channel)
		}
		return ", waiting for a message on " + Word(r.Channel) + " for " + FormatSpan(r.Timeout)
	case Await:
		return ", waiting for the task " + Word(r.Name)
	case Sleep:
		if r.Label != "" {
			return ", sleeping for " + FormatSpan(r.For) + ": " + Word(r.Label)
		}
		return ", sleeping for " + FormatSpan(r.For)
	}
	return ""
}

// moves are those that lead to where the actors stand at the start.
func (s *Snapshot) moves() []Move {
	var ms []Move
	for _, a := range s.Actors {
		if a.Position != nil {
			ms = append(ms, Move{Actor: a.Name, To: a.Position, Next: a.Next})
		}
	}
	return ms
}

// lines tells what a script did, line by line: the source's line, the locals
// that have other values than a line before, and each call with its reply and
// the keys that it changed.
func (in *Inside) lines(s *Step) []string {
	source := strings.Split(in.Shown, "\n")
	var out []string
	var locals []Local
	keys, last := in.Before, 0
	for _, l := range in.Lines {
		if l.N > last+1 {
			out = append(out, fmt.Sprintf("| … %d more …", l.N-last-1))
		}
		last = l.N
		if l.Call != nil {
			out = append(out, fmt.Sprintf("|       %s → %s", strings.Join(l.Call.Args, " "), l.Call.Reply))
			for _, c := range changed(nil, "", keys, l.Keys) {
				out = append(out, "|         "+c.Key+": "+s.describeChange(c))
			}
			keys = l.Keys
			continue
		}
		text := ""
		if l.Line >= 1 && l.Line <= len(source) {
			text = strings.TrimRight(source[l.Line-1], " \t\r")
		}
		out = append(out, fmt.Sprintf("| %3d  %s%s", l.Line, text, passes(l.Passes)))
		if news := newValues(locals, l.Locals); news != "" {
			out = append(out, "|       "+news)
		}
		locals = l.Locals
	}
	return out
}

// passes says which turn of each loop a line belongs to. What a loop looks at
// before its first turn is turn 0.
func passes(ns []int) string {
	if len(ns) == 0 || len(ns) == 1 && ns[0] == 0 {
		return ""
	}
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = fmt.Sprint(n)
	}
	return "   -- pass " + strings.Join(texts, ".")
}

func newValues(old, now []Local) string {
	known := map[string]string{}
	for _, l := range old {
		known[l.Name] = l.Value
	}
	var news []string
	for _, l := range now {
		if was, ok := known[l.Name]; !ok || was != l.Value {
			news = append(news, l.Name+" = "+l.Value)
		}
	}
	return strings.Join(news, ", ")
}
