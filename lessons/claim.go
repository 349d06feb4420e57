package lessons

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
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

// String is the claim as a lesson writes it.
func (c Claim) String() string {
	if c.Ending == search.Breaks {
		return fmt.Sprintf("it breaks in %d", c.Length)
	}
	return "it holds"
}

// Repair is a search for whether an edited lesson keeps its invariants, and can still do
// all that it could do before.
type Repair struct {
	before, after *search.Search
	wishes        []wish // of each of the goal's expressions

	edited *Lesson
	asked  Question       // of it: all its rules, or that nobody starves as well
	closer *Closer        // at it, where something seemed to be lost; nil: nothing did
	look   *search.Search // that the closer has asked for; nil: none goes on
}

// What only a repair can lose.
const (
	Still   search.SometimesName = "still"      // one of the goal's expressions, which it is Of, can never become true
	Wants   search.SometimesName = "wants"      // the actor no longer says that it waits for sections
	Stays   search.SometimesName = "stays"      // the actor leaves sections as soon as it has come
	Returns search.SometimesName = "gives back" // sections, by deleting their keys: the actor gets in and no longer does
	Ends    search.SometimesName = "ends"       // the actor's program never comes to its end any more

	Changes search.SometimesName = "changes" // the script, which it is Of, is called and changes nothing any more
)

// NewRepair begins a search of an edited lesson. The original tells what could happen before.
func NewRepair(ctx context.Context, original, edited *Lesson, g Goal) (*Repair, error) {
	q := *g.Repair
	if q.AndRules = q.Invariant == (search.NobodyStarves{}).Name(); !q.AndRules { // which no lesson states
		q.Invariant = ""
	}
	begin := func(l *Lesson, judge func(stated []engine.Invariant) []engine.Invariant) (*search.Search, error) {
		s, b, err := l.asked(l.Open(Embedded), q)
		if err != nil {
			return nil, err
		}
		s.Invariants = judge(s.Invariants)
		return search.New(ctx, s, b)
	}
	r := &Repair{edited: edited, asked: q}
	var err error
	if r.after, err = begin(edited, func(stated []engine.Invariant) []engine.Invariant { return stated }); err != nil {
		return nil, err
	}
	if r.before, err = begin(original, func([]engine.Invariant) []engine.Invariant { return nil }); err != nil {
		return nil, err
	}
	for _, still := range g.Still {
		w, err := newWish(ctx, edited, still, q.Bounds)
		if err != nil {
			return nil, err
		}
		r.wishes = append(r.wishes, w)
	}
	return r, nil
}

// wish is an inquiry into whether an expression can become true.
type wish struct {
	lua   string
	never *Inquiry // into the rule that it never does
}

func newWish(ctx context.Context, l *Lesson, still Rule, b search.Bounds) (w wish, err error) {
	never := Rule{Name: "not " + still.Lua, Lua: "not (" + still.Lua + "\n)", Place: still.Place}
	own := *l
	own.Rules = append(slices.Clone(l.Rules), never)
	w.lua = still.Lua
	w.never, err = own.Inquire(ctx, Question{Invariant: never.Name, Bounds: b}, 0, proofStates, gridStates)
	return w, err
}

// ending is Breaks when the expression can become true.
func (w wish) ending() search.Ending {
	if w.never.Ending() == "" {
		return ""
	}
	return w.never.Closer.Verdict.Ending
}

// Continue looks at so many more states, and tells whether there is a verdict.
func (r *Repair) Continue(ctx context.Context, states int) (done bool, err error) {
	if done, err = r.after.Continue(ctx, states); err != nil || !done || r.after.Verdict().Ending != search.Holds {
		return done, err
	}
	if done, err = r.before.Continue(ctx, states); err != nil || !done {
		return done, err
	}
	for _, w := range r.wishes {
		if done, err = w.never.Continue(ctx, states); err != nil || !done {
			return done, err
		}
	}
	return r.lookCloser(ctx, states)
}

// lookCloser looks at the edited lesson between what is due as long as something seems to be lost: it may still happen there.
func (r *Repair) lookCloser(ctx context.Context, states int) (done bool, err error) {
	if r.look != nil {
		if done, err = r.look.Continue(ctx, states); err != nil || !done {
			return done, err
		}
		r.closer.Heard(r.look.Verdict())
		r.look = nil
	}
	if r.Verdict().Ending != search.Holds || !slices.ContainsFunc(r.Lost(), mayBeMet) {
		return true, nil
	}
	if r.closer == nil {
		r.closer = r.edited.Closer(r.asked, r.after.Verdict())
	}
	r.look, err = r.closer.Search(ctx, proofStates, gridStates)
	return r.look == nil, err
}

// mayBeMet tells whether a closer look at the edited lesson may meet what is lost. At what should still happen its own wish has looked.
func mayBeMet(lost search.Sometimes) bool { return lost.Name != search.Fails && lost.Name != Still }

// edits is the verdict on the edited lesson, with all that any search of it has seen.
func (r *Repair) edits() search.Verdict {
	if r.closer != nil {
		return r.closer.Verdict
	}
	return r.after.Verdict()
}

