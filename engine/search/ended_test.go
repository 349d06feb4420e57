package search_test

import (
	"context"
	"testing"

	"lockstep/engine/search"
	"lockstep/lessons"
)

// endsLater is a context that ends when it has been asked so many times whether it has.
type endsLater struct {
	context.Context
	left int
}

func (c *endsLater) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Wherever a search is when its context ends, it has a verdict.
func TestASearchEndsWithItsContext(t *testing.T) {
	l := lesson(t, "fair-lock")
	for asked := range 60 {
		ctx := &endsLater{t.Context(), asked}
		v, err := l.Explore(ctx, l.Open(lessons.Embedded), lessons.Question{}, nil)
		if err != nil || v.Ending != search.Stops || v.Stopped != search.CalledOff {
			t.Errorf("asked %d times, it %s by %s (%v)", asked, v.Ending, v.Stopped, err)
		}
	}
}
