package luaprobe

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// insertions are the probes, by the token that they precede, follow or replace.
type insertions struct {
	*script
	probe   *Probe
	prefix  string
	before  map[int]string
	instead map[int]string
	after   map[int]string
	targets map[int]bool // tokens at which targets of assignments begin
}

func (s *script) insertions(probe *Probe) *insertions {
	i := &insertions{s, probe, s.freePrefix(), map[int]string{}, map[int]string{}, map[int]string{}, map[int]bool{}}
	for n, statement := range s.reports {
		for _, target := range statement.Targets {
			i.targets[target.Token] = true
		}
		if hasRoom(statement.Fn) {
			i.report(n, statement)
		}
	}
	for n, loop := range s.loops {
		if hasRoom(loop.Fn) {
			i.before[loop.First] += fmt.Sprintf("%sloop(%d);", i.prefix, n+1)
			i.after[loop.Body-1] += fmt.Sprintf("%spass(%d);", i.prefix, n+1)
			i.after[loop.End-1] += fmt.Sprintf("%sleave(%d)", i.prefix, n+1)
		}
	}
	for _, use := range s.Exprs {
		switch {
		case use.Kind == syntax.Varargs && use.Fn.Parent == nil:
			// Those of the script itself are none: Redis passes nothing. The probed
			// script is a function in which they may not be used, see Rewrite.
			i.instead[use.Token] = i.prefix + "none()"
		case isRedis(use) && hasRoom(use.Fn):
			i.redis(use)
		}
	}
	return i
}

// report inserts a probe that reports a statement before it runs.
func (i *insertions) report(n int, s *syntax.Statement) {
	told := i.probe.Statements[n]
	line := i.prefix + "line(" + strings.Join(append([]string{fmt.Sprint(n + 1)}, told.Locals...), ",") + ")"
	switch {
	case s.Condition > 0:
		open := "("
		if told.Probed {
			open = line + " or("
		}
		i.before[s.Condition] += open
		i.after[s.End-1] += ")"
		return
	case told.Probed:
		i.before[s.First] += line + ";"
	}
	if i.kind(s.First) != syntax.TokReturn {
		return
	}
	if s.Loop != nil {
		i.before[s.First] += fmt.Sprintf("%sleave(%d);", i.prefix, slices.Index(i.loops, s.Loop)+1)
	}
	if i.returnsRedis(s) {
		// redis.call gives one value, so that this changes nothing but keeps the
		// line of the call on Lua's stack.
		i.before[s.First+1] += "("
		i.after[s.End-1] += ")"
	}
}

// returnsRedis tells whether a statement is just return redis.call(…) or redis.pcall(…).
func (s *script) returnsRedis(r *syntax.Statement) bool {
	return len(r.Values) == 1 && r.Values[0].Kind == syntax.Call && r.Values[0].Object.Kind == syntax.Index &&
		r.Values[0].Object.Object.Kind == syntax.Variable && slices.Contains(s.calls, r.Values[0].Token)
}

// tailLine is the line of the call in `return f(…)`; 0 for other statements.
func (s *script) tailLine(r *syntax.Statement) int {
	if s.kind(r.First) != syntax.TokReturn || len(r.Values) != 1 || r.Values[0].Kind != syntax.Call || s.returnsRedis(r) {
		return 0
	}
	return r.Values[0].Line
}

// redis replaces redis.call and redis.pcall by the probe's functions, and redis by the
// probe's table where the table itself is passed on.
//
// What is assigned to stays as it is, so that Redis itself refuses it. So does
// what is only looked at: a message names the variable that a value was in.
func (i *insertions) redis(use *syntax.Expr) {
	at, target := use.Token, i.targets[use.Token]
	next := i.kind(at + 3)
	switch {
	case !i.isCall(use):
		if !target && i.isPassedOn(at) {
			i.instead[at] = i.prefix + "redis"
		}
		return
	case target && (next == '=' || next == ',' || i.kind(max(at-1, 0)) == syntax.TokFunction):
		return
	}
	i.instead[at], i.instead[at+1], i.instead[at+2] = "", "", i.prefix+i.Text(at+2)
	if next != '(' {
		return
	}
	i.instead[at+2] += "at"
	number := fmt.Sprint(slices.Index(i.calls, at) + 1)
	if i.kind(at+4) != ')' {
		number += ","
	}
	i.after[at+3] += number
}

// isPassedOn tells whether the name at a token is by itself a value that is assigned or
// returned.
func (s *script) isPassedOn(at int) bool {
	switch s.kind(max(at-1, 0)) {
	case '=', ',', '{', syntax.TokReturn:
	default:
		return false
	}
	switch next := s.kind(at + 1); next {
	case syntax.TokName, syntax.TokEOF, ',', ';', '}':
		return true
	default:
		return next.IsWord() && next != syntax.TokAnd && next != syntax.TokOr
	}
}
