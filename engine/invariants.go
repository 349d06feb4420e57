package engine

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
)

// The rules that a lesson can name, in the order in which they are taught. The
// lock that guards a critical section is the key of the same name.
var rules = []rule{
	{"mutual-exclusion", mutualExclusion},
	{"no-lock-without-ttl", noLockWithoutTTL},
	{"released-by-holder", releasedByHolder},
	{"waiters-in-order", waitersInOrder},
	{"nobody-waits-forever", nobodyWaitsForever},
}

type rule struct {
	name  string
	check func(before *Snapshot, step *Step) []fact.Fact
}

func (r rule) Name() string { return r.name }

func (r rule) Check(before *Snapshot, step *Step) ([]Violation, error) {
	var vs []Violation
	for _, detail := range r.check(before, step) {
		vs = append(vs, Violation{Invariant: r.name, Detail: detail})
	}
	return vs, nil
}

// Rule finds one of the engine's own invariants by name.
func Rule(name string) (Invariant, bool) {
	for _, r := range rules {
		if r.name == name {
			return r, true
		}
	}
	return nil, false
}

// RuleNames lists the engine's own invariants.
func RuleNames() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}

// judge asks every invariant and keeps what this step broke: a breach that
// stood before is not news.
func (w *World) judge(before *Snapshot, step *Step) error {
	standing := map[string]bool{}
	for _, inv := range w.scenario.Invariants {
		vs, err := inv.Check(before, step)
		if err != nil {
			return err
		}
		for _, v := range vs {
			standing[v.String()] = true
			if !w.standing[v.String()] {
				step.Broken = append(step.Broken, v)
			}
		}
	}
	w.standing = standing
	return nil
}

func mutualExclusion(_ *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	for _, h := range step.After.Held {
		if len(h.Actors) > 1 {
			out = append(out, fact.Of("mutual-exclusion", fact.Names(h.Actors), h.Section))
		}
	}
	return out
}

func noLockWithoutTTL(_ *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	for _, n := range step.After.Nodes {
		for _, k := range n.Keys {
			if k.Deadline == NoDeadline && step.After.isSection(k.Name) {
				out = append(out, fact.Of("no-lock-without-ttl", k.Name))
			}
		}
	}
	return out
}

func (s *Snapshot) isSection(name string) bool {
	named := func(h Holding) bool { return h.Section == name }
	return slices.ContainsFunc(s.Held, named) || slices.ContainsFunc(s.Wanted, named)
}

// releasedByHolder looks for an actor that removed a lock while others, and not
// it, were inside.
func releasedByHolder(_ *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	if step.Choice.Kind != Run {
		return nil
	}
	root, _, _ := strings.Cut(step.Choice.Target, ":")
	for _, c := range step.Changes {
		if c.New != nil {
			continue
		}
		for _, h := range step.After.Held {
			if h.Section == c.Key && !slices.Contains(h.Actors, root) {
				out = append(out, fact.Of("released-by-holder", root, c.Key, fact.Names(h.Actors)))
			}
		}
	}
	return out
}

// waitersInOrder looks for an actor that entered before one that had waited longer.
func waitersInOrder(before *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	for _, n := range step.Notes {
		if n.Kind != NoteEnter {
			continue
		}
		for _, h := range before.Wanted {
			if h.Section == n.Text && h.Actors[0] != n.Actor {
				out = append(out, fact.Of("waiters-in-order", n.Actor, n.Text, h.Actors[0]))
			}
		}
	}
	return out
}

// nobodyWaitsForever looks for a waiter that nothing can wake: no actor may run
// and the clock has nothing to move to.
func nobodyWaitsForever(_ *Snapshot, step *Step) []fact.Fact {
	for _, o := range step.After.Options {
		moves := o.Choice.Kind == Run || o.Choice.Kind == Tick || o.Choice.Kind == Resume
		if moves && o.Enabled() {
			return nil
		}
	}
	var out []fact.Fact
	for _, a := range step.After.Actors {
		if a.Status == Waiting {
			out = append(out, fact.Of("nobody-waits-forever", a.Name))
		}
	}
	return out
}
