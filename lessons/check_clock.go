package lessons

import (
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// OffClock says that the lesson's clock cannot show a span, and what to write; both
// are empty when it can.
func (l *Lesson) OffClock(span time.Duration) (message, advice fact.Fact) {
	step := l.Resolution
	if step <= 0 || span%step == 0 {
		return fact.Fact{}, fact.Fact{}
	}
	below := span - span%step
	message = fact.Of("lesson-off-clock", engine.FormatSpan(step), engine.FormatSpan(span))
	if below > 0 {
		return message, fact.Of("lesson-either-span", engine.FormatSpan(below), engine.FormatSpan(below+step))
	}
	return message, fact.Of("lesson-other-span", engine.FormatSpan(below+step))
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
			r.offClock(next.For, r.lesson.stands(a), "lesson-sleeps-off-clock", a.Name)
		case engine.Receive:
			r.offClock(max(next.Timeout, 0), r.lesson.stands(a), "lesson-receives-off-clock", a.Name)
		case engine.AwaitReplicas:
			r.offClock(max(next.Timeout, 0), r.lesson.stands(a), "lesson-awaits-off-clock", a.Name)
		case engine.Exec:
			r.offClock(next.Timeout, r.lesson.stands(a), "lesson-asks-off-clock", a.Name)
		}
	}
	if n == 0 {
		return
	}
	for _, v := range now.Nodes {
		for _, wait := range v.Waits {
			if a, ok := now.Actor(wait.Actor); ok && wait.Until > now.Now+v.Clock {
				r.offClock(wait.Until-now.Now-v.Clock, r.lesson.stands(a), "lesson-blocks-off-clock", a.Name, v.Node)
			}
		}
	}
	step := r.Trace.Steps[n-1]
	actor, ran := r.Trace.At(n - 1).Actor(step.Choice.Target)
	for _, c := range step.Changes {
		if ran && c.New != nil && c.New.Deadline > now.Now {
			r.offClock(c.New.Deadline-now.Now, r.lesson.stands(actor), "lesson-lives-off-clock", engine.Word(c.Key))
		}
	}
}

// offClock records a span that the lesson's clock cannot show, once for each place: with the code of a fact of whose it is.
func (r *Report) offClock(span time.Duration, at Place, code string, whose ...any) {
	message, advice := r.lesson.OffClock(span)
	if message.Code == "" {
		return
	}
	r.stopped = true
	if !slices.ContainsFunc(r.Problems, func(o *Problem) bool { return o.Place == at && o.Code == CodeOffClock }) {
		told := fact.Of(code, append(whose, engine.FormatSpan(span), message)...)
		r.Problems = append(r.Problems, r.lesson.problem(Error, CodeOffClock, at, told, advice))
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
