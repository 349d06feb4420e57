package ui

import (
	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// triedText is a choice that a search has tried, in as few words as can be: A, +5 s, crash jvm-1.
func triedText(v *View, b *search.Branch) string {
	if b.Choice.Kind == engine.Tick {
		return "+" + span(v.Lang, b.Passed)
	}
	return briefly(v, b.Choice)
}

// playedText is a choice of the schedule that a search found: where it is played, with how far the clock went.
func playedText(v *View, s *Search, i int, c engine.Choice) string {
	switch {
	case c.Kind != engine.Tick:
		return briefly(v, c)
	case c.Span > 0:
		return "+" + span(v.Lang, c.Span)
	case s.Played && i < len(v.Trace.Steps):
		step := &v.Trace.Steps[i]
		return "+" + span(v.Lang, step.At-step.From)
	}
	return treeTick.in(v.Lang)
}

// briefly is a choice that is none of the clock's.
func briefly(v *View, c engine.Choice) string {
	if c.Kind == engine.Run {
		return c.Target
	}
	return choiceText(v.Lang, v.Trace.At(0), c)
}

// triedHue is the colour of who makes a choice.
func triedHue(v *View, c engine.Choice) string {
	if c.Kind == engine.Run {
		return hue(v, c.Target)
	}
	return "hue-0"
}

// figure is a number that a search has come to.
type figure struct {
	n      int
	words  string
	broken bool
}

// runningText is how far a search has come.
func runningText(lang lessons.Lang, s *Search) string {
	if s.Waits {
		return searchWaits.in(lang)
	}
	if s.Again != nil {
		return searchAgain.in(lang, s.Progress.States, s.Again.States)
	}
	return searchRunning.in(lang, s.Progress.States, s.Progress.Depth)
}

// triedFigures are what counts of a search, the first most: how many moves break a rule, and how many situations were tried.
func triedFigures(v *View, s *Search) []figure {
	switch {
	case s.Again != nil:
		return []figure{{n: s.Progress.States, words: treeHolds.in(v.Lang)}, {n: s.Again.States, words: treeAgain.in(v.Lang)}}
	case s.Verdict == nil:
		return []figure{{n: s.Progress.States, words: treeSoFar.in(v.Lang)}, {n: s.Progress.Depth, words: treeDeep.in(v.Lang)}}
	}
	tried := figure{n: s.Verdict.States, words: treeTried.in(v.Lang)}
	switch s.Verdict.Ending {
	case search.Breaks:
		broken := figure{n: s.Verdict.Moves(), words: treeBreaks.in(v.Lang), broken: true}
		if s.Verdict.Starves() {
			broken.words = treeStarves.in(v.Lang)
		}
		return []figure{broken, tried}
	case search.Holds:
		if len(s.Lost) == 0 {
			tried.words = treeHolds.in(v.Lang)
		}
	case search.Stops:
		tried.words = treeStops.in(v.Lang)
	}
	return []figure{tried}
}

// broken tells whether what was searched breaks a rule, or has broken something else that the lesson as it was could do.
func (s *Search) broken() bool { return s.Verdict.Ending == search.Breaks || triedState(s) == "lost" }

// triedState is the class of a search by how it is.
func triedState(s *Search) string {
	switch {
	case s.Verdict == nil:
		return "growing"
	case s.Verdict.Ending == search.Holds && len(s.Lost) > 0:
		return "lost"
	}
	return string(s.Verdict.Ending)
}

// brokenWords is what breaks at the end of a way.
func brokenWords(v *View, s *Search) string {
	return brokenLabel.in(v.Lang, ruleName(v.Lang, v.Lesson.Rules, s.Verdict.Violation.Invariant))
}

// stopSize is how large a situation on a way of so many is, in pixels.
func stopSize(last bool, of int) string {
	switch {
	case last:
		return "9"
	case of > 2*mostNamed:
		return "3.5"
	}
	return "6"
}
