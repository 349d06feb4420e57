package lessons

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Report is the result of playing a lesson.
type Report struct {
	Steps     int // that the story made
	Problems  Problems
	Trace     *engine.Trace   // of the story
	Solutions []*engine.Trace // one for each challenge; nil: its solution was not played
	Mistake   bool            // Lua of the lesson is wrong: what searches find says nothing about what it is meant to be

	lesson  *Lesson
	stopped bool // Lua of the lesson broke off, so later mistakes may be its consequences
}

// OK tells whether all expectations of the lesson hold.
func (r *Report) OK() bool { return len(r.Problems.Of(Error)) == 0 }

// Lint finds what could be better in a lesson whose expectations hold. In any other lesson, it finds only
// possible reasons for that.
func (r *Report) Lint() Problems {
	found := r.lesson.Lint(append([]*engine.Trace{r.Trace}, r.Solutions...)...)
	if r.OK() {
		return found
	}
	return slices.DeleteFunc(found, func(p *Problem) bool { return p.Code != CodeMeanings })
}

// Check plays a lesson's story on fresh nodes, compares each beat with its expectations, and plays the story again: both
// traces must be equal. Then it plays the solutions of the challenges. After an error, of a node or of the
// lesson's Lua, nothing is known about the lesson.
func Check(ctx context.Context, l *Lesson, nodes []engine.NodeSpec) (Report, error) {
	scenario, err := l.Scenario(nodes)
	if err != nil {
		return Report{}, err
	}
	scenario.Positions = true // so that what goes wrong in a program has a place
	world, err := engine.NewWorld(ctx, scenario)
	if err != nil {
		return Report{}, err
	}
	r := Report{Trace: world.Trace(), lesson: l}
	r.start()
	r.clock(0)
	for i := range l.Story {
		ok, err := r.beat(ctx, world, &l.Story[i], i+1)
		if err != nil {
			return Report{}, err
		}
		if !ok {
			break // the beats that follow were written for a different state
		}
	}
	r.Steps = len(r.Trace.Steps)
	if r.stopped {
		return r, nil
	}
	if err := r.replayStory(ctx, scenario); err != nil {
		return Report{}, err
	}
	return r, r.challenges(ctx, scenario)
}

// fail records what does not hold.
func (r *Report) fail(code Code, at Place, message, want, got fact.Fact) {
	r.failWith(fact.Fact{}, code, at, message, want, got)
}

// failWith is fail with advice.
func (r *Report) failWith(advice fact.Fact, code Code, at Place, message, want, got fact.Fact) {
	p := r.lesson.problem(Error, code, at, message, advice)
	p.Want, p.Got = want, got
	r.Problems = append(r.Problems, p)
}

// failsRule records an error if it is a *RuleError, and tells whether it is one.
func (r *Report) failsRule(err error, when fact.Fact) bool {
	e, ok := errors.AsType[*RuleError](err)
	if ok {
		r.stopped, r.Mistake = true, true
		r.failWith(e.Advice, CodeEngine, e.Rule.Place, fact.Of("lesson-rule-when", when, e.Rule.Name), fact.Of("lesson-true-or-false"), e.Reason)
	}
	return ok
}

// beat plays one beat and compares it with its expectations, unless Lua has broken off. It is false when a
// move could not be made.
func (r *Report) beat(ctx context.Context, world *engine.World, b *Beat, number int) (bool, error) {
	from := len(r.Trace.Steps)
	before := *world.Snapshot()
	for _, c := range b.Choices {
		_, err := world.Apply(ctx, c)
		if stopped, ok := errors.AsType[*engine.NotEnabledError](err); ok {
			if r.failures(b, number, r.Trace.Steps[from:]); !r.stopped {
				r.fail(CodeCannotHappen, b.Move, fact.Of("lesson-in-beat", number, c.String()), fact.Of("lesson-may-happen"), whyNot(stopped))
			}
			return false, nil
		}
		if r.failsRule(err, fact.Of("lesson-beat", number)) {
			return false, nil
		}
		if err != nil {
			return false, &beatError{number, b.Move, err}
		}
		r.clock(len(r.Trace.Steps))
	}
	steps := r.Trace.Steps[from:]
	if r.failures(b, number, steps); r.stopped {
		return true, nil
	}
	for _, u := range b.Expect.Unmet(&before, steps) {
		at := u.Place
		if at.Line == 0 {
			at = b.Place
		}
		r.failWith(b.advice(u, &before, steps), CodeUnmet, at, fact.Of("lesson-in-beat", number, u.What), u.Want, u.Got)
	}
	if b.Ask != nil {
		r.ask(b, number, &before, steps)
	}
	return true, nil
}

