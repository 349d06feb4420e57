package redistest

import (
	"slices"
	"testing"
)

// Whoever is given half of a queue has as much of each level as who gives it, and both run their least schedules first.
func TestHalfOfAQueueIsGiven(t *testing.T) {
	var q queue
	add := func(step int, before ...Deviation) {
		q.add(&branch{Before: before, Step: step, Node: &node{}, Choices: []option{{1, "one"}, {2, "two"}}})
	}
	for step := range 4 {
		add(step+5, Deviation{step, 1})
		add(step)
	}
	given := queue(q.half())
	for name, c := range map[string]struct {
		has  queue
		want string
	}{
		"kept":  {q, "redistest.Schedule{{0, 1}} redistest.Schedule{{0, 2}} redistest.Schedule{{2, 1}} redistest.Schedule{{2, 2}} "},
		"given": {given, "redistest.Schedule{{1, 1}} redistest.Schedule{{1, 2}} redistest.Schedule{{3, 1}} redistest.Schedule{{3, 2}} "},
	} {
		got := ""
		var levels []int
		for c.has.Len() > 0 {
			levels = append(levels, c.has[0].level())
			if p := c.has.take(); len(p.schedule) == 1 {
				got += p.schedule.String() + " "
			}
		}
		if got != c.want || !slices.Equal(levels, []int{1, 1, 1, 1, 2, 2, 2, 2}) {
			t.Errorf("%s: %s, levels %v", name, got, levels)
		}
	}
}
