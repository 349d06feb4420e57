package lessons

import (
	"context"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
)

// FinerStates bound each search that only looks more closely than the one that was asked for.
const FinerStates = 200_000

// Finer searches again what holds as long as the clock stops at few instants: with more stops where nothing is due, for
// what somebody may compare with a clock or with how long a key still lasts, then on the coarsest grid on which all that is
// due lies, and for the same on the coarsest on which the spans that the lesson names lie as well. Where such a search comes to its end,
// its verdict is the better one; one that was stopped comes back as between, else that is nil.
func (l *Lesson) Finer(ctx context.Context, nodes []engine.NodeSpec, q Question, v search.Verdict) (asked Question, better search.Verdict, between *search.Verdict, err error) {
	if v.Grid > 0 {
		return q, v, nil, nil
	}
	look := func(change func(*search.Bounds)) {
		if err != nil || v.Ending != search.Holds {
			return
		}
		finer := q
		if finer.Bounds.States == 0 || finer.Bounds.States > FinerStates {
			finer.Bounds.States = FinerStates
		}
		change(&finer.Bounds)
		var closer search.Verdict
		if closer, err = l.Explore(ctx, nodes, finer, nil); err != nil {
			return
		}
		switch spans := l.spans(); {
		case closer.Ending == search.Stops:
			between = &closer
		case closer.Ending == search.Holds && closer.Idle > 0 && closer.Grid > 0 && time.Duration(closer.Idle)*closer.Grid < spans[len(spans)-1]:
			// a clock that stops so often does not come as far
		default:
			q, v = finer, closer
		}
	}
	looks := v.Idle > 0 || l.looksAtTTL()
	if looks {
		look(func(b *search.Bounds) { b.Idle = 2 })
	}
	unit := v.Unit
	if unit > 0 {
		look(func(b *search.Bounds) { b.Grid = unit })
	}
	if named := l.unit(unit); looks && v.Grid == unit && named != unit {
		look(func(b *search.Bounds) { b.Grid = named })
	}
	return q, v, between, err
}
