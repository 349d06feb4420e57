package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// otherwise is how a search that found something ends when less may happen.
type otherwise struct {
	without map[string]string // by the fault that may not happen
	under   map[string]string // by the stricter assumption about time
}

// exploreOtherwise searches again without each fault, and under each stricter assumption about time.
func exploreOtherwise(ctx context.Context, l *lessons.Lesson, nodes []engine.NodeSpec, q lessons.Question) (otherwise, error) {
	o := otherwise{map[string]string{}, map[string]string{}}
	ask := func(change func(*search.Bounds)) (string, error) {
		less := atMost(q, lessons.FinerStates)
		change(&less.Bounds)
		v, err := l.Explore(ctx, nodes, less, nil)
		return string(v.Ending), err
	}
	for kind, n := range q.Bounds.Faults {
		if n == 0 {
			continue
		}
		ending, err := ask(func(b *search.Bounds) {
			b.Faults = maps.Clone(b.Faults)
			delete(b.Faults, kind)
		})
		if err != nil {
			return o, err
		}
		o.without[string(kind)] = ending
	}
	for _, t := range stricter(q.Bounds.Time) {
		ending, err := ask(func(b *search.Bounds) { b.Time = t })
		if err != nil {
			return o, err
		}
		o.under[t.String()] = ending
	}
	return o, nil
}

// atMost is a question with a bound of its search.
func atMost(q lessons.Question, states int) lessons.Question {
	if q.Bounds.States == 0 || q.Bounds.States > states {
		q.Bounds.States = states
	}
	return q
}

// stricter are the named assumptions under which less may happen than under t.
func stricter(t search.TimeBound) []search.TimeBound {
	switch {
	case t.Any || t.Late > 0:
		return []search.TimeBound{search.Arrive, search.Prompt}
	case !t.Sync:
		return []search.TimeBound{search.Prompt}
	}
	return nil
}

func (o otherwise) text() string {
	var b strings.Builder
	told := map[string]string{string(search.Holds): "it holds", string(search.Breaks): "it breaks all the same", string(search.Stops): "not known, the search stopped"}
	for _, fault := range slices.Sorted(maps.Keys(o.without)) {
		fmt.Fprintf(&b, "without   %s: %s\n", fault, told[o.without[fault]])
	}
	for _, t := range slices.Sorted(maps.Keys(o.under)) {
		fmt.Fprintf(&b, "under     --time %s: %s\n", t, told[o.under[t]])
	}
	return b.String()
}
