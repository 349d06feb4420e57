package lessons

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
)

// word is a number, a span or a name.
var word = regexp.MustCompile(`[\w.]+`)

// What a number without a unit may be: at most so many milliseconds, or so many seconds.
const (
	mostMilliseconds = 24 * 60 * 60 * 1000
	mostSeconds      = 60 * 60
)

// spans are the lengths of time that programs, scripts and rules of the lesson name, in ascending order: what
// somebody may compare with what a clock shows. A number alone is so many milliseconds, and so many seconds too.
func (l *Lesson) spans() []time.Duration {
	texts := []string{l.Client.Source}
	for _, a := range l.Actors {
		texts = append(texts, a.Program)
	}
	for _, s := range l.Scripts {
		texts = append(texts, s.Source)
	}
	for _, r := range l.Rules {
		texts = append(texts, r.Lua)
	}
	var all []time.Duration
	for _, text := range texts {
		for _, w := range word.FindAllString(text, -1) {
			if span, err := engine.ParseSpan(w); err == nil {
				all = append(all, span)
				continue
			}
			n, err := strconv.Atoi(w)
			if err == nil && 0 < n && n <= mostMilliseconds {
				all = append(all, time.Duration(n)*time.Millisecond)
			}
			if err == nil && 0 < n && n <= mostSeconds {
				all = append(all, time.Duration(n)*time.Second)
			}
		}
	}
	for _, g := range l.Given {
		if at := g.Key.Deadline; g.Statement == "" && at > 0 {
			all = append(all, at)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// looksAtTTL tells whether a rule or a program may compare how long a key still lasts: it names a TTL, or may make the
// name of a function.
func (l *Lesson) looksAtTTL() bool {
	asks := func(lua string) bool {
		return strings.Contains(strings.ToLower(lua), "ttl") || strings.Contains(lua, "_G")
	}
	return slices.ContainsFunc(l.Rules, func(r Rule) bool { return asks(r.Lua) }) ||
		slices.ContainsFunc(l.Actors, func(a Actor) bool { return asks(a.Program) })
}
