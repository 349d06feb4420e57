package lessons

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
)

// Report is what playing a lesson's story showed.
type Report struct {
	Steps    int // that were made
	Failures []Failure
	Trace    *engine.Trace
}

// OK tells whether the lesson keeps all its promises.
func (r Report) OK() bool { return len(r.Failures) == 0 }

// Failure is one promise that a lesson does not keep, and where it makes it.
type Failure struct {
	File  string
	Line  int
	Beat  int // from 1; 0: the whole story
	Unmet Unmet
}

// String is the place, the beat, and what was wanted and came instead on lines
// of their own, one below the other.
func (f Failure) String() string {
	place := f.File
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	if f.Beat > 0 {
		place += fmt.Sprintf(": beat %d", f.Beat)
	}
	return fmt.Sprintf("%s: %s\n  want: %s\n  got:  %s", place, f.Unmet.What, f.Unmet.Want, f.Unmet.Got)
}

// Check plays a lesson's story on the nodes that open makes, compares each beat
// with what the lesson expects of it, and plays it all again to see that the same
// happens. The error is a node's or of the lesson's Lua: then nothing is known.
func Check(ctx context.Context, l *Lesson, open func(context.Context) ([]engine.NodeSpec, error)) (Report, error) {
	nodes, err := open(ctx)
	if err != nil {
		return Report{}, err
	}
	scenario, err := l.Scenario(nodes)
	if err != nil {
		return Report{}, err
	}
	world, err := engine.NewWorld(ctx, scenario)
	if err != nil {
		return Report{}, err
	}
	r := Report{Trace: world.Trace()}
	r.start(l)
	for i := range l.Story {
		ok, err := r.beat(ctx, world, &l.Story[i], i+1)
		if err != nil {
			return Report{}, err
		}
		if !ok {
			break // what follows was written for another state
		}
	}
	r.Steps = len(r.Trace.Steps)
	return r, r.again(ctx, l, scenario)
}

func (r *Report) fail(b *Beat, number int, u Unmet) {
	line := u.Line
	if line == 0 {
		line = b.Line
	}
	r.Failures = append(r.Failures, Failure{File: b.File, Line: line, Beat: number, Unmet: u})
}

// start looks for programs that fail before their first request.
func (r *Report) start(l *Lesson) {
	for _, a := range l.Actors {
		if state, ok := r.Trace.Start.Actor(a.Name); ok && state.Failure != "" {
			r.Failures = append(r.Failures, Failure{File: a.File, Line: a.Line, Unmet: Unmet{
				What: "program of " + a.Name, Want: "it begins", Got: "it failed: " + state.Failure,
			}})
		}
	}
}

// beat plays one beat. It is false when a move could not be made.
func (r *Report) beat(ctx context.Context, world *engine.World, b *Beat, number int) (bool, error) {
	from := len(r.Trace.Steps)
	before := *world.Snapshot()
	for _, c := range b.Choices {
		_, err := world.Apply(ctx, c)
		if stopped, ok := errors.AsType[*engine.NotEnabledError](err); ok {
			r.fail(b, number, Unmet{What: c.String(), Want: "it may happen now", Got: stopped.Reason.String()})
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("%s:%d: beat %d: %w", b.File, b.Line, number, err)
		}
	}
	steps := r.Trace.Steps[from:]
	for _, u := range b.Expect.Unmet(&before, steps) {
		r.fail(b, number, u)
	}
	if b.Ask != nil {
		r.ask(b, number, &before, steps)
	}
	return true, nil
}

// ask looks whether the engine can grade an answer. A key that was there neither
// before nor after is more likely misspelt than asked for.
func (r *Report) ask(b *Beat, number int, before *engine.Snapshot, steps []engine.Step) {
	q := b.Ask.Answer
	answer := q.Eval(steps)
	if answer == "nil" && q.Kind != QueryReply && q.in(before) == "nil" {
		answer = ""
	}
	if answer == "" {
		r.fail(b, number, Unmet{What: "the question's answer", Want: q.String() + " finds a value", Got: "it finds nothing"})
	}
}

// again replays the story and compares: the same choices must give the same trace.
func (r *Report) again(ctx context.Context, l *Lesson, s engine.Scenario) error {
	choices := make([]engine.Choice, len(r.Trace.Steps))
	for i, step := range r.Trace.Steps {
		choices[i] = step.Choice
	}
	_, second, err := engine.Replay(ctx, s, choices)
	if err != nil {
		return fmt.Errorf("lesson %s played a second time: %w", l.Name, err)
	}
	step, same := Compare(r.Trace, second)
	if same {
		return nil
	}
	r.Failures = append(r.Failures, Failure{File: l.Story[0].File, Line: l.Story[0].Line, Unmet: Unmet{
		What: fmt.Sprintf("the second time, step %d", step), Want: told(r.Trace, step), Got: told(second, step),
	}})
	return nil
}

func told(t *engine.Trace, step int) string {
	if step < 1 || step > len(t.Steps) {
		return "nothing"
	}
	return strings.TrimSpace(t.Steps[step-1].String())
}

// Compare finds the first step in which two traces tell a different story; 0 is
// the start. A trace that ends earlier differs in the step that it lacks. Which
// scripts were looked into makes no difference.
func Compare(a, b *engine.Trace) (step int, same bool) {
	a, b = fromOutside(a), fromOutside(b)
	for i := range min(len(a.Steps), len(b.Steps)) {
		if !sameStep(&a.Steps[i], &b.Steps[i]) {
			return i + 1, false
		}
	}
	if len(a.Steps) != len(b.Steps) {
		return min(len(a.Steps), len(b.Steps)) + 1, false
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return 0, errX == nil && errY == nil && string(x) == string(y)
}

// fromOutside is a trace in which no script was looked into.
func fromOutside(t *engine.Trace) *engine.Trace {
	out := engine.Trace{Start: t.Start, Steps: slices.Clone(t.Steps)}
	for i := range out.Steps {
		out.Steps[i].Inside = nil
	}
	return &out
}

func sameStep(a, b *engine.Step) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
