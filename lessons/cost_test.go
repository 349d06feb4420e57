package lessons_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"lockstep/engine/search"
	"lockstep/lessons"
)

func TestCost(t *testing.T) {
	if os.Getenv("COST") == "" {
		t.Skip()
	}
	all, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	states := 0
	start := time.Now()
	one := func(name string, l *lessons.Lesson, q lessons.Question, claim string) {
		from := time.Now()
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
		states += v.States
		what := string(v.Ending)
		if err != nil {
			what = err.Error()
		}
		if v.Ending == search.Stops {
			what += "-" + string(v.Stopped)
		}
		fmt.Printf("COST\t%s\t%v\t%s\t%d\t%d\t%d\t%v\t%v\n", name, q.Bounds.Time, what, len(v.Schedule), v.States, time.Since(from).Milliseconds(), v.Clocks, v.Schedule)
	}
	for _, l := range all {
		for i, c := range l.Claims {
			one(fmt.Sprintf("%s#%d", l.Name, i), l, c.Question, "")
		}
		for i, c := range l.Challenges {
			if c.Goal.Repair == nil {
				continue
			}
			q := *c.Goal.Repair
			q.Invariant = ""
			one(fmt.Sprintf("%s!%d", l.Name, i), l, q, "broken")
			one(fmt.Sprintf("%s!%d-solved", l.Name, i), c.Repaired(l), q, "holds")
		}
	}
	fmt.Printf("TOTAL %d states %v\n", states, time.Since(start))
}
