package search

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// TimeBound is the assumption of a search about lateness. Without one every holder can outlive its
// lease, and no lock is safe. Without any lateness clients rarely meet, and few bugs show.
type TimeBound struct {
	Any  bool          // a ready thread may be late by any time; Late and Sync do not count
	Late time.Duration // a ready thread runs before more time than this has passed
	Sync bool          // clients begin at once; otherwise a client may stay at the beginning of its program for any time
}

// far is longer than what anybody compares with what a clock shows: a number may be a span in a way that Bounds.Spans do not see.
const far = 1000 * 24 * time.Hour

// Assumptions with a name.
var (
	Prompt  = TimeBound{Sync: true}
	Arrive  = TimeBound{}
	AnyLate = TimeBound{Any: true}
)

// ParseTimeBound reads prompt, arrive, any, or late=2s.
func ParseTimeBound(text string) (TimeBound, error) {
	switch text {
	case "prompt":
		return Prompt, nil
	case "arrive":
		return Arrive, nil
	case "any":
		return AnyLate, nil
	}
	span, isLate := strings.CutPrefix(text, "late=")
	if !isLate {
		return TimeBound{}, fact.Of("no-time-bound", text)
	}
	d, err := engine.ParseSpan(span)
	return TimeBound{Late: d}, err
}

// String is the bound in the form that ParseTimeBound reads.
func (t TimeBound) String() string {
	switch {
	case t.Any:
		return "any"
	case t.Late > 0:
		return "late=" + engine.FormatSpan(t.Late)
	case t.Sync:
		return "prompt"
	}
	return "arrive"
}

// Fact is the assumption as a sentence.
func (t TimeBound) Fact() fact.Fact {
	switch {
	case t.Any:
		return fact.Of("time-any")
	case t.Late > 0:
		return fact.Of("time-late", engine.Span(t.Late))
	case t.Sync:
		return fact.Of("time-prompt")
	}
	return fact.Of("time-arrive")
}

// Assumed are the assumptions of a search, as sentences, with what they mean for its verdict; nil: there is none yet.
func (t TimeBound) Assumed(v *Verdict) []fact.Fact {
	all := []fact.Fact{t.Fact(), fact.Of("time-code")}
	if v != nil && v.Spins != "" {
		all = append(all, fact.Of("time-spins", v.Spins))
	}
	if v != nil && v.Bare != "" {
		all = append(all, fact.Of("time-bare", v.Bare))
	}
	return all
}

func (t TimeBound) valid() error {
	if t.Late < 0 || t.Late > engine.MaxSpan || t.Late%time.Millisecond != 0 {
		return errors.New("how late something may be is a whole number of milliseconds")
	}
	return nil
}

// mayPass bounds the next move of the clock while certain threads are ready; below 0: no bound.
func (x *search) mayPass(ready []string) time.Duration {
	room := time.Duration(-1)
	if x.bounds.Time.Any {
		return room
	}
	for i, name := range ready {
		if x.takesItsTime(name) {
			continue
		}
		left := x.bounds.Time.Late
		if left > 0 {
			left -= x.late[i]
		}
		if room < 0 || left < room {
			room = left
		}
	}
	return room
}

// takesItsTime tells whether a thread's lateness has no bound: its client is at the beginning of its
// program, and clients need not begin at once. Who has sent its first request has begun, with all its tasks; of a crowd,
// the next one may begin later if nobody who has begun goes on.
func (x *search) takesItsTime(thread string) bool {
	i := x.actorOf[engine.Root(thread)]
	return !x.bounds.Time.Sync && x.states.actors[i].begins() && !x.states.world.HasSent(i)
}

// ticks appends the moves of the clock within the assumption about time: to the next due instant, to where
// a stopped timer or deadline would be due, by the grid, to just before the due instant, by as much as
// somebody may be late, and idle moves.
func (x *search) ticks(cs []uint32, ready []string) []uint32 {
	room := x.mayPass(ready)
	next, due := x.nextDue()
	if due && (room < 0 || next <= room) {
		cs = append(cs, theTick)
	}
	x.stops = x.freeMoves(x.stops[:0], next, due, room)
	if room != 0 {
		x.stops = x.idleMoves(x.stops, next, due, room)
	}
	slices.Sort(x.stops)
	for _, by := range slices.Compact(x.stops) {
		if 0 < by && by < next && (room < 0 || by <= room) {
			cs = append(cs, x.tickBy(by))
		}
	}
	return cs
}

// nextDue is how long it takes until something is due; due is false when nothing is.
func (x *search) nextDue() (next time.Duration, due bool) {
	at, due := x.states.world.NextDue()
	if !due {
		return engine.MaxSpan + 1, false
	}
	next = at - x.states.now
	x.met(next)
	return next, true
}

// met notes a span after which something is due.
func (x *search) met(span time.Duration) {
	unit := x.verdict.Unit
	for ; span > 0; unit, span = span, unit%span {
	}
	x.verdict.Unit = unit
}

// freeMoves appends moves of the clock that no budget pays for, some of which go too far.
func (x *search) freeMoves(spans []time.Duration, next time.Duration, due bool, room time.Duration) []time.Duration {
	spans = x.dormant(spans)
	if x.bounds.Grid > 0 && (due || len(spans) > 0) {
		spans = append(spans, x.bounds.Grid)
	}
	if x.bounds.Before && due {
		spans = append(spans, x.floor(next-1))
	}
	if room > 0 && due && (len(x.states.clocks) == 0 || x.bounds.Idle > 1) { // else these would be too many states
		spans = append(spans, x.floor(room))
	}
	return spans
}

