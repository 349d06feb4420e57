package lessons

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/engine/search"
)

// MostStates is how many states a search looks at to prove a claim of a lesson: a claim
// should be proven in a moment, whenever the lesson is checked.
const MostStates = 50_000

// Claim is what a lesson says that a search of all its schedules finds.
type Claim struct {
	Ending   search.Ending // Holds or Breaks
	Question Question
	Length   int // choices of the shortest schedule, when it breaks
	Place    Place
}

// Prove searches for each claim of the lesson whether it is true, and for each challenge to
// repair the lesson whether it is as broken, and its solution as good, as they should be.
// The error is one of the lesson's Lua: then nothing is known.
func (l *Lesson) Prove(ctx context.Context) (Problems, error) {
	var found Problems
	for _, c := range l.Claims {
		v, err := l.Explore(ctx, l.Open(Embedded), c.Question, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Place, err)
		}
		if v.Ending != c.Ending || v.Ending == search.Breaks && len(v.Schedule) != c.Length {
			found = append(found, l.unproven(c.Place, "what the lesson claims", c.String(), searched(v)))
		}
	}
	for _, c := range l.Challenges {
		if c.Goal.Repair == nil {
			continue
		}
		problems, err := l.proveRepair(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Place, err)
		}
		found = append(found, problems...)
	}
	return found, nil
}

func (l *Lesson) unproven(at Place, what, want, got string) *Problem {
	return &Problem{Place: at, Severity: Error, Code: CodeUnproven, Message: what, Want: want, Got: got, Source: l.line(at)}
}

// proveRepair searches whether a lesson is broken as it is, and good after the solution.
func (l *Lesson) proveRepair(ctx context.Context, c Challenge) (Problems, error) {
	r, err := NewRepair(ctx, l, l, c.Goal)
	if err != nil {
		return nil, err
	}
	v, err := r.toEnd(ctx)
	if err != nil {
		return nil, err
	}
	var found Problems
	if v.Ending != search.Breaks || v.Violation.Invariant != c.Goal.Repair.Invariant {
		found = append(found, l.unproven(c.Goal.Place, "the goal, in the lesson as it is", c.Goal.Repair.Invariant+" breaks first", searched(v)))
	}
	r, err = NewRepair(ctx, l, c.Repaired(l), c.Goal)
	if err != nil {
		return nil, err
	}
	if v, err = r.toEnd(ctx); err != nil {
		return nil, err
	}
	switch lost := r.Lost(); {
	case v.Ending != search.Holds:
		found = append(found, l.unproven(c.Place, "the lesson with the solution", "it holds", searched(v)))
	case len(lost) > 0:
		found = append(found, l.unproven(c.Place, "the lesson with the solution", "all can happen that could before, or should, and no program breaks off", lossText(lost[0])))
	}
	return found, nil
}

// lossText is what a solution has lost, in a few words.
func lossText(lost search.Sometimes) string {
	if lost.Name == search.Fails {
		return lost.Of + " breaks off: " + lost.Failure.Error()
	}
	return fmt.Sprintf("never %s %s", lost.Name, lost.Of)
}

// String is the claim as a lesson writes it.
func (c Claim) String() string {
	if c.Ending == search.Breaks {
		return fmt.Sprintf("it breaks in %d", c.Length)
	}
	return "it holds"
}

// searched is what a search found, in a few words.
func searched(v search.Verdict) string {
	switch v.Ending {
	case search.Breaks:
		var choices []string
		for _, c := range v.Schedule {
			choices = append(choices, c.String())
		}
		return fmt.Sprintf("it breaks in %d: %v: [%s]", len(v.Schedule), v.Violation, strings.Join(choices, ", "))
	case search.Stops:
		return fmt.Sprintf("the search stopped after %d states and %d choices: %v", v.States, v.Depth, v.Stopped.Fact())
	case search.Holds:
	}
	return fmt.Sprintf("it holds: %d states", v.States)
}

// Repair is a search for whether an edited lesson keeps its invariants, and can still do
// all that it could do before.
type Repair struct {
	before, after *search.Search
	still         *search.Search // for the opposite of the goal's expression; nil: it has none
	wish          string         // that expression
}

// Still marks a goal whose expression, which it is Of, can never become true.
const Still search.SometimesName = "still"

// NewRepair begins a search of an edited lesson. The original tells what could happen before.
func NewRepair(ctx context.Context, original, edited *Lesson, g Goal) (*Repair, error) {
	q := *g.Repair
	q.Invariant = ""
	after, err := edited.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	s, b, err := original.asked(original.Open(Embedded), q)
	if err != nil {
		return nil, err
	}
	s.Invariants = nil
	before, err := search.New(ctx, s, b)
	if err != nil || g.Still == nil {
		return &Repair{before: before, after: after}, err
	}
	s, b, err = edited.asked(edited.Open(Embedded), q)
	if err != nil {
		return nil, err
	}
	never, err := newLuaRule(Rule{Name: g.Still.Name, Lua: "not (" + g.Still.Lua + "\n)", Place: g.Still.Place})
	if err != nil {
		return nil, err
	}
	s.Invariants = []engine.Invariant{never}
	still, err := search.New(ctx, s, b)
	return &Repair{before, after, still, g.Still.Lua}, err
}

// Continue looks at so many more states, and tells whether there is a verdict.
func (r *Repair) Continue(ctx context.Context, states int) (done bool, err error) {
	if done, err = r.after.Continue(ctx, states); err != nil || !done || r.after.Verdict().Ending != search.Holds {
		return done, err
	}
	if done, err = r.before.Continue(ctx, states); err != nil || !done || r.still == nil {
		return done, err
	}
	return r.still.Continue(ctx, states)
}

// Search is the search of the edited lesson.
func (r *Repair) Search() *search.Search { return r.after }

// Lost is what could happen before and no longer can: that nobody gets inside any more is no
// repair. That nothing expires any more may be one. A program that breaks off where it did not
// before is lost, too.
func (r *Repair) Lost() []search.Sometimes {
	var lost []search.Sometimes
	after := r.after.Verdict().Sometimes
	for i, s := range r.before.Verdict().Sometimes {
		switch {
		case s.Name == search.Expires:
		case s.Name == search.Fails && !s.Seen && after[i].Seen:
			lost = append(lost, after[i])
		case s.Name != search.Fails && s.Seen && !after[i].Seen:
			lost = append(lost, s)
		}
	}
	if r.still != nil && r.still.Verdict().Ending != search.Breaks {
		lost = append(lost, search.Sometimes{Name: Still, Of: r.wish})
	}
	return lost
}

func (r *Repair) toEnd(ctx context.Context) (search.Verdict, error) {
	for {
		if ctx.Err() != nil {
			return search.Verdict{}, errors.New("the search was called off")
		}
		done, err := r.Continue(ctx, 1024)
		if done || err != nil {
			return r.after.Verdict(), err
		}
	}
}
