// Package redistest runs Go code that uses Redis under every schedule of its requests: it
// decides which one is performed next, when a reply comes late or is lost, when time passes
// meanwhile, which server is away and who crashes, and reports the schedule that breaks an
// invariant.
//
// The code under test runs in a bubble of testing/synctest, so sleeps, leases and timeouts
// take no time, against an embedded Redis without a network. A scenario names processes (World.Client,
// World.Process), what only one of them may do at a time (World.Inside) and other invariants
// (World.Check); World.Cluster makes a cluster of servers, World.Sentinel a master with replicas. Explore runs it under all schedules within Bounds, and fails the test with the
// story of the first that breaks one.
//
// That it holds means that all schedules within the bounds were run to their ends and that
// something was at stake: a test fails, too, if a schedule never ends, if no two processes want a
// section at the same time, if an invariant asks of what is never there, if a process does nothing,
// and if the code under test does not do the same each time. World.Allow says what is meant to
// be so. Requests that have nothing to do with each other are tried in one order only, which is
// sound for all that goes through servers, sections and World.Do.
//
// However the code under test fails, the test fails with the schedule and its story: a panic or a
// t.Fatal in a process, in the scenario or in an invariant, a mutex whose holder sleeps, a wait for
// what is outside of the bubble, a loop without an end. A panic in a goroutine that a process has
// started, or an os.Exit, ends the program, as always in Go: then a second process, which the first
// search starts, tells the failure and runs the other tests.
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
	Drops     int // how often it breaks before
	Slow      int // how often the network of one process is slow for a while
	Crashes   int // how many processes die
	Restarts  int // how often a server starts again, empty
	Outages   int // how often a server ends its connections, maybe before a reply, and refuses others for a while; it keeps its data, maybe not its scripts
	Hangs     int // how often a server performs nothing for a while
	Failovers int // how often a replica takes over from the master, with all that it had or without its last write
	Schedules int // how many schedules are tried at most; 0: 100,000

	// Grid is after how long a delay may end at which nothing happens: time that passes while something is held
	// up or waits stops there, too; 0: delays end only when a request comes, somebody enters a section, a key
	// expires or the longest pause is over. What breaks only in between, such as when half of a lease is over, needs it.
	Grid time.Duration

	// LongestPause is how long a process pauses at most, and a server hangs before it says what it has performed; 0: any
	// time. What breaks under pauses shorter than the lease is a bug.
	LongestPause time.Duration

	// Workers is how many processes share the schedules of a *testing.T, each with one processor; 0: one. A worker
	// runs the test again up to its search, so what stands before it must be fit to run beside itself.
	Workers int

	Walks int    // how many schedules are tried at random when there are more than Schedules
	Seed  uint64 // of those

	// AllOrders has requests that have nothing to do with each other tried in all orders, too, for
	// processes that share Go variables. It is so anyway where Switches is not 0.
	AllOrders bool
}

// of is the budget of a fault.
func (b Bounds) of(k kind) int {
	return [kinds]int{
		ticks: b.Ticks, pauses: b.Pauses, loses: b.Losses, drops: b.Drops, slows: b.Slow, crashes: b.Crashes,
		restarts: b.Restarts, leaves: b.Outages, hangs: b.Hangs, promotes: b.Failovers,
	}[k]
}

// budgets are the names of those bounds.
var budgets = [kinds]string{
	ticks: "Ticks", pauses: "Pauses", loses: "Losses", drops: "Drops", slows: "Slow", crashes: "Crashes",
	restarts: "Restarts", leaves: "Outages", hangs: "Hangs", promotes: "Failovers",
}

// vain names the faults that the bounds allow and no schedule has had a choice of.
func (b Bounds) vain(offered [kinds]bool) (names []string) {
	for k, name := range budgets {
		if name != "" && b.of(kind(k)) > 0 && !offered[k] {
			names = append(names, name)
		}
	}
	return names
}

