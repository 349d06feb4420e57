package lessons

import (
	"fmt"
	"slices"
	"time"

	"lockstep/engine"
)

// OffClock says that the lesson's clock cannot show a span, and what to write; both
// are empty when it can.
func (l *Lesson) OffClock(span time.Duration) (message, advice string) {
	step := l.Resolution
	if step <= 0 || span%step == 0 {
		return "", ""
	}
	below := span - span%step
	near := engine.FormatSpan(below + step)
	if below > 0 {
		near = engine.FormatSpan(below) + " or " + near
	}
	return fmt.Sprintf("the clock of this lesson moves in steps of %s, and %s is not a multiple of it",
		engine.FormatSpan(step), engine.FormatSpan(span)), "write " + near + ", or set resolution"
}

// clock looks for spans that the lesson's clock cannot show in the state after n steps.
// Later mistakes may only follow from that.
func (r *Report) clock(n int) {
	now := r.Trace.At(n)
	if now.Now%r.lesson.Resolution != 0 {
		return // and that was reported
	}
	for _, a := range now.Actors {
		switch next := a.Next.(type) {
		case engine.Sleep:
			r.offClock(a.Name+" sleeps for", next.For, r.lesson.stands(a))
		case engine.Receive:
			r.offClock(a.Name+" waits for a message for", max(next.Timeout, 0), r.lesson.stands(a))
		case engine.AwaitReplicas:
			r.offClock(a.Name+" waits for replicas for", max(next.Timeout, 0), r.lesson.stands(a))
		case engine.Exec:
			r.offClock(a.Name+" waits for a reply for", next.Timeout, r.lesson.stands(a))
		}
	}
	if n == 0 {
		return
	}
	for _, v := range now.Nodes {
		for _, wait := range v.Waits {
			if a, ok := now.Actor(wait.Actor); ok && wait.Until > now.Now+v.Clock {
				r.offClock(a.Name+" waits in "+v.Node+" for", wait.Until-now.Now-v.Clock, r.lesson.stands(a))
			}
		}
	}
	step := r.Trace.Steps[n-1]
	actor, ran := r.Trace.At(n - 1).Actor(step.Choice.Target)
	for _, c := range step.Changes {
		if ran && c.New != nil && c.New.Deadline > now.Now {
			r.offClock(fmt.Sprintf("the key %s is to live for", engine.Word(c.Key)), c.New.Deadline-now.Now, r.lesson.stands(actor))
		}
	}
}

// offClock records a span that the lesson's clock cannot show, once for each place.
func (r *Report) offClock(what string, span time.Duration, at Place) {
	message, advice := r.lesson.OffClock(span)
	if message == "" {
		return
	}
	r.stopped = true
	if !slices.ContainsFunc(r.Problems, func(o *Problem) bool { return o.Place == at && o.Code == CodeOffClock }) {
		r.Problems = append(r.Problems, r.lesson.problem(Error, CodeOffClock, at, what+" "+engine.FormatSpan(span)+": "+message, advice))
	}
}

// stands is the line of a program, or of the lesson's own client, at which an actor
// waits; the program's first when none is known.
func (l *Lesson) stands(a engine.ActorState) Place {
	if a.Position != nil {
		for _, frame := range a.Position.Frames {
			if at, ok := l.place(frame.Chunk, frame.Line); ok {
				return at
			}
		}
	}
	if actor, ok := find(l.Actors, func(actor Actor) bool { return actor.Name == engine.Root(a.Name) }); ok {
		return actor.Place
	}
	return Place{File: l.File}
}
