package ui

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// shownThread is the thread or task whose code the page shows. In this order: the learner's pick, the one
// that runs the shown line, the last to move, the next of the story, the first of the lesson.
func shownThread(v *View) engine.ActorState {
	if a, ok := firstThere(v, []string{v.Thread}); ok {
		return a
	}
	if r := ranLine(v); r != nil {
		if a, ok := firstThere(v, []string{r.Actor, engine.Root(r.Actor)}); ok { // a task may have ended since
			return a
		}
	}
	for n := v.Pos; n > 0; n-- {
		if a, ok := firstThere(v, moversOf(&v.Trace.Steps[n-1])); ok {
			return a
		}
	}
	if next := v.Story.Next; next != nil {
		if a, ok := firstThere(v, []string{next.Target}); ok {
			return a
		}
	}
	return v.Snapshot().Actors[0]
}

// firstThere is the first of these threads that exists at the learner's place. On a line that it ran, its
// position is that line.
func firstThere(v *View, names []string) (engine.ActorState, bool) {
	for _, name := range names {
		if a, ok := v.Snapshot().Actor(name); ok {
			if r := ranLine(v); r != nil && r.Actor == name {
				a.Position = r.At
			}
			return a, true
		}
	}
	return engine.ActorState{}, false
}

// ranLine is the client's line on which the learner stands; nil: none.
func ranLine(v *View) *engine.Ran {
	if v.ClientLine == 0 {
		return nil
	}
	return &v.Step().Ran[v.ClientLine-1]
}

// moversOf are the threads that a step concerns, by priority: the chosen ones, then those that moved. The
// thread of a chosen task comes behind it, for a task that has ended.
func moversOf(s *engine.Step) []string {
	var names []string
	switch s.Choice.Kind.Of() {
	case engine.AnActor:
		names = append(names, s.Choice.Target, engine.Root(s.Choice.Target))
	case engine.AProcess, engine.AMachine, engine.AClock:
		for _, a := range s.After.Actors {
			if a.Process == s.Choice.Target {
				names = append(names, a.Name)
			}
		}
	case engine.TheClock, engine.ANode, engine.ALink:
	}
	for _, m := range s.Moves {
		names = append(names, m.Actor)
	}
	return names
}

// moveOf is the move of a thread by the shown step, or by the shown line of a client; nil: it did not move.
func moveOf(v *View, thread string) *engine.Move {
	s := v.Step()
	if s == nil || v.Line > 0 {
		return nil
	}
	i := slices.IndexFunc(s.Moves, func(m engine.Move) bool { return m.Actor == thread })
	r := ranLine(v)
	if i < 0 || r != nil && r.Actor != thread {
		return nil
	}
	if r == nil {
		return &s.Moves[i]
	}
	line := engine.Move{Actor: thread, From: s.Moves[i].From, To: r.At}
	for _, before := range s.Ran[:v.ClientLine-1] {
		if before.Actor == thread {
			line.From = before.At
		}
	}
	return &line
}

// passage is a part of a client's code: the whole program of a thread, or some lines of the client library.
type passage struct {
	Chunk string
	First int // the number of the first of Lines
	Lines []string
	Marks map[int]string // classes, by number of line
}

// The marks of lines in a passage.
const (
	markAt  = "at"  // the thread stands here
	markIn  = "in"  // a call here has not returned
	markWas = "was" // the same call stood here before the step
)

// passages are the shown parts of a thread's code, outermost call first. A call in the library is one line,
// but the innermost call is its whole function.
func passages(v *View, a engine.ActorState) []passage {
	var ps []passage
	var frames []engine.Frame
	if a.Position != nil {
		frames = a.Position.Frames
	}
	own := engine.Root(a.Name)
	if !a.Task || slices.ContainsFunc(frames, func(f engine.Frame) bool { return f.Chunk == own }) {
		ps = append(ps, passage{Chunk: own, First: 1, Lines: v.lines(sourceOf(v, own)), Marks: map[int]string{}})
	}
	move := moveOf(v, a.Name)
	for i, f := range slices.Backward(frames) {
		if f.Chunk != own {
			library := passage{Chunk: f.Chunk, Marks: map[int]string{}}
			library.show(v.lines(sourceOf(v, f.Chunk)), f, i == 0)
			ps = append(ps, library)
		}
		p := &ps[len(ps)-1]
		if f.Chunk == own {
			p = &ps[0]
		}
		if before := move.Before(i); before != nil && p.Marks[before.Line] == "" {
			p.Marks[before.Line] = markWas
		}
		p.Marks[f.Line] = markIn
		if i == 0 {
			p.Marks[f.Line] = markAt
		}
	}
	return ps
}

