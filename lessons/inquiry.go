package lessons

import (
	"context"
	"time"

	"lockstep/engine/search"
)

// Inquiry is a search, and then the closer looks at what holds, until none is left or one breaks.
type Inquiry struct {
	Closer *Closer // nil: the first search has not ended

	lesson         *Lesson
	asked          Question
	grid           time.Duration // that has a look of its own; 0: none has
	states, onGrid int           // that bound each closer look
	under          *search.Search
}

// Inquire begins an inquiry. What breaks on a grid where more may happen is looked at on that grid, too.
func (l *Lesson) Inquire(ctx context.Context, q Question, grid time.Duration, states, onGrid int) (*Inquiry, error) {
	under, err := l.Search(ctx, q)
	if q.Bounds.Grid > 0 {
		grid = 0 // there are no looks
	}
	return &Inquiry{lesson: l, asked: q, grid: grid, states: states, onGrid: onGrid, under: under}, err
}

// Continue looks at so many more states, and tells whether nothing is left.
func (i *Inquiry) Continue(ctx context.Context, states int) (done bool, err error) {
	if i.under == nil {
		return true, nil
	}
	if done, err = i.under.Continue(ctx, states); err != nil || !done {
		return done, err
	}
	if i.Closer == nil {
		i.Closer = i.lesson.Closer(i.asked, i.under.Verdict())
		i.Closer.left = append(i.Closer.left, i.onItsGrid)
	} else {
		i.Closer.Heard(i.under.Verdict())
	}
	i.under, err = i.Closer.Search(ctx, i.states, i.onGrid)
	return i.under == nil, err
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
	case i.under != nil:
		return ""
	case i.Closer.Verdict.Ending == search.Holds && i.Closer.Between != nil:
		return search.Stops
	}
	return i.Closer.Verdict.Ending
}