func (x *search) tickBy(span time.Duration) uint32 {
	return x.number(engine.Choice{Kind: engine.Tick, Span: span})
}

// idleMoves appends moves to instants at which nothing is due. Only a program that reads its clock or how long something
// still lasts could tell, within the budget of idle moves, or a rule about idle time.
func (x *search) idleMoves(spans []time.Duration, next time.Duration, due bool, room time.Duration) []time.Duration {
	b := &x.bounds
	add := func(by time.Duration) {
		if room > 0 {
			by = min(by, x.floor(room))
		}
		spans = append(spans, by)
	}
	switch {
	case x.left.idle > 0 && b.Grid > 0:
		if !due {
			add(b.Grid)
		}
	case x.left.idle > 0:
		longest := time.Duration(0)
		for _, span := range b.Spans {
			if by := x.longer(span); by < next {
				longest = by
				if b.Idle > 1 {
					add(by)
				}
				if b.Idle > 1 && b.Turns {
					turn := span - (time.Duration(engine.Epoch)*time.Millisecond+x.states.now)%span
					add(x.floor(turn - 1))
					for _, before := range b.Spans {
						add(x.floor(turn - before))
					}
				}
				if b.comparesRests() && due {
					add(x.floor(next - span))
					add(x.longer(next - span))
				}
			}
		}
		if due {
			add(longest)
		} else {
			add(x.floor(b.Beyond))
			add(x.floor(far))
		}
	case !due && x.local.idle && x.states.wants:
		add(x.states.world.Resolution())
	}
	return spans
}

// floor rounds a span down to the resolution of the clock.
func (x *search) floor(span time.Duration) time.Duration {
	return span / x.states.world.Resolution() * x.states.world.Resolution()
}

// longer is the shortest span above another one in the resolution of the clock.
func (x *search) longer(span time.Duration) time.Duration {
	return x.floor(span) + x.states.world.Resolution()
}

// dormant appends the spans after which stopped timers and deadlines would be over, rounded up to the
// resolution of the clock.
func (x *search) dormant(spans []time.Duration) []time.Duration {
	spans = x.states.world.Dormant(spans)
	for i, span := range spans {
		spans[i] = x.longer(span - 1)
	}
	return spans
}

// comparesRests tells whether the clock also stops where no more than a span is left until something is due.
func (b *Bounds) comparesRests() bool { return b.Before && b.Idle > 1 }

// shortOfBeyond tells whether the budget of idle moves ends before the clock has moved by Beyond.
func (b *Bounds) shortOfBeyond() bool { return b.Grid > 0 && b.Beyond/b.Grid > math.MaxUint8 }

// idle is the budget of idle moves: at most 255, because a budget keeps it in a byte.
func (b *Bounds) idle() uint8 {
	switch {
	case b.Beyond == 0:
		return 0
	case b.Grid == 0:
		return uint8(min(math.MaxUint8, max(1, b.Idle)))
	}
	return uint8(min(math.MaxUint8, b.Beyond/b.Grid))
}

// isIdle tells whether a choice is an idle move that the budget pays for.
func (x *search) isIdle(c engine.Choice) bool {
	if c.Kind != engine.Tick || c.Span == 0 || x.left.idle == 0 {
		return false
	}
	next, due := x.nextDue()
	if x.bounds.Grid > 0 {
		return !due
	}
	return !slices.Contains(x.freeMoves(nil, next, due, x.mayPass(x.readyNow())), c.Span)
}

// isVain tells whether a choice is an idle move that the budget does not pay for. Such moves are made for rules about idle
// time, and lead to no new state: where states have a clock, they would lead on for ever.
func (x *search) isVain(c engine.Choice) bool {
	if c.Kind != engine.Tick || c.Span == 0 || x.left.idle > 0 {
		return false
	}
	next, due := x.nextDue()
	return !due && !slices.Contains(x.freeMoves(nil, next, due, x.mayPass(x.readyNow())), c.Span)
}

// Stops is where the clock has stopped in a search, as a sentence.
func (v *Verdict) Stops() fact.Fact {
	switch {
	case v.Grid > 0 && v.Idle > 0:
		return fact.Of("clock-grid-idle", engine.Span(v.Grid), engine.Span(time.Duration(v.Idle)*v.Grid))
	case v.Grid > 0:
		return fact.Of("clock-grid", engine.Span(v.Grid))
	case v.Idle > 0:
		return fact.Of("clock-idle", v.Idle)
	}
	return fact.Of("clock-due")
}

// noteReady keeps the lateness of each ready thread before a step, if it is bounded.
func (x *search) noteReady() {
	if x.bounds.Time.Late == 0 {
		return
	}
	clear(x.lateBefore)
	for i, name := range x.readyNow() {
		if !x.takesItsTime(name) {
			x.lateBefore[name] = x.late[i]
		}
	}
}

// stepReady computes the lateness of each ready thread after a step. It is 0 for threads that the step has
// run or started.
func (x *search) stepReady(step *engine.Step) {
	x.late = x.late[:0]
	if x.bounds.Time.Late == 0 {
		return
	}
	for _, n := range step.Notes {
		if n.Kind == engine.NoteSpawn {
			delete(x.lateBefore, engine.Root(n.Actor)+":"+n.Text)
		}
	}
	for _, name := range x.readyNow() {
		late, ready := x.lateBefore[name]
		if ready && step.Choice.Target != name {
			late += step.At - step.From
		} else {
			late = 0
		}
		x.late = append(x.late, late)
	}
}
