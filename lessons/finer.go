package lessons

import (
	"context"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// FinerStates bound each search of Finer that only looks more closely than the one that was asked for.
const FinerStates = 200_000

// Closer searches again what holds as long as the clock stops at few instants: with more stops where nothing is due, for
// what somebody may compare with a clock or with how long a key still lasts, then on the coarsest grid on which all that is
// due lies, for the same on the coarsest on which the spans that the lesson names lie as well, and for what the client may
// compare. Whoever asks for the looks runs them: Next, a search, Heard, until there is none left.
type Closer struct {
	// Question and Verdict are the best so far, the first ones until a look has come to its end.
	Question Question
	Verdict  search.Verdict
	First    search.Verdict
	Between  *search.Verdict // of the last look that was stopped; nil: none was

	lesson *Lesson
	asked  Question                    // by Next
	left   []func(*search.Bounds) bool // what is asked next, and whether that is worth a look
}

// Closer is what looks more closely at a verdict; it has no looks at one that does not hold, or has a grid already.
func (l *Lesson) Closer(q Question, v search.Verdict) *Closer {
	c := &Closer{Question: q, Verdict: v, First: v, lesson: l}
	if v.Grid > 0 || v.Ending != search.Holds {
		return c
	}
	looks := v.Idle > 0 || l.looksAtTTL() || l.scriptLooksAtTTL()
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
			return l.clientLooksAtTTL()
		},
	}
	return c
}

// Next is the next search, of so many states at most, or so many on a grid, where each costs more moves of the clock; ok is
// false when there is none left.
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

// Heard takes in how the search that Next has asked for ended.
func (c *Closer) Heard(v search.Verdict) {
	switch spans := c.lesson.spans(); {
	case v.Ending == search.Stops:
		c.Between = &v
	case v.Ending == search.Holds && v.Idle > 0 && v.Grid > 0 && time.Duration(v.Idle)*v.Grid < spans[len(spans)-1]:
		// a clock that stops so often does not come as far
	case v.Ending == search.Holds && v.Grid == 0 && c.Verdict.Grid > 0:
		// that it holds on a grid says more
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
