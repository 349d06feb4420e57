package engine

import (
	"errors"
	"strings"
	"time"

	"lockstep/engine/fact"
)

// TimeBound is what a search assumes of how late things happen. Without any assumption
// every lease can be outlived; when everything happens at once, nobody meets anybody.
type TimeBound struct {
	Any  bool          // anything may be arbitrarily late
	Late time.Duration // whoever could act does so before so much time has passed; 0: at once
	Sync bool          // all clients begin at once; otherwise each may begin at any time
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
	d, err := ParseSpan(span)
	return TimeBound{Late: d}, err
}

// String is what ParseTimeBound reads.
func (t TimeBound) String() string {
	switch {
	case t.Any:
		return "any"
	case t.Late > 0:
		return "late=" + FormatSpan(t.Late)
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
		return fact.Of("time-late", FormatSpan(t.Late))
	case t.Sync:
		return fact.Of("time-prompt")
	}
	return fact.Of("time-arrive")
}

func (t TimeBound) valid() error {
	if t.Late < 0 || t.Late > MaxSpan || t.Late%time.Millisecond != 0 {
		return errors.New("how late something may be is a whole number of milliseconds")
	}
	return nil
}

// mayPass is how far the clock may move now; below 0 when nothing is in its way.
func (x *search) mayPass() time.Duration {
	room := time.Duration(-1)
	if x.bounds.Time.Any {
		return room
	}
	for i, t := range x.states.world.threads {
		if !x.ready(t) || !x.bounds.Time.Sync && x.arrives(t) {
			continue
		}
		left := x.bounds.Time.Late - x.late[i]
		if room < 0 || left < room {
			room = left
		}
	}
	return room
}

func (x *search) ready(t *thread) bool { return x.states.world.status(t) == Ready }

// arrives tells whether a client is where it began.
func (x *search) arrives(t *thread) bool {
	i := x.actorOf[Root(t.name)]
	return x.states.actors[i].at == x.began[i]
}

// ticks adds the moves of the clock that the assumption about time allows.
func (x *search) ticks(cs []uint16) []uint16 {
	w := x.states.world
	due, ok := w.nextDue()
	room, span := x.mayPass(), due-w.now
	if grid := x.bounds.Grid; grid > 0 && ok && grid < span && (room < 0 || grid <= room) {
		cs = append(cs, x.number(Choice{Kind: Tick, Span: grid}))
	}
	if ok && (room < 0 || span <= room) {
		cs = append(cs, theTick)
	}
	return cs
}

// noteReady and stepReady follow how long each thread has been ready.
func (x *search) noteReady() {
	if x.bounds.Time.Late == 0 {
		return
	}
	clear(x.wasReady)
	for i, t := range x.states.world.threads {
		if x.ready(t) && (x.bounds.Time.Sync || !x.arrives(t)) {
			x.wasReady[t] = x.late[i]
		}
	}
}

func (x *search) stepReady(step *Step) {
	w := x.states.world
	x.late = x.late[:0]
	for _, t := range w.threads {
		late, was := x.wasReady[t]
		if was && x.ready(t) && step.Choice.Target != t.name {
			late += step.At - step.From
		} else {
			late = 0
		}
		x.late = append(x.late, late)
	}
}
