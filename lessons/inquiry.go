package lessons

import (
	"context"
	"time"

	"lockstep/engine/search"
)

// Inquiry is a search, and then the closer looks at what holds, until none is left or one breaks.
type Inquiry struct {
	Search *search.Search     // that goes on; nil: nothing is left
	Closer *Closer            // nil: the first search has not ended
	Lost   []search.Sometimes // by a repair, once there is a Closer

	lesson         *Lesson
	asked          Question
	repair         *Repair       // of which Search is the first one; nil: it has ended, or there is none
	grid           time.Duration // that has a look of its own; 0: none has
	states, onGrid int           // that bound each closer look
}

// Inquire begins an inquiry. What breaks on a grid where more may happen is looked at on that grid, too.
func (l *Lesson) Inquire(ctx context.Context, q Question, grid time.Duration, states, onGrid int) (*Inquiry, error) {
	first, err := l.Search(ctx, q)
	if q.Bounds.Grid > 0 {
		grid = 0 // there are no looks
	}
	return &Inquiry{Search: first, lesson: l, asked: q, grid: grid, states: states, onGrid: onGrid}, err
}

// Inquire begins an inquiry into the edited lesson.
func (r *Repair) Inquire(states, onGrid int) *Inquiry {
	return &Inquiry{Search: r.after, repair: r, states: states, onGrid: onGrid}
}

// Continue looks at so many more states, and tells whether nothing is left.
func (i *Inquiry) Continue(ctx context.Context, states int) (done bool, err error) {
	if i.Search == nil {
		return true, nil
	}
	next := i.Search.Continue
	if i.repair != nil {
		next = i.repair.Continue
	}
	if done, err = next(ctx, states); err != nil || !done {
		return done, err
	}
	switch v := i.Search.Verdict(); {
	case i.Closer != nil:
		i.Closer.Heard(v)
	case i.repair != nil:
		i.Closer, i.Lost, i.repair = i.repair.Closer(), i.repair.Lost(), nil
	default:
		i.Closer = i.lesson.Closer(i.asked, v)
		i.Closer.left = append(i.Closer.left, i.onItsGrid)
	}
	i.Search, err = i.Closer.Search(ctx, i.states, i.onGrid)
	return i.Search == nil, err
}

// onItsGrid changes bounds for a look on the grid, if no look had all of its stops.
func (i *Inquiry) onItsGrid(b *search.Bounds) bool {
	c := i.Closer
	if i.grid == 0 || c.grid > 0 && i.grid%c.grid == 0 {
		return false
	}
	b.Grid, b.Before, c.most = i.grid, false, false
	return true
}

// Ending is how it has ended; Stops: it is not known, as a look was stopped; empty: it has not ended.
func (i *Inquiry) Ending() search.Ending {
	switch {
	case i.Search != nil:
		return ""
	case i.Closer.Verdict.Ending == search.Holds && i.Closer.Between != nil:
		return search.Stops
	}
	return i.Closer.Verdict.Ending
}
