package lessons

import (
	"context"

	"lockstep/engine"
	"lockstep/engine/search"
)

// FinerStates bound each search that only looks more closely than the one that was asked for.
const FinerStates = 200_000

// Finer searches again what holds as long as the clock stops at few instants: with more moves of it where nothing is due,
// and on the coarsest grid on which all that is due lies. Where that comes to its end, its verdict is the better one;
// a search that was stopped comes back as between, else that is nil.
func (l *Lesson) Finer(ctx context.Context, nodes []engine.NodeSpec, q Question, v search.Verdict) (asked Question, better search.Verdict, between *search.Verdict, err error) {
	if v.Ending != search.Holds || v.Grid > 0 {
		return q, v, nil, nil
	}
	look := func(change func(*search.Bounds)) error {
		finer := q
		if finer.Bounds.States == 0 || finer.Bounds.States > FinerStates {
			finer.Bounds.States = FinerStates
		}
		change(&finer.Bounds)
		closer, err := l.Explore(ctx, nodes, finer, nil)
		switch {
		case err != nil:
			return err
		case closer.Ending == search.Stops:
			between = &closer
		default:
			q, v = finer, closer
		}
		return nil
	}
	unit := v.Unit
	if v.Idle > 0 {
		if err := look(func(b *search.Bounds) { b.Idle = 2 }); err != nil {
			return q, v, nil, err
		}
		unit = v.Unit
	}
	if unit > 0 && v.Ending == search.Holds {
		err = look(func(b *search.Bounds) { b.Grid = unit })
	}
	return q, v, between, err
}
