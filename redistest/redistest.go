// Package redistest runs Go code that uses Redis under every schedule of its requests: it
// decides which one is performed next, when a reply comes late or is lost, when time passes
// meanwhile and who crashes, and reports the schedule that breaks an invariant.
//
// The code under test runs in a bubble of testing/synctest, so sleeps, leases and timeouts
// take no time, against an embedded Redis without a network.
package redistest

import (
	"cmp"
	"testing"
	"time"

	"github.com/redis/go-redis/v9/logging"
)

// Bounds say how far Explore goes. Each budget counts for one schedule.
type Bounds struct {
	Steps     int // after so many steps a schedule goes on without further choices; 0: 60
	Switches  int // how often another request goes first than the one expected; 0: any number
	Ticks     int // how often time passes although requests wait: a slow network
	Pauses    int // how often a process is paused before it sees a reply, as garbage collection does
	Losses    int // how often the connection breaks after the request was performed
	Crashes   int // how many processes die
	Restarts  int // how often a server starts again, empty
	Schedules int // how many schedules are tried at most; 0: 100,000

	Walks int    // how many schedules are tried at random when there are more than Schedules
	Seed  uint64 // of those
}

func (b Bounds) lowest() int {
	return min(b.Steps, b.Switches, b.Ticks, b.Pauses, b.Losses, b.Crashes, b.Restarts, b.Schedules, b.Walks)
}

// horizon is how long nothing may happen before those who wait are said to wait for ever.
const horizon = 24 * time.Hour

// Explore runs a scenario under all schedules within the bounds, those with the fewest
// deviations from the expected order first, and fails the test with the first schedule that
// breaks an invariant; with -artifacts it is also written as a lesson. The scenario names its processes and invariants; it is called once for
// each schedule, and must do the same each time. The log of go-redis, which would complain
// about the faults, is off from then on.
func Explore(t *testing.T, scenario func(w *World), b Bounds) {
	t.Helper()
	switch v := Search(t, scenario, b); {
	case v.Broken != nil:
		t.Fatalf("%s%s", v, keep(t, v))
	default:
		t.Logf("%s", v)
	}
}

// Search is Explore for those who want to judge the verdict themselves.
func Search(t *testing.T, scenario func(w *World), b Bounds) Verdict {
	t.Helper()
	logging.Disable()
	if b.lowest() < 0 {
		t.Fatalf("redistest: a bound below zero means nothing: %+v", b)
	}
	b.Steps, b.Schedules = cmp.Or(b.Steps, 60), cmp.Or(b.Schedules, 100_000)
	return search(t, scenario, b)
}

// Replay runs one schedule, as a Verdict names it, and returns its story.
func Replay(t *testing.T, scenario func(w *World), b Bounds, s Schedule) Story {
	t.Helper()
	b.Steps = cmp.Or(b.Steps, 60)
	r := newRun(t, scenario, b, s)
	r.perform()
	if r.stray != nil {
		t.Fatalf("redistest: this schedule is not one of the scenario's: %v\n%s", r.stray, r.story)
	}
	return r.story
}
