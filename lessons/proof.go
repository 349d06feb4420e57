package lessons

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/search"
)

// Proof finds out whether what a lesson says of all its schedules is true: its claims, and of each
// challenge to repair it that the lesson is as broken, and the solution as good, as they should be.
// It goes on as far as it is told to.
type Proof struct {
	Findings []Finding
	At       int             // so many of them have been searched
	Progress search.Progress // of the search that is under way

	lesson *Lesson
	most   search.Bounds // Bytes, Casts and Full of each search
	under  *Inquiry      // nil: not begun
}

// proofStates bound each closer look of a proof, gridStates those on a grid, where a state costs many moves of the clock: a
// check has many to take.
const (
	proofStates = 5_000
	gridStates  = 1_000
)

// Finding is what a proof has found of one claim.
type Finding struct {
	Claim                     // of a challenge: that the lesson breaks, in any number of moves, and holds with the solution
	Challenge int             // from 1; 0: the claim is a verdict of the lesson
	Verdict   search.Verdict  // without an Ending there is none yet
	Between   *search.Verdict // of a closer look at what holds that was stopped; nil: none was
	Lost      []search.Sometimes
	Failed    error // of the lesson's Lua: then nothing is known
}

// NewProof is a proof that has not begun. Its searches have these bounds on memory: Bytes, Casts and Full.
func (l *Lesson) NewProof(memory search.Bounds) *Proof {
	p := &Proof{lesson: l, most: memory}
	for _, c := range l.Claims {
		p.Findings = append(p.Findings, Finding{Claim: c})
	}
	for i, c := range l.Challenges {
		if c.Goal.Repair != nil {
			p.Findings = append(p.Findings, Finding{Challenge: i + 1, Claim: Claim{Ending: search.Breaks, Question: *c.Goal.Repair, Place: c.Goal.Place}})
		}
	}
	return p
}

// Open tells whether nothing is known of the claim: it was not searched, or not to the end.
func (f Finding) Open() bool {
	return f.Failed == nil && (f.Verdict.Ending == "" || f.Verdict.Ending == search.Stops)
}

// Proven tells whether the claim is true. Of a challenge, that the lesson is broken is not all of it.
func (f Finding) Proven() bool {
	return f.asSaid() && (f.Challenge == 0 || f.Ending == search.Holds)
}

// asSaid tells whether a search has ended as it should, and found what it should.
func (f Finding) asSaid() bool {
	switch {
	case f.Failed != nil || f.Verdict.Ending != f.Ending:
		return false
	case f.Ending == search.Holds:
		return len(f.Lost) == 0
	case f.Challenge > 0:
		return true
	}
	return f.Verdict.Moves() == f.Length
}

// Continue looks at so many more states, and tells whether all has been searched.
func (p *Proof) Continue(ctx context.Context, states int) (done bool) {
	if p.At == len(p.Findings) {
		return true
	}
	f := &p.Findings[p.At]
	if p.under == nil {
		f.Failed = p.begin(ctx, f)
	}
	if f.Failed == nil {
		done, f.Failed = p.search(ctx, f, states)
	}
	if !done && f.Failed == nil {
		p.Progress = p.under.Search.Progress()
		return false
	}
	p.CallOff()
	if f.asSaid() && !f.Proven() { // now the solution
		f.Claim = Claim{Ending: search.Holds, Question: f.Question, Place: p.lesson.Challenges[f.Challenge-1].Place}
		f.Verdict = search.Verdict{}
		return false
	}
	p.At++
	return p.At == len(p.Findings)
}

func (p *Proof) begin(ctx context.Context, f *Finding) (err error) {
	asked := f.Question
	asked.Bounds.Bytes, asked.Bounds.Casts, asked.Bounds.Full = p.most.Bytes, p.most.Casts, p.most.Full
	if f.Challenge == 0 || f.Ending == search.Breaks {
		p.under, err = p.lesson.Inquire(ctx, asked, 0, proofStates, gridStates)
		return err
	}
	c := p.lesson.Challenges[f.Challenge-1]
	c.Goal.Repair = &asked
	repair, err := NewRepair(ctx, p.lesson, c.Repaired(p.lesson), c.Goal)
	if err == nil {
		p.under = repair.Inquire(proofStates, gridStates)
	}
	return err
}

