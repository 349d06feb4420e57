package engine

import (
	"regexp"
	"strings"
	"time"

	"lockstep/engine/fact"
)

// ChoiceKind is one of the things that may happen next.
type ChoiceKind string

// What may happen next.
const (
	Run    ChoiceKind = "run"    // an actor performs its pending request
	Tick   ChoiceKind = "tick"   // the clock moves
	Crash  ChoiceKind = "crash"  // a process dies with all its actors
	Pause  ChoiceKind = "pause"  // a process stands still, timers included
	Resume ChoiceKind = "resume" // a paused process goes on
	Drop   ChoiceKind = "drop"   // the oldest message that waits in a process is lost
)

// Choice is one decision of the scheduler.
type Choice struct {
	Kind   ChoiceKind
	Target string        // an actor (Run) or a process (faults)
	Span   time.Duration // of a Tick; 0 means to the next instant at which something is due
}

// Name is what actors, processes, nodes and tasks may be called, so that a
// schedule needs no escaping in a URL.
var Name = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// target is an actor or a spawned task of it.
var target = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*(:[A-Za-z][A-Za-z0-9_-]*)?$`)

// String is the choice as a lesson writes it: "run A", "tick", "tick 10s",
// "crash jvm-1".
func (c Choice) String() string {
	switch {
	case c.Kind.Of() != TheClock:
		return string(c.Kind) + " " + c.Target
	case c.Span == 0:
		return string(c.Kind)
	}
	return string(c.Kind) + " " + FormatSpan(c.Span)
}

// ParseChoice reads what String writes.
func ParseChoice(text string) (Choice, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	c := Choice{Kind: ChoiceKind(kind)}
	switch c.Kind.Of() {
	case TheClock:
		if rest == "" {
			return c, nil
		}
		span, err := ParseSpan(rest)
		if err != nil {
			return Choice{}, err
		}
		c.Span = span
		return c, nil
	case AnActor, AProcess:
		if !target.MatchString(rest) {
			return Choice{}, fact.Of("no-target", text)
		}
		c.Target = rest
		return c, nil
	}
	names := ChoiceNames()
	last := len(names) - 1
	return Choice{}, fact.Of("no-kind", text, strings.Join(names[:last], ", "), names[last])
}

// Option is a choice that a learner sees, with the reason when it may not happen now.
type Option struct {
	Choice Choice
	Reason fact.Fact // zero when the choice is enabled
}

// Enabled tells whether the choice may happen now.
func (o Option) Enabled() bool { return o.Reason.Code == "" }

// Reasons that others than people tell apart.
const (
	ReasonFailed  = "failed"  // its program broke off
	ReasonUnknown = "unknown" // the lesson has no such thing, or does not allow this fault
)
