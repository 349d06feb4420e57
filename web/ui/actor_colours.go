package ui

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// hues is the number of actor colours that style.css has.
const hues = 6

// task is the last part of a task's name: watchdog of A:watchdog.
func task(actor string) string {
	_, name, _ := strings.Cut(actor, ":")
	return name
}

// hue is the class of an actor's colour: by its place in the lesson, so that A
// is the same everywhere; or by the place of a real client.
func hue(v *View, actor string) string {
	if place := v.Places[engine.Root(actor)]; place > 0 {
		return "hue-" + strconv.Itoa((place-1)%hues+1)
	}
	for i, a := range v.Lesson.Actors {
		if a.Name == engine.Root(actor) {
			return "hue-" + strconv.Itoa(i%hues+1)
		}
	}
	return "hue-0"
}

// hueOfOwner colours a hash field, list element or zset member that names an
// actor: A, or uuid:A.
func hueOfOwner(v *View, text string) string {
	if owner := namedBy(v, text); owner != "" {
		return hue(v, owner)
	}
	return ""
}

// namedBy is the actor that a text in Redis names; empty: none.
func namedBy(v *View, text string) string {
	for _, a := range v.Lesson.Actors {
		if text == a.Name || strings.HasSuffix(text, ":"+a.Name) {
			return a.Name
		}
	}
	return ""
}

func hueOfProcess(v *View, process string) string {
	return hue(v, actorIn(v.Lesson, process))
}

// clientOf is who has a session: the actor, or the process when several of its actors share the session.
func clientOf(l *lessons.Lesson, process string) string {
	client := actorIn(l, process)
	if slices.ContainsFunc(l.Actors, func(a lessons.Actor) bool { return a.Process == process && a.Name != client }) {
		return process
	}
	return client
}

// actorIn is the first actor in a process; the name of anything else is its own.
func actorIn(l *lessons.Lesson, name string) string {
	for _, a := range l.Actors {
		if a.Process == name {
			return a.Name
		}
	}
	return name
}