// commentOpen begins the HTML of a line that is a comment.
const commentOpen = `<i class="c">`

// show cuts the line of a call out of a source, or its whole function with the comment right above.
func (p *passage) show(lines []string, f engine.Frame, whole bool) {
	first, last := f.Line, f.Line
	if whole {
		first, last = f.First, f.Last
		for first > 1 && first <= len(lines) && strings.HasPrefix(lines[first-2], commentOpen) {
			first--
		}
	}
	if first >= 1 && first <= last && last <= len(lines) {
		p.First, p.Lines = first, lines[first-1:last]
	}
}

// variables are the variables of one call, with their values before the step.
type variables struct {
	Place string // A:2, redisson.lua:31
	New   bool   // the shown step made the call, so there are no values before
	Rows  []localRow
	Outer int // index of the first row of a function around this one
}

// variablesOf are the variables of a thread's calls, innermost call first.
func variablesOf(v *View, a engine.ActorState) []variables {
	if a.Position == nil {
		return nil
	}
	var vs []variables
	move := moveOf(v, a.Name)
	for i, f := range a.Position.Frames {
		before := move.Before(i)
		isNew := move != nil && before == nil
		if before == nil {
			before = &f
		}
		locals := rowsOf(before.Locals, f.Locals)
		vs = append(vs, variables{
			Place: f.Chunk + ":" + strconv.Itoa(f.Line), New: isNew,
			Rows: append(locals, rowsOf(before.Outer, f.Outer)...), Outer: len(locals),
		})
	}
	return vs
}

// sourceOf is the source of a chunk: the program of the thread with that name, or the library; empty: unknown.
func sourceOf(v *View, chunk string) string {
	for _, a := range v.Lesson.Actors {
		if a.Name == chunk {
			return a.Program
		}
	}
	if chunk == v.Lesson.Client.Chunk() {
		return v.Lesson.Client.Source
	}
	return ""
}

// threads are all threads, in the order of the cards, each followed by its tasks that have not ended.
func threads(v *View) []engine.ActorState {
	actors := v.Snapshot().Actors
	thread := func(a engine.ActorState) int {
		return slices.IndexFunc(actors, func(t engine.ActorState) bool { return t.Name == engine.Root(a.Name) })
	}
	all := slices.DeleteFunc(slices.Clone(actors), func(a engine.ActorState) bool { return a.Task && ended(a) })
	slices.SortStableFunc(all, func(a, b engine.ActorState) int { return thread(a) - thread(b) })
	return all
}

// underWay tells whether an actor's request has been sent, and nothing has come back.
func underWay(a engine.ActorState) bool {
	return !a.Answered && (a.InNode || a.Status == engine.Blocked || a.Status == engine.Unanswered)
}

// nextText is a thread's next request, or one that is under way, in words and in code; the code may be empty.
func nextText(lang lessons.Lang, a engine.ActorState) (words, code string) {
	switch {
	case a.Status == engine.Crashed:
		return nextNever.in(lang), requestText(lang, a.Next, span)
	case a.Answered:
		return nextReply.in(lang, engine.NodeOf(a.Next)), requestText(lang, a.Next, span)
	case underWay(a):
		return nextSent.in(lang, engine.NodeOf(a.Next)), requestText(lang, a.Next, span)
	}
	switch r := a.Next.(type) {
	case engine.Exec:
		if r.Op.Script != nil {
			return nextScript.in(lang, r.Node), execText(r)
		}
		return nextCommand.in(lang, r.Node), execText(r)
	case engine.Subscribe, engine.Unsubscribe, engine.AwaitReplicas:
		return nextCommand.in(lang, engine.NodeOf(r)), requestText(lang, r, span)
	case engine.Receive:
		if a.Status == engine.Ready {
			return ofEvents(r.Channel, zkTake, nextTake).in(lang, r.Channel), ""
		}
	}
	return requestText(lang, a.Next, span), ""
}
