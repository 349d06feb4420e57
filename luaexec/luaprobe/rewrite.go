// Package luaprobe rewrites a script so that it reports each line that it runs, with the
// locals in scope and every redis.call.
//
// Probes are put into the source as it is, not into a syntax tree that is then
// printed: every byte of the script stays on its line, so that the messages of
// errors name the same lines, and nothing that a tree forgets (parentheses,
// comments, the text of a number) can be lost. The tree only tells where statements
// begin and end and which locals are in scope.
//
// The probed script is Lua that any engine runs: it has the script's text as a
// function in its first lines and the code that the probes call below it. It
// answers with an array, which Decode turns into the reply of the plain script
// and a Report.
package luaprobe

import (
	_ "embed"
	"fmt"
	"strings"
)

// Limits on how much of a run is kept.
const (
	keptPasses = 20   // of each loop: this many first and this many last passes
	firstKept  = 1500 // events
	lastKept   = 500
)

// Keys says which arguments of a command are keys, as COMMAND INFO does: the
// command is argument 0 and a negative last counts from the end.
type Keys struct{ First, Last, Step int }

// Probe is a script with probes.
type Probe struct {
	// Source is the plain script, and Text the one to run in its place.
	Source, Text string
	// Shown is the script as a person reads it, and the text that all lines of a
	// Report and of the fields below mean: the source, or LayOut of a source
	// that has several statements on a line.
	Shown string

	Statements []Statement

	calls   []int // by call: the line of Shown
	sites   []int // by call: the source's line
	tails   []int // by statement: the source's line of its tail call, or 0
	lines   []int // by statement: the source's line that it begins on
	bodyEnd int   // last line of the source in Text
	runLine int   // of Text that the script is called on
}

// Statement is a statement that is reported. The conditions of while, until and
// elseif count as statements, because each of their evaluations is reported.
type Statement struct {
	Line   int      // on which it begins
	Locals []string // names, in the order in which they were declared; of too many, the outermost are left out
	Probed bool     // false: its function has no room for probes, and reports nothing
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

// Rewrite puts probes into a script. After a command that writes, named in lower case, its keys are read and
// reported. The error is a *syntax.Error.
func Rewrite(source string, writes map[string]Keys) (*Probe, error) {
	s, err := read(source)
	if err != nil {
		return nil, err
	}
	probe := &Probe{Source: source, Shown: source}
	lines := make([]int, len(s.Tokens))
	for i, t := range s.Tokens {
		lines[i] = int(t.Line)
	}
	plain := lines
	if s.isCrowded() {
		probe.Shown, lines = s.layOut()
	}
	for _, r := range s.reports {
		probe.Statements = append(probe.Statements, Statement{
			Line: lines[r.First], Locals: locals(r), Probed: hasRoom(r.Fn) && r.Scope.InScope(r.Fn) <= maxActive,
		})
		probe.tails = append(probe.tails, s.tailLine(r))
		probe.lines = append(probe.lines, plain[r.First])
	}
	for _, at := range s.calls {
		probe.calls = append(probe.calls, lines[at+3])
		probe.sites = append(probe.sites, plain[at+3])
	}
	w := &writer{insertions: s.insertions(probe)}
	probe.Text = w.write(writes)
	return probe, nil
}

func (s *script) freePrefix() string {
	free := prefix
	for n := 2; strings.Contains(s.source, free); n++ {
		free = fmt.Sprintf("probe%d_", n)
	}
	return free
}
