package decode

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// challenges reads the only challenge, or a list of them.
func (d *decoder) challenges(f *lessonForm) {
	all := f.Challenges.items
	switch {
	case f.Challenge.given() && f.Challenges.given():
		d.fail(f.Challenge.key, lessons.CodeValue, fact.Of("lesson-both-challenges"), fact.Of("lesson-into-list"))
		return
	case f.Challenge.given():
		all = []challengeForm{f.Challenge}
	}
	for _, c := range all {
		d.challenge(c)
	}
}

func (d *decoder) challenge(f challengeForm) {
	c := lessons.Challenge{Say: d.prose(f.Say), Hint: d.prose(f.Hint), Why: d.prose(f.Why)}
	c.Goal = d.goal(f.Goal)
	c.Goal.Place = d.place(f.Goal.key)
	if c.Goal.Repair != nil {
		d.repair(&c, f)
		return
	}
	told := c.Goal.Break == "" && c.Goal.Reach == nil // that its goal is none: what leads there is not known
	if !f.Solution.given() && told {
		return
	}
	if !f.Solution.given() {
		d.fail(f.node, lessons.CodeMissingKey, fact.Of("lesson-no-solution"), fact.Of("lesson-write-solution"))
		return
	}
	if f.Edits.given() && !told {
		d.fail(f.Edits.key, lessons.CodeValue, fact.Of("lesson-edits-repair"), fact.Of("lesson-write-solution"))
	}
	c.Place = d.place(f.Solution.key)
	for _, item := range f.Solution.items {
		moves := d.repeat(item)
		if c.Goal.Excludes(moves[0]) {
			d.fail(item.node, lessons.CodeValue, fact.Of("lesson-excluded", moves[0]), fact.Of("lesson-find-other-way"))
		}
		c.Solution = append(c.Solution, moves...)
	}
	d.lesson.Challenges = append(d.lesson.Challenges, c)
}

func (d *decoder) goal(f goalForm) lessons.Goal {
	if d.single(f.at, fact.Of("lesson-one-goal")) == nil {
		return lessons.Goal{}
	}
	with, without := texts(f.With, d.ofMoves), texts(f.Without, d.ofFaults)
	if f.Repair.given() {
		g := lessons.Goal{Repair: d.toRepair(f)}
		for _, text := range f.Still.items {
			if rule, ok := d.expression(text, "still", fact.Of("lesson-write-goal")); ok {
				g.Still = append(g.Still, rule)
			}
		}
		return g
	}
	for _, key := range []at{f.Still.at, f.Time.at, f.Faults.at} {
		if key.given() {
			d.fail(key.key, lessons.CodeValue, fact.Of("lesson-repair-only", key.name), fact.Of("lesson-leave-out"))
		}
	}
	if f.Break.given() {
		d.invariant(f.Break)
		return lessons.Goal{Break: f.Break.text, With: with, Without: without}
	}
	rule, _ := d.expression(f.Reach, "goal", fact.Of("lesson-write-goal"))
	return lessons.Goal{Reach: &rule, With: with, Without: without}
}

// ofMoves tells whether a text is a move that the lesson allows, or the beginning of one of its faults.
func (d *decoder) ofMoves(t plainText) bool {
	c, err := engine.ParseChoice(t.text)
	if c.Kind == engine.Run {
		return d.actor(t.node, c.Target)
	}
	return err == nil && c.IsAllowed(d.lesson.Faults) || d.ofFaults(t)
}

// ofFaults tells whether a text is the beginning of a fault that the lesson allows.
func (d *decoder) ofFaults(t plainText) bool {
	g := lessons.Goal{Without: []string{t.text}}
	if slices.ContainsFunc(d.lesson.Faults, g.Excludes) {
		return true
	}
	known := each(d.lesson.Faults, engine.Choice.String)
	d.absent(t.node, "faults", t.text, lessons.CodeUnknownName, fact.Of("lesson-no-fault", t.text), lessons.Meant(t.text, known))
	return false
}