// untried names the faults that no schedule has, and the grid where there are delays that end without it.
func (b Bounds) untried() (names []string) {
	for k, name := range budgets {
		if name != "" && b.of(kind(k)) == 0 {
			names = append(names, name)
		}
	}
	if b.Grid == 0 && b.Ticks+b.Pauses+b.Slow+b.Outages+b.Hangs > 0 {
		names = append(names, "Grid")
	}
	return names
}

func (b Bounds) lowest() int {
	least := min(b.Steps, b.Switches, b.Schedules, b.Walks, b.Workers, int(b.LongestPause), int(b.Grid))
	for k := range kinds {
		least = min(least, b.of(k))
	}
	return least
}

// What takes longer than the horizon does not happen while something is held up, nor what takes longer than a nap
// where nothing is: those who wait are said to wait for ever, and earlier if they do nothing but send that many
// greetings. Keys may live longer.
const (
	horizon = 24 * time.Hour
	nap     = 8 * horizon
	boring  = 10_000
)

// Explore runs a scenario under all schedules within the bounds, those with the fewest
// deviations from the expected order first, and fails the test with the first schedule that
// breaks an invariant, which with -artifacts is also written as a lesson, or if it means nothing that
// none does. The scenario names its processes and invariants; it is called for
// each schedule, of some more than once, and must do the same each time. The log of go-redis, which would complain
// about the faults, is off from then on.
func Explore(t testing.TB, scenario func(w *World), b Bounds) {
	t.Helper()
	s := newSearch(t, scenario, b)
	if ordered != nil && !s.isOrdered() {
		return // what a worker is there for comes later
	}
	switch v := s.all(); {
	case v.Broken != nil:
		t.Fatalf("%s%s", v, keep(t, v))
	case len(v.Doubts) > 0:
		t.Fatalf("%s", v)
	default:
		t.Logf("%s", v)
	}
}

// Search is Explore for those who want to judge the verdict themselves.
func Search(t testing.TB, scenario func(w *World), b Bounds) Verdict {
	t.Helper()
	return newSearch(t, scenario, b).all()
}

// all is the verdict on all schedules.
func (s *search) all() Verdict {
	defer s.diary.close()
	defer beginAlone()()
	s.obey()
	s.begins()
	s.verdict.conclude()
	return s.verdict
}

// Replay runs one schedule, as a Verdict names it, and returns its story.
func Replay(t testing.TB, scenario func(w *World), b Bounds, s Schedule) Story {
	t.Helper()
	defer beginAlone()()
	one := newSearch(t, scenario, b)
	defer one.diary.close()
	r := one.play(planned{schedule: s, alone: true})
	if r.stray != nil {
		t.Fatalf("redistest: this schedule is not one of the scenario's: %v\n%s", r.stray, r.story)
	}
	return r.story
}

func newSearch(t testing.TB, scenario func(w *World), b Bounds) *search {
	t.Helper()
	if bubbleHere() != "" {
		t.Fatal("redistest: a search makes bubbles of its own: call Search, Explore and Replay outside of synctest.Test and of scenarios")
	}
	logging.Disable()
	lookUp()
	if b.lowest() < 0 {
		t.Fatalf("redistest: a bound below zero means nothing: %+v", b)
	}
	b.Steps, b.Schedules = cmp.Or(b.Steps, 60), cmp.Or(b.Schedules, 100_000)
	var until time.Time
	if limited, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := limited.Deadline(); ok {
			until = at.Add(-2 * time.Second)
		}
	}
	parent := new(testing.T)
	s := &search{
		t: t, parent: parent, raced: parent.Failed(), until: until, scenario: scenario, bounds: b, reduces: !b.AllOrders && b.Switches == 0, failed: t.Failed(), diary: newDiary(t),
	}
	if _, is := t.(*testing.T); is && b.Workers > 1 {
		s.number = numberOf(t)
		if ordered == nil {
			s.workers = b.Workers
		}
	}
	return s
}
