// Package luaprobe rewrites a script so that it tells of each line that it runs,
// with the locals in scope and every redis.call.
//
// Probes are put into the source as it is, not into a syntax tree that is then
// printed: every byte of the script stays on its line, so that the messages of
// errors name the same lines, and nothing that a tree forgets (parentheses,
// comments, the text of a number) can be lost. No tree is needed for that, only
// where statements begin and end and which locals are in scope.
//
// The probed script is Lua that any engine runs: it has the script's text as a
// function in its first lines and the code that the probes call below it. It
// answers with an array, which Decode turns into the reply of the plain script
// and a Report.
package luaprobe

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// What of a run is kept.
const (
	KeptPasses = 20   // of each loop: so many first and so many last passes
	firstKept  = 1500 // events
	lastKept   = 500
)

// MaxEvents is how many events of a run are kept.
const MaxEvents = firstKept + lastKept

// Keys says which arguments of a command are keys, as COMMAND INFO does: the
// command is argument 0 and a negative last counts from the end.
type Keys struct{ First, Last, Step int }

// Options say what to look at.
type Options struct {
	// Writes are the commands, in lower case, after which the keys that they
	// were given are read and reported.
	Writes map[string]Keys
}

// Probe is a script with probes.
type Probe struct {
	// Source is the plain script, and Text the one to run in its place.
	Source, Text string
	// Shown is the script as a person reads it, and the text that all lines of a
	// Report and of the fields below mean: the source, or LayOut of a source
	// that has several statements on a line.
	Shown string

	Statements []Statement
	Loops      []Span

	calls   []int // by call: the line of Shown
	sites   []int // by call: the source's line
	tails   []int // by statement: the source's line of its tail call, or 0
	lines   []int // by statement: the source's line that it begins on
	bodyEnd int   // last line of the source in Text
	runLine int   // of Text that the script is called on
}

// Span is what a statement takes of the script, in lines from 1.
type Span struct{ Line, LastLine int }

// Statement is a place that events name. The conditions of while, until and
// elseif are places too, because each evaluation of theirs is reported.
type Statement struct {
	Span
	Locals  []string // names, in the order in which they were declared
	Omitted int      // locals that are in scope, but too many to be reported
	Probed  bool     // else the function uses too many variables, and is silent
}

//go:embed probe.lua
var runtime string

const prefix = "probe_"

// entries are the functions that probes call.
var entries = []string{
	"line", "loop", "pass", "leave", "call", "pcall", "callat", "pcallat", "redis", "none",
}

// Limits of Lua 5.1 for one function.
const (
	maxUpvalues  = 60
	maxRegisters = 180 // of gopher-lua's 200, some of which an expression needs
	maxReported  = 100
	maxActive    = 190
)

// Rewrite puts probes into a script. Its error is a *SyntaxError.
func Rewrite(source string, options Options) (*Probe, error) {
	p, err := parse(source)
	if err != nil {
		return nil, err
	}
	probe := &Probe{Source: source, Shown: source}
	lineOf := func(token int) int { return p.tokens[token].line }
	lastLineOf := func(token int) int { return p.tokens[token].lastLine }
	if p.isCrowded() {
		text, lines := p.layOut()
		probe.Shown = text
		lineOf = func(token int) int { return lines[token].first }
		lastLineOf = func(token int) int { return lines[token].last }
	}
	for _, s := range p.statements {
		names, omitted := s.names()
		probe.Statements = append(probe.Statements, Statement{
			Span:   Span{lineOf(s.token), lastLineOf(s.end - 1)},
			Locals: names, Omitted: omitted, Probed: s.fn.hasRoom() && s.active() <= maxActive,
		})
		probe.tails = append(probe.tails, s.tailLine)
		probe.lines = append(probe.lines, p.tokens[s.token].line)
	}
	for _, l := range p.loops {
		probe.Loops = append(probe.Loops, Span{lineOf(l.first), lastLineOf(l.end - 1)})
	}
	for _, c := range p.sites {
		probe.calls = append(probe.calls, lineOf(c.token))
		probe.sites = append(probe.sites, p.tokens[c.token].line)
	}
	w := &writer{parser: p, probe: probe, prefix: p.freePrefix()}
	probe.Text = w.write(options)
	return probe, nil
}

// freePrefix is one that no name of the script begins with.
func (p *parser) freePrefix() string {
	free := prefix
	for n := 2; ; n++ {
		clash := slices.ContainsFunc(p.tokens, func(t token) bool {
			return t.kind == nameToken && strings.HasPrefix(t.text, free)
		})
		if !clash {
			return free
		}
		free = fmt.Sprintf("probe%d_", n)
	}
}

// hasRoom tells whether a function and all those around it can use the probes
// besides their own variables.
func (f *function) hasRoom() bool {
	for ; f != nil; f = f.parent {
		if len(f.outer)+len(entries) > maxUpvalues {
			return false
		}
	}
	return true
}

// active is how many locals of its own the function has at a statement.
func (s statement) active() int {
	n := 0
	for v := s.scope; v != nil && v.owner == s.fn; v = v.prev {
		n++
	}
	return n
}

// names are the locals that a statement reports: those of its function, and
// those of enclosing ones that the function uses anyway.
func (s statement) names() (names []string, omitted int) {
	room := min(maxReported, maxRegisters-s.active())
	seen := map[string]bool{"": true}
	for v := s.scope; v != nil; v = v.prev {
		if seen[v.name] {
			continue
		}
		seen[v.name] = true
		switch {
		case v.owner != s.fn && !s.fn.uses(v):
		case len(names) >= room:
			omitted++
		default:
			names = append(names, v.name)
		}
	}
	slices.Reverse(names)
	return names, omitted
}