// search looks at so many more states for a claim, and tells whether it has been searched. Only a claim that something holds
// needs closer looks.
func (p *Proof) search(ctx context.Context, f *Finding, states int) (done bool, err error) {
	done, err = p.under.Continue(ctx, states)
	closer := p.under.Closer
	if err != nil || closer == nil || !done && f.Ending == search.Holds {
		return false, err
	}
	f.Verdict, f.Lost = closer.Verdict, p.under.Lost
	if f.Verdict.Ending == search.Holds {
		f.Between = closer.Between
	}
	return true, nil
}

// CallOff forgets the search that is under way. Continue would begin it again.
func (p *Proof) CallOff() { p.under, p.Progress = nil, search.Progress{} }

// Problems are the claims that are false, with a severity of their own those whose search has reached its bounds, and a hint
// of how many hold of which a closer look has.
func (p *Proof) Problems(open Severity) Problems {
	var found Problems
	var stopped []Finding
	for _, f := range p.Findings[:p.At] {
		switch {
		case !f.Proven():
			found = append(found, p.lesson.unproven(f, open))
		case f.Between != nil:
			stopped = append(stopped, f)
		}
	}
	if len(stopped) > 0 {
		found = append(found, &Problem{
			Place: stopped[0].Place, Severity: Hint, Code: CodeNotCloser,
			Message: fact.Of("lesson-not-closer", len(stopped)),
		})
	}
	return found
}

// Prove searches whether all is true that the lesson says of its schedules, and tells what is not.
// The error is one of the lesson's Lua: then nothing is known.
func (l *Lesson) Prove(ctx context.Context) (Problems, error) {
	p := l.NewProof(search.Bounds{})
	for !p.Continue(ctx, 1024) {
		if ctx.Err() != nil {
			return nil, errors.New("the search was called off")
		}
	}
	for _, f := range p.Findings {
		if f.Failed != nil {
			return nil, fmt.Errorf("%s: %w", f.Place, f.Failed)
		}
	}
	return p.Problems(Error), nil
}

// unproven is a claim that no search has found to be true.
func (l *Lesson) unproven(f Finding, open Severity) *Problem {
	p := &Problem{
		Place: f.Place, Severity: Error, Code: CodeUnproven, Message: fact.Of("lesson-claims"),
		Want: fact.Text(f.String()), Got: searched(f.Verdict), Source: l.line(f.Place),
	}
	if f.Open() {
		p.Severity = open
	}
	if f.Verdict.Stopped == search.StatesBound {
		p.Advice = fact.Of("lesson-search-less")
	}
	switch {
	case f.Failed != nil:
		p.Got = fact.Of("lesson-cannot-search", f.Failed)
	case f.Challenge == 0:
	case f.Ending == search.Breaks:
		p.Message, p.Want = fact.Of("lesson-goal-as-is"), fact.Of("lesson-some-rule-breaks")
		if f.Question.Invariant != "" {
			p.Want = fact.Of("lesson-rule-breaks", f.Question.Invariant)
		}
	case len(f.Lost) > 0 && f.Verdict.Ending == search.Holds:
		p.Message, p.Want, p.Got = fact.Of("lesson-with-solution"), fact.Of("lesson-all-can-happen"), Loss(f.Lost[0])
	default:
		p.Message, p.Want = fact.Of("lesson-with-solution"), fact.Of("lesson-it-holds")
	}
	return p
}

// searched is what a search found, in a few words.
func searched(v search.Verdict) fact.Fact {
	switch v.Ending {
	case search.Breaks:
		var choices []string
		for _, c := range v.Schedule {
			choices = append(choices, c.String())
		}
		return fact.Of("lesson-breaks-in", v.Moves(), v.Violation.String(), strings.Join(choices, ", "))
	case search.Stops:
		return fact.Of("lesson-search-stopped", v.States, v.Depth, v.Stopped.Fact())
	case search.Holds:
	}
	return fact.Of("lesson-holds-in", v.States)
}
