package portable

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/node/redis/keyspace"
)

// Code is the first word of every error reply that refuses something.
const Code = "REFUSED"

// Refusal is something that a lesson may not do, because the servers that it can be
// played on would do it each in its own way.
type Refusal struct {
	What string    // TIME, SET … PXAT, math.random
	Why  fact.Fact // and what to write instead
	Line int       // of the source where it stands, from 1; 0: in no source
}

// Server is what a refusal may depend on.
type Server interface {
	// Source is the script that EVALSHA would run.
	Source(sha string) (text string, ok bool)
	// Hashes are the keys that hold hashes.
	Hashes() []engine.Key
}

// Refuse is the answer to an op that a lesson may not ask of a node; ok is false for
// all others.
func Refuse(op engine.Op, s Server) (r reply.Reply, ok bool) {
	if op.ReadOnly && writes(op) {
		return TakesNone(op), true
	}
	var refused []Refusal
	if op.Script != nil {
		refused = script(op.Script.AsWritten(), op.Args, s)
	} else if len(op.Args) > 0 {
		refused = command(op.Args, s)
	}
	if len(refused) == 0 {
		return reply.Reply{}, false
	}
	at := ""
	if op.Script != nil || refused[0].Line > 0 {
		at = " in the script"
	}
	if line := refused[0].Line; line > 0 {
		at = fmt.Sprintf(" on line %d of the script", line)
	}
	return reply.OfError(fmt.Sprintf("%s %s%s: %s", Code, refused[0].What, at, refused[0].Why)), true
}

// command lists what a lesson may not do in a command that a program sends; for a script, in the script.
func command(args []string, s Server) []Refusal {
	name := strings.ToLower(args[0])
	switch {
	case (name == "eval" || name == "eval_ro") && len(args) > 2:
		return script(args[1], args[3:], s)
	case (name == "evalsha" || name == "evalsha_ro") && len(args) > 2:
		if text, ok := s.Source(args[1]); ok {
			return script(text, args[3:], s)
		}
		return nil
	case name == "script" && len(args) == 3 && strings.EqualFold(args[1], "load"):
		return script(args[2], nil, s)
	case listsHash[name] && len(args) == 2:
		return longHash(name, 0, s.Hashes(), func(k engine.Key) bool { return k.Name == args[1] })
	}
	return match(call{name: name, words: capitals(args[1:])}, nil, inPrograms)
}

// script is what is wrong with a script; values are its ARGV.
func script(text string, values []string, s Server) []Refusal {
	read := sourceOf(text)
	if len(read.refused) > 0 || !read.depends {
		return read.refused
	}
	var found []Refusal
	given := capitals(values)
	for _, c := range read.calls {
		found = append(found, read.match(c, given)...)
		if !c.looksAtClock() {
			found = append(found, match(call{c.name, given, c.line}, nil, unnamed)...)
		}
		if listsHash[c.name] && !read.sorts() {
			found = append(found, longHash(c.name, c.line, s.Hashes(), func(engine.Key) bool { return true })...)
		}
	}
	return found
}

// In finds what a script, or a program, may not do, by its text alone.
func In(text string, program bool) []Refusal {
	if !program {
		return script(text, nil, Empty{})
	}
	var found []Refusal
	for _, c := range sourceOf(text).calls {
		found = append(found, match(c, nil, inPrograms)...)
	}
	return found
}

// Empty is a server that holds nothing.
type Empty struct{}

// Source finds no script.
func (Empty) Source(string) (string, bool) { return "", false }

// Hashes are none.
func (Empty) Hashes() []engine.Key { return nil }

func capitals(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = strings.ToUpper(text)
	}
	return out
}

// Denied are the commands, in lower case, that servers must refuse to scripts: Refuse sees only names
// in the text, not those made by the run.
func Denied() []string {
	var names []string
	for _, r := range refusals {
		if (r.where == everywhere || r.where == unnamed) && r.words == "" {
			names = append(names, strings.Fields(r.names)...)
		}
	}
	return append(names, strings.Fields(waiting)...)
}

// byName are the rows of the table by the commands that they name.
var byName = func() map[string][]refusal {
	rows := map[string][]refusal{}
	for _, r := range refusals {
		for name := range strings.FieldsSeq(r.names) {
			rows[name] = append(rows[name], r)
		}
	}
	return rows
}()

// match finds the rows for a call. A row with words needs one of them among the call's own words or
// those in given.
func match(c call, given []string, in where) []Refusal {
	var found []Refusal
	for _, r := range byName[c.name] {
		if r.where&in == 0 || r.where&unnamed != 0 && r.words == "" {
			continue
		}
		what := strings.ToUpper(c.name)
		if r.words != "" {
			word := ""
			for w := range strings.FieldsSeq(r.words) {
				if slices.Contains(c.words, w) || slices.Contains(given, w) {
					word = w
				}
			}
			if word == "" {
				continue
			}
			what += " … " + word
		}
		found = append(found, Refusal{What: what, Why: fact.Of(r.why), Line: c.line})
	}
	return found
}

// match is match for a call in a script.
func (s *source) match(c call, given []string) []Refusal {
	return slices.DeleteFunc(match(c, given, inScripts), func(r Refusal) bool { return r.Why.Code == order && s.sorts() })
}

// sorts tells whether a script sorts anything.
func (s *source) sorts() bool { return s.names["sort"] > 0 }

// judge finds refusals that do not depend on arguments: of calls in the text, and of names that no
// script may use.
func (s *source) judge() {
	var found []Refusal
	for _, c := range s.calls {
		found = append(found, s.match(c, nil)...)
		s.depends = s.depends || listsHash[c.name] || slices.ContainsFunc(byName[c.name], func(r refusal) bool { return r.words != "" })
	}
	for _, f := range forbidden {
		for name := range strings.FieldsSeq(f.names) {
			if line := s.names[name]; line > 0 && s.names[f.unless] == 0 {
				found = append(found, Refusal{What: f.library + name, Why: fact.Of(f.why), Line: line})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
	s.refused = found
}

var sources luaexec.Cache[*source]

// sourceOf is the judged reading of a script, from a cache: it depends on the text alone.
func sourceOf(text string) *source {
	s, _ := sources.Of(text, func(text string) (*source, error) {
		s := read(text)
		s.judge()
		return s, nil
	})
	return s
}

// Queues tells whether a server takes an op of a transaction. It does not look into a script: that is refused its writes
// when it runs. What a lesson may not ask is taken, to be told so.
func Queues(op engine.Op, s Server) bool {
	text, _ := scriptOf(op, s)
	if op.ReadOnly && (writes(op) || luaexec.MayWrite(text)) {
		return false
	}
	if _, refused := Refuse(op, s); refused || op.Script != nil {
		return true
	}
	_, failed := keyspace.Find(op.Args)
	return !failed.IsError()
}
