package search

import (
	"errors"
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

// ticks adds the moves of the clock that the assumption about time allows.
func (x *search) ticks(cs []uint16, ready []string) []uint16 {
	due, ok := x.states.world.NextDue()
	room, span := x.mayPass(ready), due-x.states.now
	if grid := x.bounds.Grid; grid > 0 && ok && grid < span && (room < 0 || grid <= room) {
		cs = append(cs, x.number(engine.Choice{Kind: engine.Tick, Span: grid}))
	}
	if ok && (room < 0 || span <= room) {
		cs = append(cs, theTick)
	}
	return cs
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
