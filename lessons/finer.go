package lessons

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// between is a grid that has all stops of another one and at least so many for each of them: the coarsest such grid, or
// the finest that the resolution allows where none has as many; 0: the resolution allows none.
func between(grid, resolution time.Duration, stops int) (finer time.Duration) {
	for n := time.Duration(2); n*resolution <= grid; n++ {
		if grid%(n*resolution) == 0 {
			if finer = grid / n; n >= time.Duration(stops) {
				break
			}
		}
	}
	return finer
}

// comers counts what may come at an instant of its own, besides what the clock began with: clients, where they need not begin
// together, faults, and what ends them; where requests may be late, or a write reaches a replica at any time and somebody may wait
// for that, each of them, which are as many as the moves of the longest schedule at most.
func (l *Lesson) comers(b *search.Bounds, moves int) (n int) {
	if b.Time.Any || b.Time.Late > 0 || slices.ContainsFunc(l.Nodes, func(n Node) bool { return n.ReplicaOf != "" }) {
		return moves
	}
	for _, a := range l.Actors {
		if !b.Time.Sync {
			n += max(1, a.Count)
		}
	}
	for kind, times := range b.Faults {
		n += times
		if ends(kind) {
			n += times
		}
	}
	return n
}

// ends tells whether there is a choice that ends a kind of fault.
func ends(kind engine.ChoiceKind) bool {
	return slices.ContainsFunc(engine.ChoiceKinds[:], func(row engine.KindOfChoice) bool { return row.AllowedBy == kind && row.Kind != kind })
}

// FinerStates bounds the states of each search of Finer.
const FinerStates = 200_000

// Closer searches again what holds while the clock stops only where something is due. A program that reads a clock or a TTL
// may break between such instants, so each look has more stops: first, idle ones; then as many as there are who look at a clock; then
// those of the coarsest grid with everything that is due; then those of the coarsest with the spans that the lesson names as well; then those just before
// something is due, also where a grid was too fine; then those where a clock that somebody divides turns; then some between those of the grid, as whoever begins or is paused there
// has deadlines there; if that comes to its end, one there for each client and each fault, or for each request that may be late,
// as deadlines of each may come between those of others; the same for those who only there look at a clock, or at how long a key lasts;
// last, the same between what came to be due on such a grid alone, where
// somebody gets farther, as often as such a look meets something more.
// Looks at which no program could tell a difference are left out: each costs a search.
//
// The caller runs the looks: Next, a search, Heard, until none is left or one breaks.
type Closer struct {
	Verdict search.Verdict  // of the look that says most so far; at first, First
	First   search.Verdict  // that is looked at
	Between *search.Verdict // of the last look that was stopped; nil: none was
	Most    *search.Verdict // the same of the look with most stops and those after it, which of many lessons are too much: Verdict stands, and says where the clock stops

	lesson   *Lesson
	question Question                    // of Verdict
	asked    Question                    // by Next
	grid     time.Duration               // of the last look on a grid that came to its end; 0: none did
	fresh    time.Duration               // of what was due in the last look on a grid that had something due beside it; 0: none had
	asks     bool                        // a text asks how long keys last: the first look has stops for that
	unit     time.Duration               // of the grid to which a look adds stops
	spans    bool                        // there was a look with stops for clocks
	most     bool                        // if the look is stopped it is Most, not Between
	left     []func(*search.Bounds) bool // each changes the bounds for one look; false: it would tell nothing new
}

