package redistest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"lockstep/recording"
)

// Verdict is what a search has found.
type Verdict struct {
	Broken    error    // which invariant, and how; nil: none
	Schedule  Schedule // that breaks it
	Story     Story    // of that schedule
	Schedules int      // how many were run, one after the other
	Walks     int      // how many were run at random besides
	Complete  bool     // all schedules within the bounds were run, to their ends
	Cut       int      // how many schedules did not end within four times the steps
	Endless   Schedule // the first of those
	Beyond    int      // how many schedules had choices after Bounds.Steps, of which only the expected ones were made

	steps int // Bounds.Steps

	lesson    recording.Recording // of that schedule
	exhausted bool                // all schedules within the bounds were run
}

// String is the verdict for people: what broke, and the whole story.
func (v Verdict) String() string {
	var b strings.Builder
	switch {
	case v.Broken != nil:
		found := fmt.Sprintf("schedule %d, which is", v.Schedules)
		if v.Walks > 0 {
			found = fmt.Sprintf("random walk %d after %d schedules, of which is left", v.Walks, v.Schedules)
		}
		fmt.Fprintf(&b, "%v\nfound in %s %s:\n%s", v.Broken, found, v.Schedule, v.Story)
	case v.Complete:
		fmt.Fprintf(&b, "holds: all %d schedules within the bounds", v.Schedules)
	case v.exhausted:
		fmt.Fprintf(&b, "nothing broke in %d schedules, all that the bounds allow", v.Schedules)
	case v.Walks > 0:
		fmt.Fprintf(&b, "nothing broke in %d schedules and %d random walks; there are more within the bounds", v.Schedules, v.Walks)
	default:
		fmt.Fprintf(&b, "nothing broke in %d schedules; there are more within the bounds", v.Schedules)
	}
	if v.Cut > 0 && v.Broken == nil {
		fmt.Fprintf(&b, "; %d of them had not ended after %d steps, so somebody may wait for ever: see Replay of %s", v.Cut, endless*v.steps, v.Endless)
	}
	if v.Beyond > 0 && v.Broken == nil {
		fmt.Fprintf(&b, "; in %d of them nothing was varied after step %d (Bounds.Steps)", v.Beyond, v.steps)
	}
	return b.String()
}

// planned is a schedule to run. Its names are those of the steps up to and including the last
// deviation: a run whose steps have other names has strayed.
type planned struct {
	schedule Schedule
	names    []string
}

// search runs schedules in the order of their number of deviations.
func search(t *testing.T, scenario func(w *World), b Bounds) (v Verdict) {
	t.Helper()
	var progress atomic.Int64
	v.steps = b.Steps
	defer watch(&progress, tooLong, func(text string) { panic(text) })()
	queue := []planned{{}}
	for len(queue) > 0 {
		if v.Schedules == b.Schedules {
			walk(t, scenario, b, func() { progress.Add(1) }, &v)
			return v
		}
		next := queue[0]
		queue = queue[1:]
		r := newRun(t, scenario, b, next.schedule)
		r.perform()
		progress.Add(1)
		v.Schedules++
		if err := next.differs(r); err != nil {
			t.Fatalf("redistest: the code under test does not do the same each time, so its schedules cannot be searched (a select with two cases that are ready, the order of a map and a random number do that): %v\n%s", err, r.story)
		}
		if r.broken != nil {
			v.found(t, r)
			return v
		}
		v.count(r)
		queue = append(queue, r.variants(next.schedule)...)
	}
	v.exhausted, v.Complete = true, v.Cut == 0
	return v
}

// count notes how a run ended that broke nothing.
func (v *Verdict) count(r *run) {
	if r.cut {
		if v.Cut == 0 {
			v.Endless = r.schedule
		}
		v.Cut++
	}
	if r.beyond {
		v.Beyond++
	}
}

// found notes the run that breaks an invariant.
func (v *Verdict) found(t *testing.T, r *run) {
	t.Helper()
	v.Broken, v.Schedule, v.Story, v.lesson = r.broken, r.schedule, r.story, r.lesson(t.Name())
}

// differs is the first step at which a run strayed from its plan; nil: it did not.
func (p planned) differs(r *run) error {
	if r.stray != nil {
		return r.stray
	}
	for i, name := range p.names {
		if i >= len(r.steps) || r.steps[i].name != name {
			return fmt.Errorf("step %d was %q before", i, name)
		}
	}
	return nil
}

// variants are the schedules that deviate once more, after the last deviation of this one.
func (r *run) variants(s Schedule) (more []planned) {
	first, switches := 0, 0
	if len(s) > 0 {
		first = s[len(s)-1].Step + 1
	}
	for _, d := range s {
		if k := r.steps[d.Step].kind; k == performs || k == resumes {
			switches++
		}
	}
	var names []string
	for _, step := range r.steps {
		names = append(names, step.name)
	}
	for i := first; i < len(r.steps) && i < r.bounds.Steps; i++ {
		for c, choice := range r.offered[i][1:] {
			isSwitch := choice.kind == performs || choice.kind == resumes
			if isSwitch && r.bounds.Switches > 0 && switches >= r.bounds.Switches {
				continue
			}
			expected := r.offered[i][0]
			if choice.kind == performs && expected.kind == performs && choice.process != expected.process && commute(choice.request, expected.request) {
				continue // it comes to the same as to go first one step later
			}
			more = append(more, planned{
				schedule: append(slices.Clip(s), Deviation{i, c + 1}),
				names:    append(names[:i:i], choice.name),
			})
		}
	}
	return more
}
