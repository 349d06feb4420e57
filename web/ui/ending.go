package ui

import (
	"lockstep/engine"
)

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

// storyNumbers are what the learner has foreseen, and in how few moves the rule breaks.
func storyNumbers(v *View) []string {
	var all []string
	if s := v.Story; s.Asked > 0 {
		all = append(all, storyPredicted.in(v.Lang, s.Right, s.Asked))
	}
	if c := v.Challenge; c != nil && c.Shortest > 0 {
		all = append(all, verdictMoves.in(v.Lang, c.Shortest))
	}
	return all
}

// shows tells whether the challenge's solution can be watched at the end of the story: it has no accident of its own.
func (c *Challenge) shows(v *View) bool {
	return c != nil && v.Lesson.Challenges[c.At].Goal.Break != "" && !c.done() && !c.Shown && !c.Edited && breachOfStory(v) == nil
}

// goesOn tells whether there is more to do in the lesson.
func (c *Challenge) goesOn(v *View) bool {
	return c != nil && (!c.done() || c.At+1 < len(v.Lesson.Challenges))
}

// leads tells whether the button that goes on is the challenge's: not once it was left, or one button would lead round and round.
func (c *Challenge) leads(v *View) bool {
	return c.goesOn(v) && !(c.Left && !c.done() && ordinal(v) > 0)
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
