package lessons

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
)

// challenges checks all of them.
func (r *Report) challenges(ctx context.Context, s engine.Scenario) error {
	for _, c := range r.lesson.Challenges {
		if err := r.challenge(ctx, s, c); err != nil {
			return err
		}
	}
	return nil
}

// challenge checks that the goal is not trivial, and plays the solution.
func (r *Report) challenge(ctx context.Context, s engine.Scenario, c Challenge) error {
	r.Solutions = append(r.Solutions, nil)
	if c.Goal.Repair != nil {
		return nil // Prove searches it
	}
	if !r.worthReaching(c.Goal) {
		return nil
	}
	_, trace, err := engine.Replay(ctx, s, c.Solution)
	if r.failsRule(err, "the solution of the challenge") {
		return nil
	}
	stopped, cannot := errors.AsType[*engine.NotEnabledError](err)
	if err != nil && !cannot {
		return fmt.Errorf("%s: the solution of the challenge: %w", c.Place, err)
	}
	r.Solutions[len(r.Solutions)-1] = trace
	step, ok, err := c.Goal.Reached(trace, 0)
	made := len(trace.Steps)
	switch {
	case err != nil:
		r.unreadable(c.Goal, fmt.Sprintf("step %d of the solution", step), err)
	case cannot:
		r.fail(CodeSolution, c.Place, fmt.Sprintf("the solution's move %d: %s", made+1, stopped.Choice), "it may happen now", stopped.Reason.Error())
	case !ok:
		r.fail(CodeSolution, c.Place, "the solution", c.Goal.want(), fmt.Sprintf("none of its %d steps does that%s%s", made, broke(trace), r.blind(c.Goal, trace)))
	case step < made:
		r.Problems = append(r.Problems, r.lesson.problem(Warning, CodeLongSolution, c.Place, fmt.Sprintf("the goal is reached with move %d of %d", step, made), "leave out what comes after it"))
	}
	return nil
}

// worthReaching is false, and says why, when a goal is met without anything done
// for it: at the start, or by whoever follows the story.
func (r *Report) worthReaching(g Goal) bool {
	step, ok, err := g.Reached(r.Trace, 0)
	switch {
	case err != nil:
		r.unreadable(g, r.after(step), err)
	case ok:
		r.fail(CodeGoal, g.Place, "the goal", "something that the story does not show", "it is met after "+r.after(step))
	}
	return !ok && err == nil
}

// unreadable records that a goal's expression cannot be evaluated.
func (r *Report) unreadable(g Goal, after string, err error) {
	got, advice := err.Error(), ""
	if e, ok := errors.AsType[*RuleError](err); ok {
		got, advice = e.Reason, e.Advice
	}
	r.failWith(advice, CodeGoal, g.Place, "the goal, after "+after, "it is true or false", got)
}

func (r *Report) after(step int) string {
	if step == 0 {
		return "the start, before anybody moved"
	}
	done := 0
	for i, b := range r.lesson.Story {
		done += len(b.Choices)
		if step <= done {
			return fmt.Sprintf("step %d of the story, in beat %d", step, i+1)
		}
	}
	return fmt.Sprintf("step %d", step)
}

// blind says that a goal's expression looks at nothing that happens in a run: probably a
// name in it is wrong.
func (r *Report) blind(g Goal, t *engine.Trace) string {
	rules := slices.DeleteFunc(slices.Clone(r.lesson.Rules), func(rule Rule) bool { return rule.Name != g.Break })
	if g.Reach != nil {
		rules = []Rule{*g.Reach}
	}
	n := &lint{lesson: r.lesson, traces: []*engine.Trace{t}}
	if len(rules) == 0 || n.looks(rules[0]) {
		return ""
	}
	return "; no step changes anything that it looks at: are its names right?"
}

// broke says what else a run broke, and which programs broke off.
func broke(t *engine.Trace) string {
	var text strings.Builder
	for _, s := range t.Steps {
		for _, v := range s.Broken {
			fmt.Fprintf(&text, "; step %d breaks %s", s.N, v.Invariant)
		}
		for _, n := range s.Notes {
			if n.Kind == engine.NoteFailed {
				fmt.Fprintf(&text, "; with step %d the program of %s fails: %s", s.N, n.Actor, n.Text)
			}
		}
	}
	return text.String()
}
