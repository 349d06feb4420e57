package engine

import (
	"math"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/fact"
)

// Instant is virtual time since the scenario began.
type Instant = time.Duration

// MaxSpan bounds one move of the clock.
const MaxSpan = 100 * 365 * 24 * time.Hour

// LastInstant is the last that the clock reaches: a timer that begins then still
// ends at an instant.
const LastInstant Instant = math.MaxInt64 - MaxSpan

// At is an instant that a fact tells of.
type At Instant

// String is the instant as traces have it.
func (a At) String() string { return FormatSpan(Instant(a)) }

// Span is an argument of facts: how long, which a page words as its other spans.
type Span time.Duration

func (s Span) String() string { return FormatSpan(time.Duration(s)) }

// FormatSpan writes a span the way lessons do: 30s, 1500ms, and from an hour on 2h
// or 1h46m40s. ParseSpan reads it.
func FormatSpan(d time.Duration) string {
	if d >= time.Hour {
		text := strconv.FormatInt(int64(d/time.Hour), 10) + "h"
		if minutes := d % time.Hour / time.Minute; minutes > 0 {
			text += strconv.FormatInt(int64(minutes), 10) + "m"
		}
		if rest := d % time.Minute; rest > 0 {
			text += FormatSpan(rest)
		}
		return text
	}
	switch {
	case d%time.Second == 0:
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	case d%time.Millisecond == 0:
		return strconv.FormatInt(int64(d/time.Millisecond), 10) + "ms"
	}
	return d.String()
}

// ParseSpan reads a span such as 30s, 1500ms or 2h: positive, at most MaxSpan,
// and a whole number of milliseconds.
func ParseSpan(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fact.Of("no-span", text)
	case d <= 0:
		return 0, fact.Of("span-not-positive", text)
	case d > MaxSpan:
		return 0, fact.Of("span-too-long", text, FormatSpan(MaxSpan))
	case d%time.Millisecond != 0:
		return 0, fact.Of("span-too-fine", text)
	}
	return d, nil
}

// formatOffset writes how far a clock is ahead, +10s, or behind, -2s.
func formatOffset(d time.Duration) string {
	if d < 0 {
		return "-" + FormatSpan(-d)
	}
	return "+" + FormatSpan(d)
}

// parseOffset reads what formatOffset writes; the + may be missing, as in addresses.
func parseOffset(text string) (time.Duration, error) {
	span, back := strings.CutPrefix(text, "-")
	d, err := ParseSpan(strings.TrimPrefix(span, "+"))
	if back {
		d = -d
	}
	return d, err
}

// OffClock tells of a span that is not a multiple of a clock's resolution.
func OffClock(span, resolution time.Duration) fact.Fact {
	return fact.Of("off-clock", FormatSpan(resolution), FormatSpan(span))
}
