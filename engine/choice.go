package engine

import (
	"fmt"
	"regexp"
	"strings"
	"time"
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
	if c.Kind == Tick {
		if c.Span == 0 {
			return "tick"
		}
		return "tick " + FormatSpan(c.Span)
	}
	return string(c.Kind) + " " + c.Target
}

// ParseChoice reads what String writes.
func ParseChoice(text string) (Choice, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	switch k := ChoiceKind(kind); k {
	case Tick:
		if rest == "" {
			return Choice{Kind: Tick}, nil
		}
		span, err := ParseSpan(rest)
		if err != nil {
			return Choice{}, err
		}
		return Choice{Kind: Tick, Span: span}, nil
	case Run, Crash, Pause, Resume, Drop:
		if !target.MatchString(rest) {
			return Choice{}, fmt.Errorf("%q needs the name of an actor or a process, as in \"run A\"", text)
		}
		return Choice{Kind: k, Target: rest}, nil
	}
	return Choice{}, fmt.Errorf("%q is no choice: write run, tick, crash, pause, resume or drop", text)
}

// Option is a choice that a learner sees, with the reason when it may not happen now.
type Option struct {
	Choice Choice
	Reason Reason // zero when the choice is enabled
}

// Enabled tells whether the choice may happen now.
func (o Option) Enabled() bool { return o.Reason.Code == "" }

// ReasonCode names why something may not happen now.
type ReasonCode string

// Why a choice is not enabled. What each carries is in brackets.
const (
	ReasonSleeping   ReasonCode = "sleeping"    // until [At]
	ReasonWaiting    ReasonCode = "waiting"     // for a message on [Name], until [At] or without bound
	ReasonPaused     ReasonCode = "paused"      // its process [Name] is paused
	ReasonCrashed    ReasonCode = "crashed"     // its process [Name] has crashed
	ReasonDone       ReasonCode = "done"        // its program has ended
	ReasonFailed     ReasonCode = "failed"      // its program broke off: [Name]
	ReasonNothingDue ReasonCode = "nothing-due" // no timer or deadline lies ahead
	ReasonNotPaused  ReasonCode = "not-paused"  // the process [Name] is not paused
	ReasonNoMessage  ReasonCode = "no-message"  // no message waits in the process [Name]
	ReasonUnknown    ReasonCode = "unknown"     // the lesson has no [Name], or does not allow this fault
)

// Reason says why a choice may not happen now.
type Reason struct {
	Code ReasonCode
	Name string
	At   Instant // NoDeadline when unbounded
}

// String is the reason in English, for terminals and errors.
func (r Reason) String() string {
	switch r.Code {
	case "":
		return ""
	case ReasonSleeping:
		return "sleeps until " + FormatSpan(r.At)
	case ReasonWaiting:
		if r.At == NoDeadline {
			return "waits for a message on " + r.Name
		}
		return "waits for a message on " + r.Name + " until " + FormatSpan(r.At)
	case ReasonPaused:
		return "process " + r.Name + " is paused"
	case ReasonCrashed:
		return "process " + r.Name + " has crashed"
	case ReasonDone:
		return "has finished"
	case ReasonFailed:
		return "has failed: " + r.Name
	case ReasonNothingDue:
		return "nothing is due"
	case ReasonNotPaused:
		return "process " + r.Name + " is not paused"
	case ReasonNoMessage:
		return "no message waits in process " + r.Name
	case ReasonUnknown:
		return "this lesson has no " + r.Name
	}
	return string(r.Code)
}
