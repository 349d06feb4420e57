package player

import (
	"context"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// currentChallenge is the challenge that the learner is at; nil: the lesson has none.
func (s *Session) currentChallenge() *lessons.Challenge {
	if s.challenge.At >= len(s.lesson.Challenges) {
		return nil
	}
	return &s.lesson.Challenges[s.challenge.At]
}

// challengeNumber is the challenge that is being tried or that the learner has come to, from 1; 0: they are at the first
// and have not begun with it.
func (s *Session) challengeNumber() int {
	if !s.challenge.Trying && s.challenge.At == 0 {
		return 0
	}
	return s.challenge.At + 1
}

// progressIn is the progress of somebody who is at a challenge, as challengeNumber has it, after some choices. A repair
// leaves the story where it is, and so does who stands at its end.
func (s *Session) progressIn(n int, choices []engine.Choice) ui.Challenge {
	if n < 1 || n > len(s.original.Challenges) {
		return ui.Challenge{}
	}
	tries := n == 1 || s.original.Challenges[n-1].Goal.Repair == nil && !prefix(choices, s.storySteps.choices)
	return ui.Challenge{At: n - 1, Trying: tries}
}

// tryChallenge begins with the challenge from the start: the story no longer leads.
func (s *Session) tryChallenge(ctx context.Context, c Command) *Error {
	if s.currentChallenge() == nil {
		return s.refuse(CodeNoChallenge, fact.Of("no-challenge"))
	}
	err := s.reset(ctx, c)
	s.challenge.Trying, s.brought = true, nil
	return err
}

// nextChallenge goes on to the one after this. What has been played may win it already; what a search has found of the
// repair before says nothing of this one.
func (s *Session) nextChallenge(context.Context, Command) *Error {
	if s.challenge.At+1 >= len(s.lesson.Challenges) {
		return s.refuse(CodeNoChallenge, fact.Of("no-challenge"))
	}
	s.challenge = ui.Challenge{At: s.challenge.At + 1}
	if x := s.searching; x != nil && x.Asked == ui.AskRepair {
		s.searching = nil
	}
	s.now.won, s.now.judged = 0, 0
	for i := range s.branches {
		s.branches[i].won, s.branches[i].judged = 0, 0
	}
	return nil
}

func (s *Session) hint(context.Context, Command) *Error {
	if s.currentChallenge() == nil {
		return s.refuse(CodeNoChallenge, fact.Of("no-challenge"))
	}
	s.challenge.Hint = true
	return nil
}

// solve plays the challenge's solution from the start. What was there becomes a
// branch, so that nothing is lost.
func (s *Session) solve(ctx context.Context, c Command) *Error {
	if s.currentChallenge() == nil {
		return s.refuse(CodeNoChallenge, fact.Of("no-challenge"))
	}
	if s.currentChallenge().Goal.Repair != nil {
		return s.showRepair(ctx)
	}
	s.now.pos = 0
	if s.now.len() > 0 {
		s.fork()
	}
	s.challenge.Hint, s.challenge.Shown = true, true
	for _, choice := range s.currentChallenge().Solution {
		if err := s.act(ctx, choice); err != nil {
			return err
		}
	}
	s.brought = slices.Clone(s.now.choices)
	if c.Hz > 0 {
		s.now.pos = 0
		return s.play(ctx, Command{Hz: c.Hz})
	}
	s.announceStep()
	return nil
}

// showRepair gives the lesson the texts of the challenge's solution.
func (s *Session) showRepair(ctx context.Context) *Error {
	var edits []edit
	for _, e := range s.currentChallenge().Edits {
		original, _ := s.original.Source(e.Part)
		edits = append(edits, edit{e.Part, fingerprint(original), normalizeNewlines(s.toEdit(e.Source))})
	}
	if err := s.rewrite(ctx, sortByPart(s.original, edits), s.offered); err != nil {
		return s.noticed(err)
	}
	s.challenge.Hint, s.challenge.Shown = true, true
	return nil
}

// challengeView is what the page says of the challenge: nothing before the story
// has ended or was left, unless the learner is about to repair the lesson.
func (s *Session) challengeView(story ui.Story) *ui.Challenge {
	d := s.currentChallenge()
	if d == nil || story.OnStory && !story.Done && !(d.Goal.Repair != nil && (len(s.edits) > 0 || s.searching.checks(s.lesson))) {
		return nil
	}
	v := s.challenge
	switch {
	case d.Goal.Repair != nil:
		v.Repaired = s.searching.repaired(s.lesson)
		for _, e := range d.Edits {
			v.Repair = append(v.Repair, e.Part)
		}
		return &v
	case len(s.edits) > 0:
		v.Edited, v.Shown = true, false
		return &v
	}
	v.Won = s.won(&s.now)
	v.Shown = v.Shown || s.searching.begins(s.now.choices) || s.wasBrought(v.Won)
	if d.Goal.Break != "" && len(d.Goal.With)+len(d.Goal.Without) == 0 {
		v.Moves, v.Shortest = search.Moves(s.now.choices[:v.Won]), s.shortest(d)
	}
	return &v
}

// wasBrought tells whether the steps up to one were not made by the learner: they came with a link, or a search or the solution has
// played them. Whoever found them and reloads the page is told by their browser that they had solved it.
func (s *Session) wasBrought(step int) bool {
	return step > 0 && step <= len(s.brought) && prefix(s.now.choices, s.brought[:step])
}

// won is the first step of a timeline that reaches the goal; 0: none does.
func (s *Session) won(t *timeline) int {
	if t.won > 0 {
		return t.won
	}
	step, ok, err := s.currentChallenge().Goal.Reached(&t.trace, t.judged+1)
	if err != nil {
		return 0 // playground check refuses such a goal
	}
	t.judged = t.len()
	if ok {
		t.won = step
	}
	return t.won
}
