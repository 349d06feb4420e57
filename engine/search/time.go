package search

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// TimeBound is the assumption of a search about how late things happen. Without one every lease
// can be outlived; if everything happened at once, nobody would meet anybody.
type TimeBound struct {
	Any  bool          // a thread that may run can be as late as it likes; then the rest says nothing
	Late time.Duration // it runs before more time than that has passed
	Sync bool          // clients begin at once; otherwise each may begin at any time, and again when it is where it began
}

// The assumptions that have a name.
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
		return TimeBound{}, fact.Text("there is no assumption about time " + text + ": write prompt, arrive, late=2s or any")
	}
	d, err := engine.ParseSpan(span)
	return TimeBound{Late: d}, err
}

// String is what ParseTimeBound reads.
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
		return fact.Of("time-late", engine.FormatSpan(t.Late))
	case t.Sync:
		return fact.Of("time-prompt")
	}
	return fact.Of("time-arrive")
}

// InProgram is the part of every assumption that is about code without requests, as a sentence.
func InProgram() fact.Fact { return fact.Of("time-code") }

func (t TimeBound) valid() error {
	if t.Late < 0 || t.Late > engine.MaxSpan || t.Late%time.Millisecond != 0 {
		return errors.New("how late something may be is a whole number of milliseconds")
	}
	return nil
}

// mayPass is how far the clock may move now, with certain threads ready; below 0: any distance.
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

// takesItsTime tells whether a thread may be ready for as long as it likes: its client is where
// it began, and clients need not all begin at once.
func (x *search) takesItsTime(thread string) bool {
	i := x.actorOf[engine.Root(thread)]
	return !x.bounds.Time.Sync && x.states.actors[i].at == x.began[i]
}

// ticks adds the moves of the clock that the assumption about time allows: to where something is due, or
// would be if it did not stand still, by the grid, and where nobody but a program or a rule could tell.
func (x *search) ticks(cs []uint16, ready []string) []uint16 {
	w := x.states.world
	room := x.mayPass(ready)
	due, ok := w.NextDue()
	next := engine.MaxSpan + 1
	if ok {
		next = due - x.states.now
	}
	if ok && (room < 0 || next <= room) {
		cs = append(cs, theTick)
	}
	x.stops = x.dormant(x.stops[:0])
	if x.bounds.Grid > 0 && (ok || len(x.stops) > 0) {
		x.stops = append(x.stops, x.bounds.Grid)
	}
	if x.bounds.Before && ok {
		x.stops = append(x.stops, x.floor(next-1))
	}
	if by := x.idleMove(next, ok); by > 0 && room != 0 {
		if room > 0 {
			by = min(by, x.floor(room))
		}
		x.stops = append(x.stops, by)
	}
	slices.Sort(x.stops)
	for _, by := range slices.Compact(x.stops) {
		if 0 < by && by < next && (room < 0 || by <= room) {
			cs = append(cs, x.tickBy(by))
		}
	}
	return cs
}

func (x *search) tickBy(span time.Duration) uint16 {
	return x.number(engine.Choice{Kind: engine.Tick, Span: span})
}

// idleMove is how far the clock moves to where nothing is due, because somebody could tell; 0: nobody could,
// or it has moved as often as it may.
func (x *search) idleMove(next time.Duration, due bool) time.Duration {
	b := &x.bounds
	switch {
	case x.left.idle == 0, due && b.Grid > 0:
	case b.Grid > 0:
		return b.Grid
	case !due:
		return x.floor(b.Beyond)
	default:
		i, _ := slices.BinarySearchFunc(b.Spans, next, func(span, next time.Duration) int { return cmp.Compare(x.longer(span), next) })
		if i > 0 {
			return x.longer(b.Spans[i-1])
		}
	}
	if !due && x.local.idle && x.states.wants {
		return x.states.world.Resolution()
	}
	return 0
}

// floor is the longest span in which the clock can move that is no longer than another one.
func (x *search) floor(span time.Duration) time.Duration {
	return span / x.states.world.Resolution() * x.states.world.Resolution()
}

// longer is the shortest span in which the clock can move that is longer than another one.
func (x *search) longer(span time.Duration) time.Duration {
	return x.floor(span) + x.states.world.Resolution()
}

// dormant are the spans after which things that stand still would be over.
func (x *search) dormant(spans []time.Duration) []time.Duration {
	spans = x.states.world.Dormant(spans)
	for i, span := range spans {
		spans[i] = x.longer(span - 1)
	}
	return spans
}

// idleMoves is how often the clock may move to where nothing is due.
func (b *Bounds) idleMoves() uint8 {
	switch {
	case b.Beyond == 0:
		return 0
	case b.Grid == 0:
		return 1
	}
	return uint8(min(255, b.Beyond/b.Grid))
}

// isIdle tells whether a move of the clock is one of those that may happen only so often.
func (x *search) isIdle(c engine.Choice) bool {
	if c.Kind != engine.Tick || c.Span == 0 || x.left.idle == 0 {
		return false
	}
	if x.bounds.Grid > 0 {
		_, due := x.states.world.NextDue()
		return !due
	}
	return !slices.Contains(x.dormant(nil), c.Span)
}

// noteReady keeps, before a step, how long each thread has been ready whose lateness is bounded.
func (x *search) noteReady() {
	if x.bounds.Time.Late == 0 {
		return
	}
	clear(x.wasReady)
	for i, name := range x.readyNow() {
		if !x.takesItsTime(name) {
			x.wasReady[name] = x.late[i]
		}
	}
}

// stepReady finds out, after a step, how long each thread has been ready: a thread that the step
// has run or made has just become so.
func (x *search) stepReady(step *engine.Step) {
	x.late = x.late[:0]
	if x.bounds.Time.Late == 0 {
		return
	}
	for _, n := range step.Notes {
		if n.Kind == engine.NoteSpawn {
			delete(x.wasReady, engine.Root(n.Actor)+":"+n.Text)
		}
	}
	for _, name := range x.readyNow() {
		late, was := x.wasReady[name]
		if was && step.Choice.Target != name {
			late += step.At - step.From
		} else {
			late = 0
		}
		x.late = append(x.late, late)
	}
}
