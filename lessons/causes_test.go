package lessons_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// unnamed are the faults and the ends of keys without which a breach does not happen, and which are no causes of it: each is
// told of an earlier breach, or has its part only through what others read.
var unnamed = map[string]string{
	"lease-outlived 10: tick 10s":          "the lease of A ended, so that B got in, of which the breach before tells",
	"unlock-sent-twice 9: tick 12500ms":    "what the server remembered of a request ended, and no rule knows what that is",
	"fair-fast-clock 22: clock app-4 +40s": "the clock is that of D, which came between, and the breach is about B and C",
	"stampede 4: tick 1s":                  "what is cached ended, before anybody asked for it",
	"redlock-pause 26: tick 10s":           "A was late for its first attempt, gave that back and began anew",
	"dead-waiter 12: crash app-2":          "the dead waiter is neither the one who got in nor the one who was passed over",
}

// A breach does not happen without what is told of it: each choice of a story and of a solution is left out, and also made
// later, just before the same actor's next step. If the rule holds then, the choice was needed; if all the rest stays as it
// was, it was not. Nothing here asks how causes are found.
func TestWhatABreachNeedsIsToldAmongItsCauses(t *testing.T) {
	count := counted{met: map[string]bool{}}
	for _, l := range builtIn(t) {
		scenario, err := l.Scenario(l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		schedules := [][]engine.Choice{l.Choices()}
		for _, c := range l.Challenges {
			schedules = append(schedules, c.Solution)
		}
		for _, schedule := range schedules {
			trace := playable(t, scenario, schedule).trace
			breaches := slices.DeleteFunc(slices.Clone(trace.Steps), func(s engine.Step) bool { return len(s.Broken) == 0 })
			for i, c := range schedule {
				if len(breaches) == 0 || breaches[len(breaches)-1].N <= i+1 {
					break
				}
				rest := slices.Delete(slices.Clone(schedule), i, i+1)
				o := otherRuns{without: playable(t, scenario, rest), next: slices.Index(rest[i:], c) + i + 1}
				if c.Kind == engine.Run && o.next > i {
					o.later = playable(t, scenario, slices.Insert(rest, o.next-1, c))
				}
				for _, breach := range breaches {
					if breach.N > i+1 {
						count.add(t, l.Name, trace, &trace.Steps[i], &breach, o)
					}
				}
			}
		}
	}
	for name := range unnamed {
		if !count.met[name] {
			t.Errorf("it is told by now, or happens no longer: %s", name)
		}
	}
	t.Logf("%d of %d steps that were needed are told, and %d that were not", count.named, count.needed, count.idle)
	if count.named*4 < count.needed*3 || count.idle*5 > count.named {
		t.Error("too few of those that were needed are told, or too many of those that were not")
	}
}

// What came to nothing is no cause: a fault that was undone before anything was late or lost, and what a replica deletes.
// But who comes in late has a lock that is over already: how it got that, and that it ended, are causes.
func TestWhatCameToNothingIsNoCause(t *testing.T) {
	all := builtIn(t)
	for _, c := range []struct {
		lesson, schedule string
		causes           []int
	}{
		{"long-retry", "run A, run A, replicate r, tick 30s, run B, run A", []int{1, 4, 5, 6}},
		{"set-nx", "run A, pause jvm-1, resume jvm-1, tick, run C", []int{1, 4, 5}},
		{"set-nx", "run A, pause jvm-1, tick, tick 3s, run C", []int{1, 2, 3, 5}}, // A would have left
		{"lost-renewal", "run A, cut app-1 redis, heal app-1 redis, cut app-1 redis, tick, run A:watchdog, tick, tick 20s, run B", []int{1, 4, 6, 8, 9}},
		{"redlock-restart", "cut app-1 n4, cut app-1 n5, heal app-1 n5, cut app-1 n5, run A, run A, run A, run A, tick, run A, tick, crash n3, restart n3, run B, run B, run B, run B, run B", []int{1, 4, 11, 12, 13, 18}},
		{"zk-predecessor-gone", "run A, run A, run C, run B, run B, run B, run C, tick, run A, run C", []int{2, 3, 4, 7, 9, 10}}, // what C was told before it waits
		{"failover", "run B, promote r, replicate m, run A", []int{1, 2, 4}},
		{"rw-downgrade", "run W, run R1, run R1, run R1, run W, run W", []int{1, 4, 5, 6}},                                             // the rule looks at who waits
		{"stock-in-parts", "run A, run A, run B, run B, run C, run C, tick, run A, run A, run B, run B", []int{2, 4, 6, 8, 9, 10, 11}}, // the rule looks at who has ended
		{"async-lock", "run A, run A:future, tick, run B:future, tick 3s, run A:callback, run A", []int{2, 6, 7}},                      // the unlock failed; what A read at first does not matter
	} {
		scenario, err := lessons.Find(all, c.lesson).Scenario(lessons.Find(all, c.lesson).Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		var schedule []engine.Choice
		for text := range strings.SplitSeq(c.schedule, ", ") {
			choice, err := engine.ParseChoice(text)
			if err != nil {
				t.Fatal(err)
			}
			schedule = append(schedule, choice)
		}
		trace := playable(t, scenario, schedule).trace
		breach := &trace.Steps[len(trace.Steps)-1]
		if len(breach.Broken) == 0 {
			t.Errorf("%s: %s breaks nothing", c.lesson, c.schedule)
			continue
		}
		var steps []int
		for _, cause := range trace.Causes(breach) {
			steps = append(steps, cause.Step.N)
		}
		if !slices.Equal(steps, c.causes) {
			t.Errorf("%s: %s: the causes are %v, want %v", c.lesson, c.schedule, steps, c.causes)
		}
	}
}

// otherRuns are a schedule without one choice, and with that choice made later.
type otherRuns struct {
	without *playedRun
	later   *playedRun // nil: nobody makes it again
	next    int        // the number of the choice before which it is made then
}

// counted is how many steps a breach needed, of these how many are told, and how many are told that it did not need.
type counted struct {
	needed, named, idle int
	met                 map[string]bool
}

// add counts a step before a breach.
func (n *counted) add(t *testing.T, lesson string, trace *engine.Trace, step, breach *engine.Step, o otherRuns) {
	t.Helper()
	told := slices.ContainsFunc(trace.Causes(breach), func(c engine.Cause) bool { return c.Step.N == step.N })
	name := fmt.Sprintf("%s %d: %s", lesson, breach.N, step.Choice)
	same := o.without.at[breach.N-2] == breach.N-1 && alsoBreaks(&o.without.trace.Steps[breach.N-2], breach)
	switch {
	case o.without.breaks(breach, breach.N-1) || o.later != nil && o.next < breach.N && o.later.breaks(breach, breach.N):
		if told && same && step.Choice.Kind == engine.Run && step.NoReply == "" {
			n.idle++
		}
	case step.Choice.Kind.Row().Harmless || step.Choice.Kind == engine.Tick && len(step.Expired) == 0: // the rest would be another run
	case told:
		n.needed++
		n.named++
	default:
		n.needed++
		n.met[name] = true
		if step.Choice.Kind != engine.Run && unnamed[name] == "" {
			t.Errorf("%s: %v does not happen without step %d, which is no cause", name, breach.Broken, step.N)
		}
	}
}

// playedRun is a schedule as far as it could be played.
type playedRun struct {
	trace *engine.Trace
	at    []int // how many steps there were after each choice
}

// playable plays a schedule without the choices that cannot be made.
func playable(t *testing.T, s engine.Scenario, schedule []engine.Choice) *playedRun {
	t.Helper()
	w, err := engine.NewWorld(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	run := &playedRun{trace: w.Trace()}
	for _, c := range schedule {
		_, err := w.Apply(context.Background(), c)
		if _, cannot := errors.AsType[*engine.NotEnabledError](err); err != nil && !cannot {
			t.Fatal(err)
		}
		run.at = append(run.at, len(run.trace.Steps))
	}
	return run
}

// breaks tells whether one of the first choices breaks a rule as a breach did.
func (r *playedRun) breaks(breach *engine.Step, choices int) bool {
	return slices.ContainsFunc(r.trace.Steps[:r.at[choices-1]], func(s engine.Step) bool { return alsoBreaks(&s, breach) })
}

// alsoBreaks tells whether a step breaks one of the rules that a breach does, as that does.
func alsoBreaks(s, breach *engine.Step) bool {
	return slices.ContainsFunc(s.Broken, func(v engine.Violation) bool {
		return slices.ContainsFunc(breach.Broken, func(o engine.Violation) bool { return v.String() == o.String() })
	})
}
