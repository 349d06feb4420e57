package engine

import (
	"slices"

	"lockstep/engine/fact"
)

// The rules that a lesson can name, in the order in which they are taught. The
// lock that guards a critical section is the key of the same name. What breaks a rule
// is told by the fact of its name, and pages have words for both.
var rules = []OwnRule{
	{"mutual-exclusion", mutualExclusion, outsiderSends, LooksAtStep, "nobody sends a request while another is inside a section"},
	{"no-lock-without-ttl", noLockWithoutTTL, lockExists, LooksAtStep, "no key has the name of a section that somebody is in or waits for"},
	{"released-by-holder", releasedByHolder, outsiderSendsToLock, LooksAtStep, "nobody sends a request while another is inside a section and the key of that name exists"},
	{"waiters-in-order", waitersInOrder, awaitedIsEntered, LooksAtStep, "nobody enters a section that another waits for"},
	{"nobody-waits-forever", nobodyWaitsForever, somebodyWaits, LooksWhoRuns, "nobody ever waits for a message"},
	{"no-idle-wait", noIdleWait, wantedInVain, LooksAtTime, "time never passes while somebody wants a section and waits for a message"},
}

// OwnRule is one of the engine's own invariants.
type OwnRule struct {
	name  string
	check func(before *Snapshot, step *Step) []fact.Fact

	// Could tells whether the rule could be false after a step: one that is never asked
	// there proves nothing.
	Could func(before *Snapshot, step *Step) bool
	Looks Looks  // at what else than the step
	Never string // what authors are told when it never could
}

// Looks says what a rule reads besides the step and the actor that made it. A search replays a
// remembered step only where no rule would read what the memory does not hold.
type Looks uint8

// What a rule may read.
const (
	LooksAround  Looks = iota // at anything: no step is made from memory
	LooksAtStep               // at nothing else
	LooksWhoRuns              // whether any actor still runs
	LooksAtTime               // at ticks
)

// Name is what lessons call the rule.
func (r OwnRule) Name() string { return r.name }

// Check lists what breaks the rule.
func (r OwnRule) Check(before *Snapshot, step *Step) ([]Violation, error) {
	var vs []Violation
	for _, detail := range r.check(before, step) {
		vs = append(vs, Violation{Invariant: r.name, Detail: detail})
	}
	return vs, nil
}

// Rule finds one of the engine's own invariants by name.
func Rule(name string) (OwnRule, bool) {
	for _, r := range rules {
		if r.name == name {
			return r, true
		}
	}
	return OwnRule{}, false
}

// RuleNames lists the engine's own invariants.
func RuleNames() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}

func mutualExclusion(before *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	for _, h := range step.After.Held {
		if len(h.Actors) > 1 {
			out = append(out, fact.Of("mutual-exclusion", fact.Names(h.Actors), h.Section))
		}
	}
	for _, n := range step.Notes {
		if n.Kind != NoteEnter || !step.ends(len(step.Notes), n.Actor, n.Text, NoteLeave) {
			continue
		}
		for _, h := range before.Held { // who came has left in the same step, and has met who stayed
			for _, a := range h.Actors {
				if h.Section == n.Text && a != n.Actor && !step.ends(len(step.Notes), a, n.Text, NoteLeave) {
					out = append(out, fact.Of("mutual-exclusion", fact.Names{n.Actor, a}, n.Text))
				}
			}
		}
	}
	return out
}

// ends tells whether a thread has done with a section in the first so many notes of a step: by a note of one of these kinds, or as
// the thread has ended.
func (s *Step) ends(notes int, thread, section string, by ...NoteKind) bool {
	for _, n := range s.Notes[:notes] {
		own := n.Kind == NoteDone || n.Kind == NoteFailed || n.Text == section && slices.Contains(by, n.Kind)
		if own && n.Actor == thread || n.Kind == NoteCancel && Root(n.Actor)+":"+n.Text == thread {
			return true
		}
	}
	return false
}

func noLockWithoutTTL(_ *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	for _, n := range step.After.Nodes {
		for _, k := range n.Keys {
			if k.Deadline == NoDeadline && step.After.IsSection(k.Name) {
				out = append(out, fact.Of("no-lock-without-ttl", k.Name))
			}
		}
	}
	return out
}

// IsSection tells whether a key has the name of a section that somebody is in or waits for.
func (s *Snapshot) IsSection(name string) bool {
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
	root := Root(step.Choice.Target)
	for _, c := range step.Changes {
		if c.New != nil {
			continue
		}
		for _, h := range step.After.Held {
			if h.Section == c.Key && !slices.Contains(h.Actors, root) && !slices.Contains(h.Actors, step.Choice.Target) {
				out = append(out, fact.Of("released-by-holder", root, c.Key, fact.Names(h.Actors)))
			}
		}
	}
	return out
}

// waitersInOrder looks for an actor that entered before one that had waited longer.
func waitersInOrder(before *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	for i, n := range step.Notes {
		for _, h := range before.Wanted {
			if n.Kind != NoteEnter || h.Section != n.Text {
				continue
			}
			for _, first := range h.Actors { // of those who still wait: in a long move of the clock one enters after the other
				if step.ends(i, first, n.Text, NoteEnter, NoteReenter, NoteUnwant) {
					continue
				}
				if first != n.Actor {
					out = append(out, fact.Of("waiters-in-order", n.Actor, n.Text, first))
				}
				break
			}
		}
	}
	return out
}

// nobodyWaitsForever looks for a waiter that nothing can wake: no actor may run
// and the clock has nothing to move to.
func nobodyWaitsForever(_ *Snapshot, step *Step) []fact.Fact {
	for _, o := range step.After.Options {
		if o.Enabled() && o.Choice.Kind.Row().GoesOn {
			return nil
		}
	}
	var out []fact.Fact
	for _, a := range step.After.Actors {
		if a.Status == Waiting || a.Status == Blocked {
			out = append(out, fact.Of("nobody-waits-forever", a.Name))
		}
	}
	return out
}

// noIdleWait looks for time that passes while a lock is free and all that want it wait for
// a message: nobody has told them.
func noIdleWait(before *Snapshot, step *Step) []fact.Fact {
	var out []fact.Fact
	if step.Choice.Kind != Tick {
		return nil
	}
	for _, h := range before.Wanted {
		if !before.Exists(h.Section) && !slices.ContainsFunc(h.Actors, func(name string) bool { return !before.waits(name) }) {
			out = append(out, fact.Of("no-idle-wait", h.Section, fact.Names(h.Actors)))
		}
	}
	return out
}
