package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// mostRemarks is how many sentences are said about a world off the story.
const mostRemarks = 6

// remarks say what matters about the shown world, where no author has words for it: who is
// inside and what protects them, who waits and for how long, and what the story did instead.
func remarks(v *View) []string {
	s := v.Snapshot()
	var all []string
	for _, h := range s.Held {
		for _, name := range h.Actors {
			all = append(all, insideRemark(v, s, name, h.Section))
		}
	}
	if len(s.Held) == 0 {
		all = append(all, heldNone.in(v.Lang))
	}
	for _, a := range s.Actors {
		if text := stateRemark(v, a); text != "" {
			all = append(all, text)
		}
	}
	return all[:min(len(all), mostRemarks)]
}

func insideRemark(v *View, s *engine.Snapshot, name, section string) string {
	switch g, left := guardOf(v, s, name, section); g {
	case guardLeased:
		return offInside.in(v.Lang, name, section, span(v.Lang, left))
	case guardForever:
		return offInsideForever.in(v.Lang, name, section)
	case guardGone:
		return offInsideGone.in(v.Lang, name, section, section)
	case guardTaken:
		return offInsideTaken.in(v.Lang, name, section, section)
	case guardUnknown:
	}
	return offInsideBare.in(v.Lang, name, section)
}

// stateRemark is about an actor that cannot go on by itself, or that has stopped.
func stateRemark(v *View, a engine.ActorState) string {
	switch {
	case a.Status == engine.Crashed:
		return offCrashed.in(v.Lang, a.Name, a.Process)
	case a.Status == engine.Paused:
		return pausedRemark(v, a)
	case a.Task:
		return ""
	case len(a.Wants) == 0:
		return heldUpRemark(v, a)
	case a.Status == engine.Ready:
		return offWantsNext.in(v.Lang, a.Name, a.Wants[0], doesNext(v.Lang, a))
	case a.Status == engine.Sleeping:
		return offSleepsUntil.in(v.Lang, a.Name, a.Wants[0], instant(v.Lang, a.Until))
	case a.Until != engine.NoDeadline:
		return offWaitsUntil.in(v.Lang, a.Name, a.Wants[0], instant(v.Lang, a.Until))
	}
	return offWaits.in(v.Lang, a.Name, a.Wants[0])
}

// heldUpRemark is about an actor that cannot go on, and says of no section that it wants it: a row's lock, an answer or a
// message is what it waits for. Empty: it can, or works.
func heldUpRemark(v *View, a engine.ActorState) string {
	_, receives := a.Next.(engine.Receive)
	if a.Status != engine.Blocked && a.Status != engine.Unanswered && (a.Status != engine.Waiting || !receives) {
		return ""
	}
	text := a.Name + clauseColon.in(v.Lang) + doing(v, v.Snapshot(), a, span)
	n, _ := v.Snapshot().Node(engine.NodeOf(a.Next))
	if i := slices.IndexFunc(n.Waits, func(w engine.Wait) bool { return w.Actor == a.Name && len(w.By) > 0 }); i >= 0 {
		text += clauseComma.in(v.Lang) + nodeWaitBy.in(v.Lang, strings.Join(n.Waits[i].By, clauseAnd.in(v.Lang)))
	}
	return joinSentences(v.Lang, []string{text})
}

func doesNext(lang lessons.Lang, a engine.ActorState) string {
	if a.Answered {
		return actorTakes.in(lang, askedText(lang, a.Next))
	}
	if r, receives := a.Next.(engine.Receive); receives { // it may run, so there is something to receive
		return ofEvents(r.Channel, zkTakes, reqTake).in(lang, r.Channel)
	}
	return askedText(lang, a.Next)
}

// pausedRemark says what happens to the lease of an actor that stands still.
func pausedRemark(v *View, a engine.ActorState) string {
	runs, over := 0, 0
	for _, section := range a.Inside {
		switch g, _ := guardOf(v, v.Snapshot(), a.Name, section); g {
		case guardLeased:
			runs++
		case guardGone, guardTaken:
			over++
		case guardForever, guardUnknown:
		}
	}
	words := offPaused
	switch len(a.Inside) {
	case 0:
	case runs:
		words = offPausedLease
	case over:
		words = offPausedOver
	}
	return words.in(v.Lang, a.Name, a.Process)
}

// storyInstead is what the story does where it was left; empty at its end.
func storyInstead(v *View) string {
	choices := v.Lesson.Choices()
	if n := v.Story.Left - 1; n >= 0 && n < len(choices) && !sameTime(v, n, choices[n]) {
		return offInstead.in(v.Lang, v.Story.Left, choiceText(v.Lang, v.Trace.At(min(n, len(v.Trace.Steps))), choices[n]))
	}
	return ""
}

// sameTime tells whether the step after n others moved the clock as the story does there, in another form.
func sameTime(v *View, n int, story engine.Choice) bool {
	if story.Kind != engine.Tick || n >= len(v.Trace.Steps) || v.Trace.Steps[n].Choice.Kind != engine.Tick {
		return false
	}
	return v.Trace.At(n+1).Now-v.Trace.At(n).Now == story.Span
}
