package lessons

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/node/redis/cluster"
)

// Lint lists what a lesson could prove and does not. The traces are all that was
// played of it, to the end: the story, and the solutions of the challenges.
func (l *Lesson) Lint(traces ...*engine.Trace) Problems {
	n := &lint{lesson: l}
	for _, t := range traces {
		if t != nil {
			n.traces = append(n.traces, t)
		}
	}
	n.expectations()
	n.invariants()
	for _, p := range l.Doubts() {
		if !slices.ContainsFunc(n.found, func(o *Problem) bool { return o.Code == p.Code && o.Place == p.Place }) {
			n.found = append(n.found, p)
		}
	}
	n.actors()
	n.scripts()
	n.meanings()
	n.nodes()
	n.faults()
	n.names()
	n.incident()
	n.versions()
	n.words()
	n.leads()
	n.found.Sort()
	return n.found
}

type lint struct {
	lesson *Lesson
	traces []*engine.Trace
	found  Problems

	keys, sections, tasks map[string]bool // that there are at any time
}

func (n *lint) note(s Severity, code Code, at Place, message, advice fact.Fact) {
	n.found = append(n.found, n.lesson.problem(s, code, at, message, advice))
}

func (n *lint) warn(code Code, at Place, message, advice fact.Fact) {
	n.note(Warning, code, at, message, advice)
}

// any tells whether something is true of a step of what was played.
func (n *lint) any(holds func(before *engine.Snapshot, s *engine.Step) bool) bool {
	for _, t := range n.traces {
		for i := range t.Steps {
			if holds(t.At(i), &t.Steps[i]) {
				return true
			}
		}
	}
	return false
}

func (n *lint) expectations() {
	advice := fact.Of("lesson-say-expect")
	var moved, silent []Beat
	for _, b := range n.lesson.Story {
		if len(b.Choices) > 0 {
			moved = append(moved, b)
		}
		if len(b.Choices) > 0 && b.Expect.silent() {
			silent = append(silent, b)
		}
	}
	if len(silent) == len(moved) {
		n.warn(CodeProvesNothing, moved[0].Move, fact.Of("lesson-expects-nothing-ever"), advice)
		return
	}
	for _, b := range silent {
		n.warn(CodeExpectsNothing, b.Move, fact.Of("lesson-expects-nothing"), advice)
	}
}

func (n *lint) actors() {
	for _, a := range n.lesson.Actors {
		moves := n.any(func(_ *engine.Snapshot, s *engine.Step) bool {
			return s.Choice.Kind == engine.Run && engine.Root(s.Choice.Target) == a.Name
		})
		if !moves {
			n.warn(CodeIdleActor, n.lesson.Declared["actor "+a.Name], fact.Of("lesson-idle-actor", a.Name), fact.Of("lesson-run-or-drop"))
		}
	}
}

// scripts looks for those that neither ran nor are named by anything that could run
// them: a learner may well go where the story does not.
func (n *lint) scripts() {
	for _, script := range n.lesson.Scripts {
		runs := n.lesson.names(script.Name) || n.any(func(_ *engine.Snapshot, s *engine.Step) bool {
			exec, ok := s.Request.(engine.Exec)
			return ok && exec.Op.Script != nil && exec.Op.Script.Name == script.Name
		})
		if !runs {
			n.warn(CodeUnusedScript, n.lesson.Declared["script "+script.Name], fact.Of("lesson-unused-script", script.Name), fact.Of("lesson-run-script-or-drop"))
		}
	}
}

// meanings compares what a lesson says of KEYS and ARGV with the calls. A call may leave out the last of them.
func (n *lint) meanings() {
	for _, script := range n.lesson.Scripts {
		keys, args := -1, -1
		n.any(func(_ *engine.Snapshot, s *engine.Step) bool {
			if exec, ok := s.Request.(engine.Exec); ok && exec.Op.Script != nil && exec.Op.Script.Name == script.Name {
				keys, args = max(keys, len(exec.Op.Keys)), max(args, len(exec.Op.Args))
			}
			return false
		})
		for _, m := range []struct {
			key, what  string
			means      []Text
			calledWith int
		}{{"keys", "KEYS", script.Keys, keys}, {"args", "ARGV", script.Args, args}} {
			if m.means != nil && m.calledWith >= 0 && len(m.means) != m.calledWith {
				n.warn(CodeMeanings, n.lesson.Declared[m.key+" "+script.Name],
					fact.Of("lesson-meanings", script.Name, m.calledWith, m.what, m.key, len(m.means)),
					fact.Of("lesson-write-meanings", m.key))
			}
		}
	}
}

// nodes looks for servers that nobody asks, and that no program names.
func (n *lint) nodes() {
	for _, name := range n.lesson.NodeNames() {
		at, declared := n.lesson.Declared["node "+name]
		asked := n.lesson.names(name) || n.any(func(_ *engine.Snapshot, s *engine.Step) bool {
			return engine.NodeOf(s.Request) == name || s.Choice.Kind.IsFault() && (s.Choice.Target == name || s.Choice.Other == name)
		})
		member := slices.ContainsFunc(n.lesson.Cluster, func(r cluster.Range) bool { return r.Node == name }) // somebody must have its slots
		if declared && !asked && !member {
			n.warn(CodeUnusedNode, at, fact.Of("lesson-idle-node", name), fact.Of("lesson-ask-node", name))
		}
	}
}

// names tells whether a program or the client has a text in quotes.
func (l *Lesson) names(text string) bool {
	sources := []string{l.Client.Source}
	for _, a := range l.Actors {
		sources = append(sources, a.Program)
	}
	return slices.ContainsFunc(sources, func(source string) bool {
		return strings.Contains(source, `"`+text+`"`) || strings.Contains(source, "'"+text+"'")
	})
}

// incident looks for what must be known of one: it happened to somebody, in a product that has changed since.
func (n *lint) incident() {
	l := n.lesson
	if l.Chapter != Incidents {
		return
	}
	for _, key := range []struct {
		name  string
		write fact.Fact
		there bool
	}{
		{"cause", fact.Of("lesson-write", `cause: {en: "…", zh: "…"}`), l.Cause.Source != Text{}},
		{"affected", fact.Of("lesson-write-affected"), l.Affected != nil},
		{"cured", fact.Of("lesson-write-cured"), l.Cured != nil},
	} {
		if !key.there {
			n.warn(CodeUndated, l.Declared["chapter "+Incidents], fact.Of("lesson-undated", key.name), key.write)
		}
	}
}

// versions looks for what a lesson about a product must say: products change, and a reader has one of their versions.
// Who names no source tells of nothing but their own scripts.
func (n *lint) versions() {
	if l := n.lesson; l.Sources != nil && l.Versions == nil && l.Affected == nil && l.Cured == nil {
		n.warn(CodeNoVersions, l.Declared["chapter "+l.Chapter], fact.Of("lesson-no-versions"), fact.Of("lesson-write-versions"))
	}
}

func (n *lint) faults() {
	for _, f := range n.lesson.Faults {
		used := n.any(func(_ *engine.Snapshot, s *engine.Step) bool { return s.Choice == f }) ||
			slices.ContainsFunc(n.lesson.Challenges, func(c Challenge) bool { return c.Goal.Repair != nil && c.Goal.Repair.Bounds.Faults[f.Kind] > 0 })
		if !used {
			n.note(Hint, CodeUnusedFault, n.lesson.Declared["fault "+f.String()], fact.Of("lesson-unused-fault", f), fact.Fact{})
		}
	}
}
