package decode

import (
	"lockstep/lessons"
)

func (d *decoder) challenge(f challengeForm) {
	if !f.given() {
		return
	}
	c := &lessons.Challenge{Say: d.prose(f.Say), Hint: d.prose(f.Hint)}
	c.Goal = d.goal(f.Goal)
	c.Goal.Place = d.place(f.Goal.key)
	c.Solution = d.choices(f.Solution.items)
	c.Place = d.place(f.Solution.key)
	d.lesson.Challenge = c
}

func (d *decoder) goal(f goalForm) lessons.Goal {
	if d.single(f.at, "the goal must be either break or reach") == nil {
		return lessons.Goal{}
	}
	if f.Break.given() {
		d.invariant(f.Break)
		return lessons.Goal{Break: f.Break.text}
	}
	rule, _ := d.expression(f.Reach, "goal", "write one that becomes true, such as stock < 0")
	return lessons.Goal{Reach: &rule}
}
