package ui

import (
	"lockstep/engine"
)

// concluded tells whether the story is at its end, and shown there.
func concluded(v *View) bool { return v.Story.OnStory && v.Story.Done }

// breachOfStory is the step of the story that breaks a rule, the last one; nil: none does.
func breachOfStory(v *View) *engine.Step {
	for i := min(v.Pos, len(v.Trace.Steps)) - 1; i >= 0; i-- {
		if s := &v.Trace.Steps[i]; len(s.Broken) > 0 {
			return s
		}
	}
	return nil
}

// storyCameTo says what broke in the story, and when: it need not be so any more.
func storyCameTo(v *View) string {
	if s := breachOfStory(v); s != nil {
		return afterStep.in(v.Lang, s.N, breachText(v, s.Broken[0]))
	}
	return verdictNothing.in(v.Lang)
}

// verdictFigures are the numbers of a story: in how few moves its rule breaks, and what the learner has foreseen.
func verdictFigures(v *View) []figure {
	var all []figure
	if c := v.Challenge; c != nil && c.Shortest > 0 {
		all = append(all, figure{n: c.Shortest, words: verdictMoves.in(v.Lang), broken: true})
	}
	if s := v.Story; s.Asked > 0 {
		all = append(all, figure{n: s.Right, of: s.Asked, words: verdictPredicted.in(v.Lang)})
	}
	return all
}

// shows tells whether the challenge's solution can be watched: the story has no accident of its own.
func (c *Challenge) shows(v *View) bool {
	goal := v.Lesson.Challenges[c.At].Goal
	return goal.Break != "" && !c.done() && !c.Shown && !c.Edited && concluded(v) && breachOfStory(v) == nil
}

// edits tells whether the learner has begun to repair the lesson.
func (c *Challenge) edits(v *View) bool { return v.Edits != nil && len(v.Edits.Parts) > 0 }

// begins words the button that begins with a challenge.
func (c *Challenge) begins(v *View) string {
	switch {
	case c.Trying, v.Lesson.Challenges[c.At].Goal.Break == "":
		return challengeReset.in(v.Lang)
	case c.Shortest > 0:
		return challengeRecord.in(v.Lang, c.Shortest)
	}
	return challengeBreak.in(v.Lang)
}
