package lessons

import (
	"context"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// between is the coarsest grid with stops between those of another one, which it has, too; 0: there is none.
func between(grid, resolution time.Duration) time.Duration {
	for n := time.Duration(2); n*resolution <= grid; n++ {
		if grid%(n*resolution) == 0 {
			return grid / n
		}
	}
	return 0
}

// FinerStates bounds the states of each search of Finer.
const FinerStates = 200_000

// Closer searches again what holds while the clock stops only where something is due. A program that reads a clock or a TTL
// may break between such instants, so each look has more stops: first, idle ones; then those of the coarsest grid with
// everything that is due; then those of the coarsest with the spans that the lesson names as well; then those just before
// something is due, also where a grid was too fine; last, some between those of the grid, as whoever begins or is paused there
// has deadlines there. Looks at which no program could tell a difference are left out: each costs a search.
//
// The caller runs the looks: Next, a search, Heard, until none is left or one breaks.
type Closer struct {
	Question Question        // of Verdict
	Verdict  search.Verdict  // of the look that says most so far; at first, First
	First    search.Verdict  // that is looked at
	Between  *search.Verdict // of the last look that was stopped; nil: none was

	lesson *Lesson
	asked  Question                    // by Next
	left   []func(*search.Bounds) bool // each changes the bounds for one look; false: it would tell nothing new
}

// Closer looks more closely at a verdict. It has no looks at one that does not hold, or was found on a grid.
func (l *Lesson) Closer(q Question, v search.Verdict) *Closer {
	c := &Closer{Question: q, Verdict: v, First: v, lesson: l}
	if v.Grid > 0 || v.Ending != search.Holds {
		return c
	}
	asks := l.looksAtTTL() || l.scriptLooksAtTTL() // then the first look has the last one's stops
	looks := v.Idle > 0 || asks
	var unit time.Duration
	c.left = []func(*search.Bounds) bool{
		func(b *search.Bounds) bool {
			b.Idle = 2
			return looks
		},
		func(b *search.Bounds) bool {
			unit = c.Verdict.Unit
			b.Grid = unit
			return unit > 0
		},
		func(b *search.Bounds) bool {
			b.Grid = l.unit(unit)
			return looks && c.Verdict.Grid == unit && b.Grid != unit
		},
		func(b *search.Bounds) bool {
			b.Grid, b.Idle, b.Before = 0, 2, true
			return !asks && (c.Verdict.Rests || c.Between != nil)
		},
		func(b *search.Bounds) bool {
			b.Grid = between(c.Verdict.Grid, l.Resolution)
			return b.Grid > 0 && (!b.Time.Sync || len(b.Faults) > 0)
		},
	}
	return c
}

// Next is the question of the next look, bounded to so many states, or, on a grid, to onGrid states: there the clock moves
// more often for each. ok is false when no look is left.
func (c *Closer) Next(states, onGrid int) (q Question, ok bool) {
	for len(c.left) > 0 && c.Verdict.Ending == search.Holds {
		q = c.Question
		change := c.left[0]
		c.left = c.left[1:]
		if !change(&q.Bounds) {
			continue
		}
		most := states
		if q.Bounds.Grid > 0 {
			most = onGrid
		}
		if q.Bounds.States == 0 || q.Bounds.States > most {
			q.Bounds.States = most
		}
		c.asked = q
		return q, true
	}
	return Question{}, false
}

// Search begins what Next asks for; nil: there is nothing left.
func (c *Closer) Search(ctx context.Context, states, onGrid int) (*search.Search, error) {
	ask, more := c.Next(states, onGrid)
	if !more {
		return nil, nil
	}
	return c.lesson.Search(ctx, ask)
}

// Heard takes in the verdict of the look that Next has asked for.
func (c *Closer) Heard(v search.Verdict) {
	switch spans := c.lesson.spans(); {
	case v.Ending == search.Stops:
		c.Between = &v
	case v.Ending == search.Holds && v.Idle > 0 && v.Grid > 0 && time.Duration(v.Idle)*v.Grid < spans[len(spans)-1]:
		// with so many stops, the clock has not come as far as the longest span: the verdict before says more
	case v.Ending == search.Holds && v.Grid == 0 && c.Verdict.Grid > 0:
		// the verdict on a grid says more
	default:
		c.Question, c.Verdict = c.asked, v
	}
}

// Finer looks more closely at a verdict until there are no looks left.
func (l *Lesson) Finer(ctx context.Context, nodes []engine.NodeSpec, q Question, v search.Verdict) (*Closer, error) {
	c := l.Closer(q, v)
	for ask, more := c.Next(FinerStates, FinerStates); more; ask, more = c.Next(FinerStates, FinerStates) {
		v, err := l.Explore(ctx, nodes, ask, nil)
		if err != nil {
			return c, err
		}
		c.Heard(v)
	}
	return c, nil
}
