package lessons

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Challenge sets the learner a goal that the story does not reach.
type Challenge struct {
	Say      Prose // what the learner is to bring about
	Hint     Prose
	Why      Prose // why the solution works; may be empty
	Goal     Goal
	Solution []engine.Choice // one schedule that reaches the goal, from the start; empty when the goal is a repair
	Edits    []PartEdit      // one good repair; empty for other goals
	Place    Place           // of the solution
}

// PartEdit is another text for a part of a lesson.
type PartEdit struct {
	Part   Part
	Source string
}

// Repaired is a lesson with the solution of a challenge to repair it.
func (c Challenge) Repaired(l *Lesson) *Lesson {
	for _, e := range c.Edits {
		l = l.With(e.Part, e.Source)
	}
	return l
}

// Goal is the goal of a challenge: exactly one of Break, Reach and Repair is set.
type Goal struct {
	Repair  *Question // what a search must find to hold, together with all invariants of the lesson, in the lesson as the learner has edited it
	Break   string    // the name of an invariant of the lesson that must break
	Reach   *Rule     // an expression over the keys that must be true after a step, or at the start
	Still   []Rule    // of a repair: expressions each of which must be able to become true afterwards
	With    []string  // what must have happened on the way, in this order: the beginnings of choices, whole words
	Without []string  // what may not happen on the way, written as With
	Place   Place
}

// Excludes tells whether a choice may not be made on the way to the goal.
func (g Goal) Excludes(c engine.Choice) bool {
	return slices.ContainsFunc(g.Without, func(begin string) bool { return begins(c, begin) })
}

func begins(c engine.Choice, begin string) bool { return strings.HasPrefix(c.String()+" ", begin+" ") }

// since is the first of a trace's snapshots with which the goal can be reached, because all that it wants on the way has
// happened, one after the other; one that the trace does not have when it has not.
func (g Goal) since(t *engine.Trace) (n int) {
	for _, with := range g.With {
		at := slices.IndexFunc(t.Steps[n:], func(s engine.Step) bool { return begins(s.Choice, with) })
		if at < 0 {
			return len(t.Steps) + 1
		}
		n += at + 1
	}
	return n
}

// String is the goal as a lesson writes it.
func (g Goal) String() string {
	if g.Reach != nil {
		return "reach " + g.Reach.Lua
	}
	if g.Repair != nil {
		return "repair " + cmp.Or(g.Repair.Invariant, "all")
	}
	return "break " + g.Break
}

// Reached looks for the first of a trace's snapshots, from the nth on, with which
// the goal is reached; 0 is the start. An error means that the goal's expression
// could not be evaluated there, which is a mistake in the lesson. What comes after a choice
// that the goal excludes does not count.
func (g Goal) Reached(t *engine.Trace, from int) (step int, ok bool, err error) {
	for i, s := range t.Steps {
		if g.Excludes(s.Choice) {
			before := t.Cut(i)
			t = &before
			break
		}
	}
	if g.Repair != nil {
		return 0, false, nil // no step reaches it
	}
	from = max(from, g.since(t))
	if g.Reach == nil {
		step, ok = g.broken(t, from)
		return step, ok, nil
	}
	rule, err := newLuaRule(*g.Reach)
	if err != nil {
		return 0, false, err
	}
	for n := max(from, 0); n <= len(t.Steps); n++ {
		holds, err := rule.holds(t.At(n), nil)
		if err != nil {
			return n, false, err
		}
		if holds {
			return n, true, nil
		}
	}
	return 0, false, nil
}

func (g Goal) broken(t *engine.Trace, from int) (step int, ok bool) {
	for n := max(from, 1); n <= len(t.Steps); n++ {
		for _, v := range t.Steps[n-1].Broken {
			if v.Invariant == g.Break {
				return n, true
			}
		}
	}
	return 0, false
}

func (g Goal) want() fact.Fact {
	if g.Reach != nil {
		return fact.Of("lesson-becomes-true", g.Reach.Lua)
	}
	return fact.Of("lesson-step-breaks", g.Break)
}