// Closer looks more closely at a verdict. It has no looks at one that does not hold, or was found on a grid.
func (l *Lesson) Closer(q Question, v search.Verdict) *Closer {
	c := &Closer{question: q, Verdict: v, First: v, lesson: l}
	if v.Grid > 0 || v.Ending != search.Holds {
		return c
	}
	c.asks = l.looksAtTTL() || l.scriptLooksAtTTL()
	rests := c.asks // there was a look for who compares how long keys last
	c.left = []func(*search.Bounds) bool{
		func(b *search.Bounds) bool {
			b.Idle = 2
			return c.looks()
		},
		func(b *search.Bounds) bool { // each who looks at a clock may do so a span after the one before
			b.Idle, c.most = len(c.First.Clocks), true
			return b.Idle > 2
		},
		func(b *search.Bounds) bool {
			c.unit, c.most = l.unitOf(&c.Verdict), false
			b.Grid = c.unit
			return c.unit > 0
		},
		c.onSpans,
		func(b *search.Bounds) bool {
			rests = rests || c.Verdict.Rests
			b.Grid, b.Idle, b.Before = 0, 2, true
			return !c.asks && (rests || c.Between != nil)
		},
		func(b *search.Bounds) bool { // a clock is divided, or a date asked for
			b.Grid, b.Idle, b.Turns = 0, 2, true
			return c.looks() && strings.ContainsAny(strings.Join(l.texts(), ""), "/%")
		},
		c.onBetween, c.onMost,
		func(b *search.Bounds) bool { // only those stops led to who compares how long a key lasts, …
			b.Grid, b.Before, c.most, c.unit = c.grid, true, false, c.grid
			if !c.spans && c.looks() { // … or to who looks at a clock
				c.left = append([]func(*search.Bounds) bool{c.onSpans, c.onBetween, c.onMost}, c.left...)
			}
			return c.grid > 0 && !rests && c.Verdict.Rests
		},
		c.onFresh,
	}
	return c
}

// looks tells whether somebody looks at a clock, as far as a look has met that.
func (c *Closer) looks() bool { return c.asks || c.Verdict.Idle > 0 }

// onSpans changes bounds for a look on a grid that has the spans of the lesson, too.
func (c *Closer) onSpans(b *search.Bounds) bool {
	c.spans = c.looks()
	b.Grid = c.lesson.unit(c.unit)
	return c.spans && c.grid == c.unit && b.Grid != c.unit
}

// onBetween changes bounds for a look with stops between those of the grid.
func (c *Closer) onBetween(b *search.Bounds) bool {
	c.unit = c.grid
	b.Grid, b.Before = between(c.unit, c.lesson.Resolution, 2), false
	return b.Grid > 0 && c.lesson.comers(b, c.Verdict.Depth) > 0
}

// onMost changes bounds for a look with as many as may be needed.
func (c *Closer) onMost(b *search.Bounds) bool {
	had := between(c.unit, c.lesson.Resolution, 2)
	b.Grid, b.Before = between(c.unit, c.lesson.Resolution, 1+c.lesson.comers(b, c.Verdict.Depth)), false
	c.most = true
	return had > 0 && c.grid == had && b.Grid < had
}

// onFresh changes bounds for a look at what came to be due in one on a grid alone. When that one has come to its end, it asks for the next.
func (c *Closer) onFresh(b *search.Bounds) bool {
	c.most = true
	b.Grid, b.Before = cmp.Or(between(c.fresh, c.lesson.Resolution, 1+c.lesson.comers(b, c.Verdict.Depth)), c.fresh), false
	if b.Grid == 0 || b.Grid >= c.grid || b.Grid == c.asked.Bounds.Grid {
		return false
	}
	c.left = append(c.left, c.onFresh)
	return true
}

// unitOf is the greatest span of which all spans until something was due in a search are multiples, but at least the
// resolution: what a program's TTL has come due between steps of the clock, no move of the clock can meet.
func (l *Lesson) unitOf(v *search.Verdict) time.Duration {
	if v.Unit%l.Resolution != 0 {
		return l.Resolution
	}
	return v.Unit
}

// Next is the question of the next look, bounded to so many states, or, on a grid, to onGrid states: there the clock moves
// more often for each. ok is false when no look is left.
func (c *Closer) Next(states, onGrid int) (q Question, ok bool) {
	for len(c.left) > 0 && c.Verdict.Ending == search.Holds {
		q = c.question
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

// Heard takes in the verdict of the look that Next has asked for. What any look has seen, whichever says most, has happened.
func (c *Closer) Heard(v search.Verdict) {
	before := c.Verdict
	if v.Grid > 0 && (v.Ending != search.Stops || v.Stopped == search.IdleBound) {
		c.grid = v.Grid
		if unit := c.lesson.unitOf(&v); unit%v.Grid != 0 {
			c.fresh = unit
		}
	}
	switch {
	case v.Ending == search.Stops && c.most:
		c.Most = &v
	case v.Ending == search.Stops:
		c.Between = &v
	case v.Ending == search.Holds && v.Grid == 0 && c.Verdict.Grid > 0:
		// the verdict on a grid says more
	default:
		c.question, c.Verdict = c.asked, v
	}
	c.Verdict.Saw(&before)
	c.Verdict.Saw(&v)
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
