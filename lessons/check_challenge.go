package lessons

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
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
	if r.failsRule(err, fact.Of("lesson-the-solution")) {
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
		r.unreadable(c.Goal, fact.Of("lesson-step-of-solution", step), err)
	case cannot:
		r.fail(CodeSolution, c.Place, fact.Of("lesson-solution-move", made+1, stopped.Choice), fact.Of("lesson-may-happen"), fact.Text(stopped.Reason))
	case !ok:
		r.fail(CodeSolution, c.Place, fact.Of("lesson-the-solution"), c.Goal.want(), missed(made, append(broke(trace), r.blind(c.Goal, trace)...)))
	case step < made:
		r.Problems = append(r.Problems, r.lesson.problem(Warning, CodeLongSolution, c.Place, fact.Of("lesson-goal-early", step, made), fact.Of("lesson-drop-rest")))
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
		r.fail(CodeGoal, g.Place, fact.Of("lesson-the-goal"), fact.Of("lesson-not-shown"), fact.Of("lesson-met-after", r.after(step)))
	}
	return !ok && err == nil
}

// unreadable records that a goal's expression cannot be evaluated.
func (r *Report) unreadable(g Goal, after fact.Fact, err error) {
	got, advice := fact.Text(err), fact.Fact{}
	if e, ok := errors.AsType[*RuleError](err); ok {
		got, advice = e.Reason, e.Advice
	}
	r.failWith(advice, CodeGoal, g.Place, fact.Of("lesson-goal-after", after), fact.Of("lesson-true-or-false"), got)
}

func (r *Report) after(step int) fact.Fact {
	if step == 0 {
		return fact.Of("lesson-the-start")
	}
	done := 0
	for i, b := range r.lesson.Story {
		done += len(b.Choices)
		if step <= done {
			return fact.Of("lesson-step-of-story", step, i+1)
		}
	}
	return fact.Of("lesson-step", step)
}

// blind says that a goal's expression looks at nothing that happens in a run: probably a
// name in it is wrong.
func (r *Report) blind(g Goal, t *engine.Trace) fact.List {
	rules := slices.DeleteFunc(slices.Clone(r.lesson.Rules), func(rule Rule) bool { return rule.Name != g.Break })
	if g.Reach != nil {
		rules = []Rule{*g.Reach}
	}
	n := &lint{lesson: r.lesson, traces: []*engine.Trace{t}}
	if len(rules) == 0 || n.looks(rules[0]) {
		return nil
	}
	return fact.List{fact.Of("lesson-blind")}
}

// missed says that none of the steps of a solution reaches the goal, and what there is to say of them.
func missed(steps int, besides fact.List) fact.Fact {
	if len(besides) == 0 {
		return fact.Of("lesson-none-does", steps)
	}
	return fact.Of("lesson-none-does-but", steps, besides)
}

// broke says what else a run broke, and which programs broke off.
func broke(t *engine.Trace) (all fact.List) {
	for _, s := range t.Steps {
		for _, v := range s.Broken {
			all = append(all, fact.Of("lesson-step-broke", s.N, v.Invariant))
		}
		for _, n := range s.Notes {
			if n.Kind == engine.NoteFailed {
				all = append(all, fact.Of("lesson-step-failed", s.N, n.Actor, n.Failure))
			}
		}
	}
	return all
}
