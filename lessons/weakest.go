package lessons

import (
	"context"
	"maps"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// WeakestStates bound each of the searches that ask how little is enough for a breach: there may be twenty of them.
const WeakestStates = 20_000

// Weakest finds the least that must be allowed for the rule that broke to break: no faults, each kind alone, all kinds but one, and
// stricter assumptions about time. Two rules save searches: what allows more than a breach needs breaks as well, and what allows less
// than something that holds holds as well. Whatever seems to hold is looked at more closely (Closer).
type Weakest struct {
	Enough  []search.Bounds // they break. Invariant: none is within another
	Holding []search.Bounds // they hold. Invariant: none is within another
	Coarse  bool            // of Holding, one look with most stops of the clock was stopped, as Closer.Most has it
	Open    []search.Bounds // their searches, or closer looks at what holds, were stopped, so all within them is unknown unless Enough or Holding tells; at the end none is within another

	lesson   *Lesson
	question Question
	grid     time.Duration   // on which the breach was found; 0: on none
	left     []search.Bounds // to be searched, fewer faults first
	under    *Inquiry        // into left[0]; nil: not begun
}

// NewWeakest begins with a question and the verdict of its search, or of the closer looks at that. Each further search stops after so many states, or
// after those of the question if they are fewer. There is nothing to search unless the verdict is a breach.
func (l *Lesson) NewWeakest(q Question, v search.Verdict, states int) *Weakest {
	w := &Weakest{lesson: l, question: q, grid: v.Grid}
	if q.Bounds.States == 0 || q.Bounds.States > states {
		w.question.Bounds.States = states
	}
	switch v.Ending {
	case search.Holds:
		w.Holding = []search.Bounds{q.Bounds}
		return w
	case search.Stops:
		w.Open = []search.Bounds{q.Bounds}
		return w
	case search.Breaks:
	}
	w.question.Invariant, w.question.AndRules = v.Violation.Invariant, false // another rule may break with less
	w.Enough = []search.Bounds{q.Bounds}
	for _, faults := range fewerFaults(q.Bounds.Faults) {
		for _, t := range append([]search.TimeBound{q.Bounds.Time}, stricter(q.Bounds.Time)...) {
			b := w.question.Bounds
			b.Faults, b.Time = faults, t
			w.left = append(w.left, b)
		}
	}
	return w
}

// Deepen bounds the search with these faults and this assumption about time, if it is to be made, by as many states as b has.
func (w *Weakest) Deepen(b search.Bounds) {
	for i := range w.left {
		if within(w.left[i], b) && within(b, w.left[i]) {
			w.left[i].States = b.States
		}
	}
}

// stricter are the named assumptions under which less may happen than under t, the strictest last.
func stricter(t search.TimeBound) []search.TimeBound {
	switch {
	case t.Any || t.Late > 0:
		return []search.TimeBound{search.Arrive, search.Prompt}
	case !t.Sync:
		return []search.TimeBound{search.Prompt}
	}
	return nil
}

// fewerFaults are none, each kind alone up to its number, all but one, and all.
func fewerFaults(all map[engine.ChoiceKind]int) []map[engine.ChoiceKind]int {
	sets := []map[engine.ChoiceKind]int{nil}
	add := func(set map[engine.ChoiceKind]int) {
		if !slices.ContainsFunc(sets, func(had map[engine.ChoiceKind]int) bool { return maps.Equal(had, set) }) {
			sets = append(sets, set)
		}
	}
	all = maps.Clone(all)
	maps.DeleteFunc(all, func(_ engine.ChoiceKind, n int) bool { return n == 0 })
	kinds := slices.Sorted(maps.Keys(all))
	for _, kind := range kinds {
		for n := range all[kind] {
			add(map[engine.ChoiceKind]int{kind: n + 1})
		}
	}
	for _, kind := range kinds {
		but := maps.Clone(all)
		delete(but, kind)
		add(but)
	}
	add(all)
	return sets
}

// about is the question with other bounds.
func (w *Weakest) about(b search.Bounds) Question {
	q := w.question
	q.Bounds = b
	return q
}

// Continue searches so many more states. done: nothing is left to search, or there was an error.
func (w *Weakest) Continue(ctx context.Context, states int) (done bool, err error) {
	for len(w.left) > 0 && w.under == nil {
		b := w.left[0]
		if w.Ending(b) != search.Stops {
			w.left = w.left[1:]
			continue
		}
		if w.under, err = w.lesson.Inquire(ctx, w.about(b), w.grid, w.question.Bounds.States, w.question.Bounds.States); err != nil {
			return true, err
		}
	}
	if w.under == nil {
		return true, nil
	}
	if done, err = w.under.Continue(ctx, states); !done || err != nil {
		return err != nil, err
	}
	switch b := w.left[0]; w.under.Ending() {
	case search.Breaks:
		w.Enough = append(slices.DeleteFunc(w.Enough, func(more search.Bounds) bool { return within(b, more) }), b)
	case search.Holds:
		w.Coarse = w.Coarse || w.under.Closer.Most != nil
		w.Holding = append(slices.DeleteFunc(w.Holding, func(less search.Bounds) bool { return within(less, b) }), b)
	case search.Stops:
		w.Open = append(w.Open, b)
	}
	w.left, w.under = w.left[1:], nil
	if len(w.left) == 0 {
		w.end()
	}
	return len(w.left) == 0, nil
}

// CallOff ends the searches. What they have not come to is Open.
func (w *Weakest) CallOff() {
	for _, b := range w.left {
		if w.Ending(b) == search.Stops {
			w.Open = append(w.Open, b)
		}
	}
	w.left, w.under = nil, nil
	w.end()
}

// end makes the invariant of Open true: it removes what is known by now, and what is within others.
func (w *Weakest) end() {
	w.Open = slices.DeleteFunc(w.Open, func(b search.Bounds) bool { return w.Ending(b) != search.Stops })
	all := slices.Clone(w.Open)
	w.Open = slices.DeleteFunc(w.Open, func(b search.Bounds) bool {
		return slices.ContainsFunc(all, func(more search.Bounds) bool { return within(b, more) && !within(more, b) })
	})
}

// Ending is the ending of a search with other faults and another assumption about time, as far as those that were made tell;
// Stops: they do not.
func (w *Weakest) Ending(b search.Bounds) search.Ending {
	switch {
	case slices.ContainsFunc(w.Enough, func(less search.Bounds) bool { return within(less, b) }):
		return search.Breaks
	case slices.ContainsFunc(w.Holding, func(more search.Bounds) bool { return within(b, more) }):
		return search.Holds
	}
	return search.Stops
}

// Asked is what was allowed in the search that is asked about.
func (w *Weakest) Asked() search.Bounds { return w.question.Bounds }

// Without is how the search ends in which a kind of fault may not happen.
func (w *Weakest) Without(kind engine.ChoiceKind) search.Ending {
	b := w.question.Bounds
	b.Faults = maps.Clone(b.Faults)
	delete(b.Faults, kind)
	return w.Ending(b)
}

// Under are the stricter assumptions about time with how the search ends under each, all else being the same.
func (w *Weakest) Under() map[string]search.Ending {
	endings := map[string]search.Ending{}
	for _, t := range stricter(w.question.Bounds.Time) {
		b := w.question.Bounds
		b.Time = t
		endings[t.String()] = w.Ending(b)
	}
	return endings
}

// within tells whether all that may happen under a may happen under b.
func within(a, b search.Bounds) bool {
	if a.Time != b.Time && !slices.Contains(stricter(b.Time), a.Time) {
		return false
	}
	for kind, n := range a.Faults {
		if n > b.Faults[kind] {
			return false
		}
	}
	return true
}
