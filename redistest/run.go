package redistest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/engine"
	"lockstep/recording"
)

// run is one schedule of a scenario.
type run struct {
	t          *testing.T // whose bubble it is
	scenario   func(w *World)
	bounds     Bounds
	schedule   Schedule
	chance     *rand.Rand // makes the choices, and the schedule with them; nil: the schedule says all
	unexpected float64    // how probably a choice of chance is not the expected one

	begin      time.Time
	processes  []*Process
	servers    []*server
	checks     []*check
	members    members
	replicated replicated
	limits     map[string]int // of sections, where it is not 1
	over       chan struct{}
	arrived    chan struct{} // a request has come, or a process has ended, since the last step
	entered    chan struct{} // while time passes: a process has entered a section; nil: nobody waits for that
	greeted    int           // how much has led to nothing while time passes
	bored      chan struct{} // there were too many
	vain       int           // how often a server was asked while it was away
	rounds     int           // how often it was looked at what may happen next

	steps     []step   // that were taken
	offered   [][]step // all choices at each of steps, the expected one first
	spent     [kinds]int
	performer string  // whose request was performed last, if the last step was one
	later     []*wire // with a reply that something is to happen to
	idle      bool    // nothing happens if time passes
	examined  bool    // an invariant is asked
	prepared  bool    // the scenario has been called, and processes run
	onGrid    bool    // the last step let time pass, and nothing came at the end of it
	story     Story
	recorded  []recording.Event // the same for a lesson
	rule      *recording.Rule   // what broke, if a lesson can have it
	markOf    string            // the process that rule is about; empty: the rule needs none
	markAt    int               // from this index of recorded on
	broken    error             // the first invariant that broke
	stray     error             // the schedule names a choice that is not there: the code under test did something else before
	cut       bool              // it went on for too long
	beyond    bool              // there were choices after the last step that has any
	seen      coverage

	plan    planned
	reduces bool
	reads   []footprint // of each check, in runs before
	asleep  []sleeper
	nodes   []*node // of the steps that were not planned
	feet    []footprint
	trail   trail
	blocked bool // all that could be done is done elsewhere

	reseeds   draws // of these, random numbers depend on the step
	polls     bool  // instead of synctest.Wait
	progress  atomic.Int64
	looked    atomic.Int64  // from outside, how it goes
	passes    atomic.Int64  // how long it is, at most, until time has passed; 0: none does
	ends      atomic.Bool   // all that is left is to end
	inVain    atomic.Int64  // how much was asked for since then
	number    string        // of the bubble
	bubble    chan string   // the same, for those outside
	text      []byte        // of the label
	labelled  int           // how many deviations it shows
	mutexes   []string      // the stacks of those that wait for one
	waited    bool          // somebody has waited for one
	givesUp   bool          // somebody does not end
	gaveUp    chan struct{} // so the bubble is left as it is
	abandoned atomic.Bool   // nobody waits for what it does
	until     time.Time     // as in search
	diary     *diary        // the same

	mu      sync.Mutex // guards the story, the servers' connections and the processes' states as well
	pending []*request // sent and not performed, in an order that is the same in every run
	inside  map[string][]visit

	reply reply
}

func newRun(t *testing.T, scenario func(w *World), b Bounds, s Schedule) *run {
	return &run{
		t: t, scenario: scenario, bounds: b, schedule: s, seen: newCoverage(), limits: map[string]int{}, inside: map[string][]visit{},
		bubble: make(chan string, 1), gaveUp: make(chan struct{}),
	}
}

// endless is after how many times Bounds.Steps a run is not followed any further.
const endless = 4

// inBubble plays the schedule in a bubble of its own.
func (r *run) inBubble() {
	synctest.Test(r.t, func(t *testing.T) {
		r.number = bubbleHere()
		r.bubble <- r.number
		t.Cleanup(func() { // after those of random numbers
			if r.givesUp {
				close(r.gaveUp)
			}
		})
		r.label(t.Context())
		// The bubble's clock begins in 2000, where the embedded Redis has no dates.
		time.Sleep(time.Until(time.UnixMilli(engine.Epoch)))
		r.begin = time.Now()
		r.over, r.arrived, r.bored = make(chan struct{}), make(chan struct{}, 1), make(chan struct{}, 1)
		drawn := seedBoth(t)
		ctx, end := context.WithCancel(context.Background())
		played := make(chan struct{})
		go func() { // of its own: t.FailNow ends it
			defer close(played)
			growStack(0)
			r.play(ctx)
		}()
		<-played
		r.seen.Drawn = r.reseeds.union(drawn())
		r.finish(end)
		r.standStill()
	})
}