func whyNot(e *engine.NotEnabledError) fact.Fact {
	actor, task, isTask := strings.Cut(e.Choice.Target, ":")
	if isTask && e.Reason.Code == engine.ReasonUnknown {
		return fact.Of("lesson-no-task", actor, task)
	}
	return e.Reason
}

type beatError struct {
	number int
	place  Place
	cause  error
}

func (e *beatError) Error() string { return fmt.Sprintf("%s: beat %d: %v", e.place, e.number, e.cause) }

func (e *beatError) Unwrap() error { return e.cause }

// Trouble is an error of Check as a problem of the lesson, at the beat of the error if it has one.
func (l *Lesson) Trouble(err error) *Problem {
	p := Whole(l.File, CodeEngine, fact.Text(err), fact.Fact{})
	if e, ok := errors.AsType[*beatError](err); ok {
		p.Place, p.Source = e.place, l.line(e.place)
		p.Message = fact.Of("lesson-in-beat", e.number, e.cause)
	}
	return p
}

// ask checks whether a beat's question has an answer. A key that exists neither before nor after the beat
// is taken for misspelt.
func (r *Report) ask(b *Beat, number int, before *engine.Snapshot, steps []engine.Step) {
	q := b.Ask.Answer
	answer := q.Eval(steps)
	if answer == "nil" && q.Kind != QueryReply && q.in(before) == "nil" {
		answer = ""
	}
	if answer == "" {
		got := fact.Of("lesson-finds-nothing")
		if len(steps) > 0 {
			got = q.miss(&steps[len(steps)-1].After)
		}
		r.fail(CodeNoAnswer, b.Ask.Place, fact.Of("lesson-in-beat", number, fact.Of("lesson-question-answer")), fact.Of("lesson-finds-value", q.String()), got)
		return
	}
	r.options(b.Ask, number, answer)
}

// options checks that a question with answers to choose from has the right one among them, and once.
func (r *Report) options(a *Ask, number int, answer string) {
	options := r.lesson.Options(a)
	if len(options) == 0 || r.lesson.dragsTo(a, answer) {
		return
	}
	var right []string
	for _, o := range options {
		if r.lesson.Right(a, o, answer) {
			right = append(right, o)
		}
	}
	if len(right) != 1 {
		r.fail(CodeOptions, a.Place, fact.Of("lesson-in-beat", number, fact.Of("lesson-answers-to-choose", strings.Join(options, ", "))), fact.Of("lesson-one-is", answer), fact.Of("lesson-so-many-are", len(right)))
	}
}

// replayStory checks that the same choices give the same trace.
func (r *Report) replayStory(ctx context.Context, s engine.Scenario) error {
	choices := make([]engine.Choice, len(r.Trace.Steps))
	for i, step := range r.Trace.Steps {
		choices[i] = step.Choice
	}
	_, second, err := engine.Replay(ctx, s, choices)
	if err != nil {
		return fmt.Errorf("lesson %s played a second time: %w", r.lesson.Name, err)
	}
	if step, same := Compare(r.Trace, second); !same {
		r.fail(CodeNotTheSame, r.lesson.Story[0].Place, fact.Of("lesson-second-time", step), fact.Text(StepText(r.Trace, step)), fact.Text(StepText(second, step)))
	}
	return nil
}

// StepText is a step as text, of a trace that may have ended before it.
func StepText(t *engine.Trace, step int) string {
	if step < 1 || step > len(t.Steps) {
		return "nothing"
	}
	return strings.TrimSpace(t.Steps[step-1].String())
}

// Compare finds the first step in which two traces differ; 0: they differ only at the start, or are the same.
// A shorter trace differs in the first step that it lacks. Lines of followed scripts and programs are not
// compared.
func Compare(a, b *engine.Trace) (step int, same bool) {
	a, b = fromOutside(a), fromOutside(b)
	for i := range min(len(a.Steps), len(b.Steps)) {
		if !sameJSON(a.Steps[i], b.Steps[i]) {
			return i + 1, false
		}
	}
	if len(a.Steps) != len(b.Steps) {
		return min(len(a.Steps), len(b.Steps)) + 1, false
	}
	return 0, sameJSON(a, b)
}

// fromOutside is a copy of a trace without the lines that its steps ran.
func fromOutside(t *engine.Trace) *engine.Trace {
	out := t.Cut(len(t.Steps))
	out.Steps = slices.Clone(t.Steps)
	for i := range out.Steps {
		out.Steps[i].Inside, out.Steps[i].Ran = nil, nil
	}
	return &out
}

// SameStep tells whether two steps have the same request, reply and consequences. Lines inside scripts and
// moves within programs are not compared.
func SameStep(a, b engine.Step) bool {
	a.Inside, b.Inside = nil, nil
	a.Moves, b.Moves = nil, nil
	return sameJSON(a, b)
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
