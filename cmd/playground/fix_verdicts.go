package main

import (
	"context"
	"fmt"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
)

// fixVerdicts writes what searches found, where a verdict of a lesson is not so, or where a lesson with rules
// has none. Each is written by itself, whatever else is wrong with the lesson; one that no search could decide stays.
func fixVerdicts(ctx context.Context, t terminal, library *decode.Library, l *lessons.Lesson) (*lessons.Lesson, error) {
	p := l.NewProof(0, 0)
	for !p.Continue(ctx, 1024) {
		if ctx.Err() != nil {
			return l, ctx.Err()
		}
	}
	changes, err := author.ProvenVerdicts(ctx, l, p, lessons.MostStates)
	if err != nil || len(changes) == 0 {
		return l, err
	}
	text := decode.Applied(l.YAML, changes)
	fixed, err := again(library, l, text)
	if err != nil {
		return l, nil //nolint:nilerr // the check says what is wrong with it
	}
	if err := replaceFile(l.File, l.YAML, text); err != nil {
		return nil, err
	}
	fmt.Fprintf(t.out, "%s: what searches of all schedules found\n%s", l.File, diff(changes))
	return fixed, nil
}
