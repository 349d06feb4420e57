package engine

import (
	"regexp"
	"strings"
	"time"

	"lockstep/engine/fact"
)

// Choice is one decision of the scheduler.
type Choice struct {
	Kind   ChoiceKind
	Target string        // an actor (Run), a process or a node; of a link, who sends
	Other  string        // of a link, who receives; else what the kind's row allows after the target
	Span   time.Duration // of a Tick, where 0 means to the next instant at which something is due; of a Clock, back when it is below 0
}

// Name is what actors, processes, nodes and tasks may be called, so that a
// schedule needs no escaping in a URL.
var Name = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// target is an actor or a spawned task of it.
var target = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*(:[A-Za-z][A-Za-z0-9_-]*)?$`)

// String is the choice as a lesson writes it: "run A", "tick", "tick 10s",
// "crash jvm-1", "cut jvm-1 n4", "clock n3 +10s", "replicate r all".
func (c Choice) String() string {
	words := []string{string(c.Kind)}
	for _, word := range []string{c.Target, c.Other, c.span()} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

func (c Choice) span() string {
	switch {
	case c.Span == 0:
		return ""
	case c.Kind.Of() != AClock:
		return FormatSpan(c.Span)
	}
	return formatOffset(c.Span)
}

// ParseChoice reads what String writes.
func ParseChoice(text string) (Choice, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	row := ChoiceKind(kind).Row()
	c := Choice{Kind: row.Kind}
	first, other, _ := strings.Cut(rest, " ")
	other = strings.TrimSpace(other)
	var err error
	switch row.Of {
	case TheClock:
		if rest != "" {
			c.Span, err = ParseSpan(rest)
		}
		return c, err
	case ALink:
		c.Target, c.Other = first, other
		if !Name.MatchString(first) || !Name.MatchString(other) {
			return Choice{}, fact.Of("no-link", text, kind)
		}
		return c, nil
	case AClock:
		c.Target = first
		if !Name.MatchString(first) {
			return Choice{}, fact.Of("no-clock", text, kind)
		}
		c.Span, err = parseOffset(other)
		return c, err
	case AnActor, AProcess, ANode, AMachine:
		c.Target = rest
		if row.May != "" && strings.Join(strings.Fields(other), " ") == row.May {
			c.Target, c.Other = first, row.May
		}
		if !target.MatchString(c.Target) {
			return Choice{}, fact.Of("no-target", text)
		}
		return c, nil
	}
	return Choice{}, fact.Of("no-kind", text, fact.OneOf(ChoiceNames()))
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
