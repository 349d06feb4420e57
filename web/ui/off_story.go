package ui

import (
	"slices"

	"lockstep/engine"
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
	for _, n := range s.Nodes {
		for _, k := range n.Keys {
			if k.Deadline != engine.NoDeadline && ownerOf(v, k) == name {
				return offInside.in(v.Lang, name, section, span(v.Lang, k.Deadline-s.Now))
			}
		}
	}
	for _, n := range s.Nodes {
		if slices.ContainsFunc(n.Keys, func(k engine.Key) bool { return ownerOf(v, k) == name }) {
			return offInsideForever.in(v.Lang, name, section)
		}
	}
	for _, n := range s.Nodes {
		if _, there := n.Key(section); there {
			return offInsideTaken.in(v.Lang, name, section, section)
		}
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
	case len(a.Wants) == 0 || a.Task:
		return ""
	case a.Status != engine.Ready && a.Until != engine.NoDeadline:
		return offWaitsUntil.in(v.Lang, a.Name, a.Wants[0], instant(v.Lang, a.Until))
	case a.Status != engine.Ready:
		return offWaits.in(v.Lang, a.Name, a.Wants[0])
	}
	switch a.Next.(type) {
	case engine.Subscribe, engine.Unsubscribe, engine.Receive:
		return offWantsNext.in(v.Lang, a.Name, a.Wants[0], askedText(v.Lang, a.Next))
	}
	return offWants.in(v.Lang, a.Name, a.Wants[0])
}

// pausedRemark says what happens to the lease of an actor that stands still.
func pausedRemark(v *View, a engine.ActorState) string {
	words := offPaused
	if len(a.Inside) > 0 {
		words = offPausedOver
	}
	for _, n := range v.Snapshot().Nodes {
		if slices.ContainsFunc(n.Keys, func(k engine.Key) bool { return k.Deadline != engine.NoDeadline && ownerOf(v, k) == a.Name }) {
			words = offPausedLease
		}
	}
	return words.in(v.Lang, a.Name, a.Process)
}

// storyInstead is what the story does where it was left; empty at its end.
func storyInstead(v *View) string {
	choices := v.Lesson.Choices()
	if n := v.Story.Left - 1; n >= 0 && n < len(choices) {
		return offInstead.in(v.Lang, v.Story.Left, choiceText(v.Lang, v.Trace.At(min(n, len(v.Trace.Steps))), choices[n]))
	}
	return ""
}
