package decode

import (
	"github.com/goccy/go-yaml/ast"

	"lockstep/lessons"
)

func (d *decoder) challenge(n ast.Node) {
	t := d.table(n, "the challenge", "write say, goal, hint and solution", challengeKeys)
	c := &lessons.Challenge{}
	if say := t.get("say"); say != nil {
		c.Say = d.prose(say)
	}
	if hint := t.get("hint"); hint != nil {
		c.Hint = d.prose(hint)
	}
	if goal := t.get("goal"); goal != nil {
		c.Goal = d.goal(goal)
		c.Goal.Place = d.place(t.values["goal"].at)
	}
	if solution := t.get("solution"); solution != nil {
		const advice = "write solution: [run A, tick 30s, run B]"
		c.Place = d.place(t.values["solution"].at)
		c.Solution = d.choices(solution, "the solution", advice)
		if _, ok := solution.(*ast.SequenceNode); ok && len(c.Solution) == 0 {
			d.fail(solution, lessons.CodeValue, "the solution makes no move", advice)
		}
	}
	d.lesson.Challenge = c
}

func (d *decoder) goal(n ast.Node) lessons.Goal {
	const advice = `write {break: mutual-exclusion} or {reach: "stock < 0"}`
	t := d.table(n, "the goal", advice, goalKeys)
	p, ok := d.single(t, "the goal is one of break and reach", advice)
	if !ok {
		return lessons.Goal{}
	}
	if p.key == "break" {
		name, _ := d.invariant(p.value)
		return lessons.Goal{Break: name}
	}
	rule, _ := d.expression(p.value, "goal", "write one that becomes true, such as stock < 0")
	return lessons.Goal{Reach: &rule}
}
