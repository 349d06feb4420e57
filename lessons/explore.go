package lessons

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// Question is what a search of a lesson's schedules is to find out.
type Question struct {
	Invariant string // by name, also nobody-starves, or another that the lesson does not state; empty: all that it states
	AndRules  bool   // all that the lesson states as well
	Bounds    search.Bounds
}

// Found is the best verdict of a search of a lesson and of the closer looks at it.
type Found struct {
	Question Question
	Verdict  search.Verdict
	Trace    *engine.Trace // of the schedule that breaks a rule; nil: there is none
	Coarse   bool          // it holds where the clock stops at few instants; with more of them the search was not finished
	Claim    string        // the verdict for lesson.yaml; empty: the search that check makes would not come to it
}

// UnknownInvariantError says that there is no such invariant.
type UnknownInvariantError struct {
	Name  string
	Known []string
}

func (e *UnknownInvariantError) Error() string {
	return fmt.Sprintf("there is no invariant %q: the lesson and the playground have %s", e.Name, strings.Join(e.Known, ", "))
}

// Explore searches every schedule of the lesson on nodes that live in memory.
func (l *Lesson) Explore(ctx context.Context, nodes []engine.NodeSpec, q Question, progress func(search.Progress)) (search.Verdict, error) {
	s, b, err := l.asked(nodes, q)
	if err != nil {
		return search.Verdict{}, err
	}
	return search.Explore(ctx, s, b, progress)
}

// Search begins a search that goes on as it is told to, on nodes of its own.
func (l *Lesson) Search(ctx context.Context, q Question) (*search.Search, error) {
	s, b, err := l.asked(l.Open(Embedded), q)
	if err != nil {
		return nil, err
	}
	return search.New(ctx, s, b)
}

// asked is the lesson's scenario with the rules that a question is about, and the question's bounds: where
// nothing is due, time may pass for twice as long as the longest span with which the lesson could compare it, or as long as all of
// them together: a rule may add them up.
func (l *Lesson) asked(nodes []engine.NodeSpec, q Question) (engine.Scenario, search.Bounds, error) {
	s, err := l.Scenario(nodes)
	if stated := s.Invariants; err == nil && q.Invariant != "" {
		s.Invariants, err = only(stated, q.Invariant)
		if q.AndRules {
			s.Invariants = slices.Concat(stated, s.Invariants)
		}
	}
	b := q.Bounds
	b.Spans, b.Before = l.spans(), b.Before || l.looksAtTTL() || q.Bounds.Idle > 1 && l.scriptLooksAtTTL()
	sum := time.Duration(0)
	for _, span := range b.Spans {
		sum += min(span, engine.MaxSpan)
	}
	b.Beyond = min(max(sum, 2*b.Spans[len(b.Spans)-1]), engine.MaxSpan)
	return s, b, err
}

func only(rules []engine.Invariant, name string) ([]engine.Invariant, error) {
	starves := search.NobodyStarves{}
	known := append(engine.RuleNames(), starves.Name())
	for _, r := range rules {
		if r.Name() == name {
			return []engine.Invariant{r}, nil
		}
		if !slices.Contains(known, r.Name()) {
			known = append(known, r.Name())
		}
	}
	if name == starves.Name() {
		return []engine.Invariant{starves}, nil
	}
	if r, ok := engine.Rule(name); ok {
		return []engine.Invariant{r}, nil
	}
	return nil, &UnknownInvariantError{name, known}
}

// Starving is the lesson's question whether anybody can wait for ever, if it asks that.
func (l *Lesson) Starving() (Question, bool) {
	c, asks := find(l.Claims, func(c Claim) bool { return c.Question.Invariant == (search.NobodyStarves{}).Name() })
	return c.Question, asks
}

// Stated are the rules that the lesson states: the engine's, then its own.
func (l *Lesson) Stated() []string {
	return append(slices.Clone(l.Invariants), namesOf(l.Rules, func(r Rule) string { return r.Name })...)
}

// RuleNames are the rules that the lesson states, and those that only its claims are about.
func (l *Lesson) RuleNames() []string {
	names := l.Stated()
	for _, c := range l.Claims {
		if name := c.Question.Invariant; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// About is the lesson's question about a rule: under the assumptions of its claim about that rule, else about all, else
// with each kind of fault once.
func (l *Lesson) About(rule string) Question {
	for _, name := range []string{rule, ""} {
		if c, about := find(l.Claims, func(c Claim) bool { return c.Question.Invariant == name }); about {
			return Question{Invariant: rule, Bounds: c.Question.Bounds}
		}
	}
	return Question{Invariant: rule, Bounds: search.Bounds{Faults: l.OneFault()}}
}

// OneFault is a budget in which each kind of fault that the lesson allows happens once.
func (l *Lesson) OneFault() map[engine.ChoiceKind]int {
	faults := map[engine.ChoiceKind]int{}
	for _, f := range l.Faults {
		faults[f.Kind] = 1
	}
	return faults
}
