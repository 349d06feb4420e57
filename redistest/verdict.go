package redistest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	Complete  bool     // all within the bounds was varied, and each schedule run to its end
	Cut       int      // how many schedules did not end within four times the steps
	Endless   Schedule // the first of those
	Beyond    int      // how many schedules had choices after Bounds.Steps, of which only the expected ones were made
	Strayed   int      // in how many schedules the code under test did not do what it had done before
	Doubts    []Found  // reasons to distrust that nothing broke

	t         testing.TB
	bounds    Bounds
	lesson    recording.Recording // of that schedule
	noLesson  error               // why it cannot be written
	exhausted bool                // all schedules within the bounds were run
	late      bool                // the test was out of time
	seen      coverage
	loop      Story // of Endless
	strays    error
	strayed   Story // of the first that strayed
}

// Holds tells whether nothing broke in any schedule within the bounds, and there is no doubt about it.
func (v Verdict) Holds() bool { return v.Broken == nil && v.Complete && len(v.Doubts) == 0 }

// String is the verdict for people: what broke, and the whole story; or what was covered.
func (v Verdict) String() string {
	if v.Broken != nil {
		found := fmt.Sprintf("schedule %d, which is", v.Schedules)
		if v.Walks > 0 {
			found = fmt.Sprintf("random walk %d after %d schedules, of which is left", v.Walks, v.Schedules)
		}
		return fmt.Sprintf("%v\nfound in %s %s:\n%s", v.Broken, found, v.Schedule, v.Story)
	}
	var b strings.Builder
	more := "there are more within the bounds"
	if v.late {
		more += ", and no time for them before the test's deadline"
	}
	switch {
	case v.Holds():
		fmt.Fprintf(&b, "holds: all %d schedules within the bounds", v.Schedules)
	case v.exhausted:
		fmt.Fprintf(&b, "nothing broke in %d schedules, all that the bounds allow", v.Schedules)
	case v.Walks > 0:
		fmt.Fprintf(&b, "nothing broke in %d schedules and %d random walks; %s", v.Schedules, v.Walks, more)
	default:
		fmt.Fprintf(&b, "nothing broke in %d schedules; %s", v.Schedules, more)
	}
	if v.seen.Drawn.any() {
		fmt.Fprintf(&b, "; random numbers of %s were the same each time", v.seen.Drawn)
	}
	if v.seen.Varied {
		b.WriteString("; values that were sent were not the same each time (math/rand/v2 and the order of a map do that), and others may do otherwise")
	}
	for _, what := range slices.Sorted(maps.Keys(v.seen.Chosen)) {
		fmt.Fprintf(&b, "; %s", what)
	}
	fmt.Fprintf(&b, "\n%s", v.coverage())
	if untried := v.bounds.untried(); len(untried) > 0 {
		fmt.Fprintf(&b, "\nnot tried, as these bounds are 0: %s", strings.Join(untried, ", "))
	}
	if vain := v.bounds.vain(v.seen.Offered); len(vain) > 0 {
		fmt.Fprintf(&b, "\nnot tried, as no schedule had an occasion: %s", strings.Join(vain, ", "))
	}
	for _, d := range v.Doubts {
		fmt.Fprintf(&b, "\nit proves nothing: %s", d.Text)
	}
	return b.String()
}

// count notes how a run ended that broke nothing.
func (v *Verdict) count(r *run, stray error) {
	v.seen.add(r)
	if r.cut {
		if v.Cut == 0 || r.schedule.compare(v.Endless) < 0 {
			v.Endless, v.loop = r.schedule, r.story
		}
		v.Cut++
	}
	if r.beyond {
		v.Beyond++
	}
	if stray != nil {
		if v.Strayed == 0 {
			v.strays, v.strayed = stray, r.story
		}
		v.Strayed++
	}
}

// found notes the run that breaks an invariant.
func (v *Verdict) found(r *run) {
	v.Broken, v.Schedule, v.Story, v.lesson = r.broken, r.schedule, r.story, r.lesson(v.t.Name())
	v.noLesson = nil
	for _, s := range r.steps {
		if s.kind == drops || s.kind == leaves || s.kind == hangs || s.kind == returns || s.kind == slows || s.kind == promotes || s.later || s.after || len(s.deaf) > 0 || s.unseen || s.turned {
			v.noLesson = fmt.Errorf("a lesson has no such fault as %q", s.Name)
		}
		if s.request != nil && s.request.hangsUp {
			v.noLesson = fmt.Errorf("a lesson's servers learn at once of who gives up, and not when %q", s.Name)
		}
		if s.paused {
			v.noLesson = fmt.Errorf("a lesson performs nothing of who is paused, and %q was sent before", s.Name)
		}
	}
	for _, e := range r.story {
		if len(r.members) > 0 && (strings.Contains(e.Text, "→ -MOVED ") || strings.Contains(e.Text, "→ -CROSSSLOT ")) {
			v.noLesson = errors.New("the lesson would have servers that are no cluster, and refuse nothing")
		}
	}
}

// conclude judges what was seen.
func (v *Verdict) conclude() {
	if v.Broken != nil {
		return
	}
	v.Complete = v.exhausted && v.Cut == 0 && v.Beyond == 0 && v.Strayed == 0
	v.doubt(v.Cut > 0, Endless, fmt.Sprintf("%d schedules had not ended after %d steps, so somebody may wait for ever; the first is %s, and at its end %s",
		v.Cut, endless*v.bounds.Steps, v.Endless, v.loop.loop()))
	v.doubt(v.Strayed > 0, Chance, fmt.Sprintf("the code under test did not do the same each time, so its schedules cannot be searched "+
		"(a select with two cases that are ready, two timers of one moment, the order of a map and random numbers of math/rand/v2 do that): %v\n%s", v.strays, v.strayed))
	v.seen.doubts(v)
}

func (v *Verdict) doubt(is bool, d Doubt, text string) {
	if is && !v.seen.Allowed[d] {
		v.Doubts = append(v.Doubts, Found{d, text})
	}
}

// coverage says in one line what the schedules have in them.
func (v *Verdict) coverage() string {
	parts := v.seen.parts()
	if v.Cut > 0 {
		parts = append(parts, fmt.Sprintf("%d had not ended after %d steps", v.Cut, endless*v.bounds.Steps))
	}
	if v.Beyond > 0 {
		parts = append(parts, fmt.Sprintf("nothing was varied after step %d in %d", v.bounds.Steps, v.Beyond))
	}
	if v.Strayed > 0 {
		parts = append(parts, fmt.Sprintf("the code under test did something else than before in %d", v.Strayed))
	}
	return strings.Join(parts, "; ")
}