// Verdict is how the search ended. Where nothing breaks it stops, too, if what could happen before, or what should, was
// not searched to its end.
func (r *Repair) Verdict() search.Verdict {
	v := r.edits()
	if v.Ending == search.Holds && r.before.Verdict().Ending == search.Stops {
		v = r.before.Verdict()
	}
	for _, w := range r.wishes {
		if v.Ending == search.Holds && w.ending() == search.Stops {
			v = w.never.Closer.Verdict
		}
	}
	return v
}

// Closer looks more closely at the edited lesson, once there is a verdict. It has no looks where something was lost, and none was
// finished where one at what should still happen was stopped.
func (r *Repair) Closer() *Closer {
	c := r.closer
	if c == nil {
		c = r.edited.Closer(r.asked, r.Verdict())
	}
	if len(r.Lost()) > 0 {
		c.left = nil
	}
	for _, w := range r.wishes {
		if w.ending() == search.Holds && c.Between == nil {
			c.Between = w.never.Closer.Between
		}
	}
	return c
}

// Lost is what a cheat would take away: it could happen before the repair and cannot after it. An actor gets inside its
// sections, and no others in their place; it stays there, gives them back, says that it waits for them, and comes to its
// end without breaking off; a script changes something. Invariant: nothing is lost when a lesson is not changed. A
// repair may have no key expire any more, as one that renews a lease does.
func (r *Repair) Lost() []search.Sometimes {
	var lost []search.Sometimes
	scripts := r.edits().Scripts
	for _, name := range slices.Sorted(maps.Keys(r.before.Verdict().Scripts)) {
		if changed, called := scripts[name]; called && !changed && r.before.Verdict().Scripts[name] {
			lost = append(lost, search.Sometimes{Name: Changes, Of: name})
		}
	}
	after := r.edits().Sometimes
	for i, s := range r.before.Verdict().Sometimes {
		switch {
		case s.Name == search.Expires:
		case s.Name == search.Enters:
			gone, other := missing(s.Sections, after[i].Sections), missing(after[i].Sections, s.Sections)
			if len(gone) > 0 && (!after[i].Seen || len(other) > 0) {
				lost = append(lost, search.Sometimes{Name: search.Enters, Of: s.Of, Sections: gone})
			}
			if gone := left(s.Stays, after[i]); len(gone) > 0 {
				lost = append(lost, search.Sometimes{Name: Stays, Of: s.Of, Sections: gone})
			}
			if gone := r.kept(s, after[i]); len(gone) > 0 {
				lost = append(lost, search.Sometimes{Name: Returns, Of: s.Of, Sections: gone})
			}
			if fails := after[i+1].Seen; s.Ends && !after[i].Ends && !fails { // Fails of an actor follows its Enters
				lost = append(lost, search.Sometimes{Name: Ends, Of: s.Of})
			}
			if gone := missing(s.Wanted, after[i].Wanted); len(gone) > 0 {
				lost = append(lost, search.Sometimes{Name: Wants, Of: s.Of, Sections: gone})
			}
		case s.Name == search.Fails && !s.Seen && after[i].Seen:
			lost = append(lost, after[i])
		case s.Name != search.Fails && s.Seen && !after[i].Seen:
			lost = append(lost, s)
		}
	}
	for _, w := range r.wishes {
		if w.ending() != search.Breaks {
			lost = append(lost, search.Sometimes{Name: Still, Of: w.lua})
		}
	}
	return lost
}

// Loss says what a repair took away.
func Loss(lost search.Sometimes) fact.Fact {
	sections := strings.Join(lost.Sections, ", ")
	switch lost.Name {
	case search.Enters:
		return fact.Of("loss-enters", lost.Of, sections)
	case Wants:
		return fact.Of("loss-wants", lost.Of, sections)
	case Stays:
		return fact.Of("loss-stays", lost.Of, sections)
	case Returns:
		return fact.Of("loss-returns", lost.Of, sections)
	case Ends:
		return fact.Of("loss-ends", lost.Of)
	case Changes:
		return fact.Of("loss-changes", lost.Of)
	case search.Fails:
		return fact.Of("loss-fails", lost.Of, lost.Failure)
	case Still:
		return fact.Of("loss-still", lost.Of)
	default:
		return fact.Of("loss-contended")
	}
}

// left are the sections in which an actor stayed before, and which it still enters but leaves at once.
func left(stayed []string, after search.Sometimes) []string {
	return slices.DeleteFunc(missing(stayed, after.Stays), func(s string) bool { return !slices.Contains(after.Sections, s) })
}

// kept are the sections that an actor still gets into and gives back no more: it deleted their keys, and deletes neither them
// nor any new key.
func (r *Repair) kept(before, after search.Sometimes) []string {
	deleted, deletes := r.before.Verdict().Deleted[before.Of], r.edits().Deleted[before.Of]
	if len(missing(deletes, deleted)) > 0 {
		return nil
	}
	return slices.DeleteFunc(missing(deleted, deletes), func(key string) bool {
		return !slices.Contains(before.Sections, key) || !slices.Contains(after.Sections, key)
	})
}

// missing are those sections that are not among others.
func missing(sections, among []string) []string {
	return slices.DeleteFunc(slices.Clone(sections), func(s string) bool { return slices.Contains(among, s) })
}
