package decode

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// faults reads what may go wrong. What only ends a fault may stand there as well, and
// adds nothing to it.
func (d *decoder) faults(f *lessonForm) {
	type end struct {
		at     ast.Node
		choice engine.Choice
	}
	var ends []end
	names := slices.DeleteFunc(engine.ChoiceNames(), func(name string) bool { return !engine.ChoiceKind(name).IsFault() })
	for _, item := range f.Faults.items {
		c, ok := d.choice(item, names)
		if !ok {
			continue
		}
		need, needed := c.AllowedBy()
		switch {
		case !needed && c.Kind.IsFault():
			d.fail(item.node, lessons.CodeValue, fact.Of("lesson-fault-free", c.Kind), fact.Of("lesson-fault-always"))
		case !needed:
			d.fail(item.node, lessons.CodeValue, fact.Of("lesson-no-such-fault", c), f.Faults.toWrite())
		case need.Kind != c.Kind:
			ends = append(ends, end{item.node, c})
		case slices.Contains(d.lesson.Faults, c):
			d.twice(item.node, c.String(), fact.Of("lesson-each-once"))
		default:
			d.lesson.Faults = append(d.lesson.Faults, c)
			d.declare("fault", c.String(), item.node)
		}
	}
	for _, e := range ends {
		if need, _ := e.choice.AllowedBy(); !e.choice.IsAllowed(d.lesson.Faults) {
			d.fail(e.at, lessons.CodeValue, fact.Of("lesson-ends-no-fault", e.choice.Kind), fact.Of("lesson-write-ended", need, e.choice.Kind))
		}
	}
}

// allowed tells whether the lesson lets a fault happen.
func (d *decoder) allowed(n ast.Node, c engine.Choice) bool {
	need, _ := c.AllowedBy()
	ok := c.IsAllowed(d.lesson.Faults)
	if !ok {
		d.absent(n, "faults", need.String(), lessons.CodeFaultNotAllowed, fact.Of("lesson-fault-forbidden", c.String()), fact.Of("lesson-add-fault", need.String()))
	}
	return ok
}

// known tells whether the lesson has what a choice is about. What tasks an actor starts
// is only known when it runs.
func (d *decoder) known(n ast.Node, c engine.Choice) bool {
	nodes := d.lesson.NodeNames()
	switch c.Kind.Of() { //nolint:exhaustive // the clock is always there
	case engine.AnActor:
		return d.actor(n, c.Target)
	case engine.AProcess:
		return d.among(n, c, c.Target, "process", d.processes)
	case engine.ANode:
		return d.among(n, c, c.Target, "node", nodes) && d.meets(n, c)
	case engine.AMachine, engine.AClock:
		return d.among(n, c, c.Target, "process or node", append(slices.Clone(d.processes), nodes...)) && d.meets(n, c)
	case engine.ALink:
		all := append(slices.Clone(d.processes), nodes...)
		return d.among(n, c, c.Target, "process or node", all) && d.among(n, c, c.Other, "process or node", all) && d.ends(n, c)
	}
	return true
}

// someOf are the words for what a choice may be about.
var someOf = map[string]fact.Fact{
	"process":         fact.Of("lesson-a-process"),
	"node":            fact.Of("lesson-a-node"),
	"process or node": fact.Of("lesson-a-process-or-node"),
}

func (d *decoder) among(n ast.Node, c engine.Choice, name, what string, names []string) bool {
	if slices.Contains(names, name) {
		return true
	}
	advice := lessons.Meant(name, names)
	for _, a := range d.lesson.Actors {
		if a.Name == name && slices.Contains(names, a.Process) {
			meant := c
			if meant.Target == name {
				meant.Target = a.Process
			} else {
				meant.Other = a.Process
			}
			advice = fact.Of("lesson-write-process", a.Name, a.Process, meant)
		}
	}
	if what != "process" && d.doubt["nodes"] {
		return false
	}
	part := "actors"
	if what == "node" {
		part = "nodes"
	}
	d.absent(n, part, what+" "+name, lessons.CodeUnknownName, fact.Of("lesson-no-such", someOf[what], name), advice)
	return false
}

// meets tells whether a node, if the choice is about one, has what the choice needs of it.
func (d *decoder) meets(n ast.Node, c engine.Choice) bool {
	needs := c.Kind.Row().Needs
	return (needs == "" || d.keeps(n, c.Target)) && d.canFail(n, c) && (needs != engine.NeedReplicas || d.replicates(n, c.Target))
}

// canFail tells whether a choice is about a process or a single server, and not about an ensemble.
func (d *decoder) canFail(n ast.Node, c engine.Choice) bool {
	node, _ := d.lesson.Node(c.Target)
	return d.must(!node.Kind.Row().Ensemble, n, lessons.CodeValue, fact.Of("lesson-ensemble", node.Name, node.Kind),
		fact.Of("lesson-cut-process", node.Name))
}

// replicates tells whether a node is a replica, or has one.
func (d *decoder) replicates(n ast.Node, name string) bool {
	return d.must(d.lesson.Replicates(name), n, lessons.CodeValue, fact.Of("lesson-not-replica", name), fact.Of("lesson-write-replica", name))
}