// play sets the scenario up, and runs its processes.
func (r *run) play(ctx context.Context) {
	if r.guard("the scenario", func() { r.scenario(&World{r}) }); r.broken != nil {
		return
	}
	r.prepared = true
	for _, p := range r.processes {
		p.ctx, p.done = context.WithValue(ctx, processKey{}, p), false
	}
	for i, p := range r.processes {
		if i > 0 {
			r.pass(func() time.Duration { return time.Nanosecond })
		}
		go p.start()
	}
	r.guard("an invariant", r.loop)
}

// loop takes one step after another, until all processes have ended or an invariant is broken.
func (r *run) loop() {
	for {
		r.answered()
		r.quiet()
		r.progress.Add(1)
		r.rounds++
		if r.settle(); r.blocked {
			return
		}
		r.want()
		if r.examine(false); r.broken != nil || r.stray != nil {
			return
		}
		choices := r.choices()
		switch {
		case len(choices) == 0 && !slices.ContainsFunc(r.processes, (*Process).lives):
			r.inTheEnd()
			return
		case len(choices) == 0:
			r.broken = fmt.Errorf("nobody waits for ever: %s wait, and nothing ever happens", r.waiting())
			return
		case len(r.steps) >= r.bounds.Steps*endless:
			r.cut = true
			return
		case choices[0].kind == waits && r.timeStands():
			return
		case len(choices) == 1 && choices[0].kind == waits && !r.isHeldUp():
			r.idle = !r.letTimePass(false, nil)
		case !r.take(choices):
			r.blocked = true
			return
		}
	}
}

func (r *run) isOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// arrive takes what a process has written, once its last command is complete.
func (r *run) arrive(w *wire, b []byte, commands [][]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(commands, tracks) {
		w.stays = true
	}
	waits := slices.ContainsFunc(r.pending, func(q *request) bool { return q.conn == w }) // for those before it
	if (isGreeting(commands) || w.server.sentinel) && !w.server.silent && !waits {
		w.local.Send(b)
		r.bores()
		return
	}
	if r.isOver() || w.process.dead {
		return
	}
	r.trail.touch(w.process.object(), true)
	q := newRequest(w, b, commands)
	w.requests++
	q.sent, q.arrived, q.number = r.now(), r.rounds, w.requests
	r.add(q)
	r.changed()
}

// bores counts what leads to nothing, a greeting or a connection that is refused: time does not pass for ever with
// it; r.mu is held.
func (r *run) bores() {
	if r.greeted++; r.greeted == boring {
		r.bored <- struct{}{}
	}
}

// add has a request on its way; r.mu is held.
func (r *run) add(q *request) {
	r.pending = append(r.pending, q)
	// Processes that do something at the same moment reach this in any order.
	slices.SortStableFunc(r.pending, compareRequests)
}

// isOnItsWay tells whether a connection has a request that is not performed yet.
func (r *run) isOnItsWay(w *wire) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.pending, func(q *request) bool { return q.conn == w })
}

func (r *run) changed() {
	select {
	case r.arrived <- struct{}{}:
	default:
	}
}

func (r *run) ended(p *Process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.done = true
	r.trail.touch(p.object(), true)
	r.changed()
}

func (r *run) allEnded() bool { return len(r.waiting()) == 0 }

// fail notes what breaks the run, if it is the first thing that does.
func (r *run) fail(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken == nil && !r.isOver() {
		r.broken = why
	}
	r.changed()
}

// waiting names the processes that have not ended.
func (r *run) waiting() (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.processes {
		if !p.done && (!p.dead || r.isOver()) {
			names = append(names, p.Name)
		}
	}
	return names
}

// leases notes the longest TTL that the last step has given, and which keys are there, in the database that invariants look at.
func (r *run) leases() {
	for _, s := range r.servers {
		for key := range s.changed.take() {
			left := s.ttl(key)
			s.had[key] = s.had[key] || left != gone
			r.seen.Lease = max(r.seen.Lease, left)
		}
	}
}

func cloned(all []footprint, i int) footprint {
	if i < len(all) {
		return maps.Clone(all[i])
	}
	return footprint{}
}
