package lessons

import (
	"slices"
	"strings"
	"time"

	"lockstep/engine"
)

// Ask is a prediction that the learner may make before the beat; the engine
// grades it.
type Ask struct {
	Question Text
	Answer   Query
	Offers   []string // the answers to choose from, as the lesson has them; empty: see Options
	Accept   []string // other forms of the right answer
	Place    Place    // of the answer
}

// Right tells whether what was given means the engine's answer. Of two that are offered no two mean the same.
func (l *Lesson) Right(a *Ask, given, expected string) bool {
	options := l.Options(a)
	if slices.Contains(options, given) && slices.Contains(options, expected) {
		return given == expected
	}
	return sameAnswer(given, expected) || slices.ContainsFunc(a.Accept, func(form string) bool { return sameAnswer(given, form) })
}

// statuses are what an actor may be, to choose from, where the question names none of them.
var statuses = []engine.Status{engine.Ready, engine.Blocked, engine.Waiting, engine.Sleeping, engine.Finished}

// Options are the answers to choose from, in the words of Query.Eval; none: the answer is typed. They follow
// from the lesson's text alone, never from what the engine answers, so that they cannot give it away.
func (l *Lesson) Options(a *Ask) []string {
	if len(a.Offers) > 0 {
		return a.Offers
	}
	switch a.Answer.Kind { //nolint:exhaustive // of the others, a lesson says what may be expected
	case QueryExists, QuerySIsMember:
		return []string{"yes", "no"}
	case QueryTTL:
		return []string{"none", "nil"} // beside the times, which are dragged
	case QueryHolder:
		return l.holders()
	case QueryStatus:
		return a.statuses()
	}
	return nil
}

// holders are each actor that is no crowd, both when they are two, and nobody.
func (l *Lesson) holders() []string {
	var names []string
	for _, actor := range l.Actors {
		if actor.Count == 0 {
			names = append(names, actor.Name)
		}
	}
	if len(names) == 2 {
		names = append(names, names[0]+", "+names[1])
	}
	return append(names, "nobody")
}

// statuses are those that the question names, or all.
func (a *Ask) statuses() []string {
	var named, all []string
	for _, s := range statuses {
		all = append(all, string(s))
		if strings.Contains(a.Question.En, string(s)) {
			named = append(named, string(s))
		}
	}
	if len(named) > 1 {
		return named
	}
	return all
}

// Lengths of time to which the end of a lease can be dragged, and the steps in which it moves.
var (
	reaches = []time.Duration{
		time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute, 90 * time.Second,
		2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour,
	}
	strides = []time.Duration{time.Hour, 10 * time.Minute, time.Minute, 10 * time.Second, 5 * time.Second, time.Second, 100 * time.Millisecond, 10 * time.Millisecond}
)

// Drag is how far the end of a lease can be dragged that a question is about, and in which steps: beyond all
// leases of the story. 0: the question is about no time, or its answers are given.
func (l *Lesson) Drag(a *Ask) (reach, stride time.Duration) {
	if a.Answer.Kind != QueryTTL || len(a.Offers) > 0 {
		return 0, 0
	}
	const room, fewest = 5, 20 // a fifth beyond the longest; steps
	longest := l.longestLease()
	reach = reaches[len(reaches)-1]
	for _, r := range slices.Backward(reaches) {
		if r >= longest+longest/room {
			reach = r
		}
	}
	for _, stride = range strides {
		if reach/stride >= fewest {
			break
		}
	}
	return reach, stride
}

// longestLease is the longest time to live that the story expects of a key, or else that the lesson names.
func (l *Lesson) longestLease() (longest time.Duration) {
	for _, b := range l.Story {
		if b.Expect == nil {
			continue
		}
		for _, e := range b.Expect.Parts {
			if e.TTL != nil && *e.TTL != engine.NoDeadline {
				longest = max(longest, *e.TTL)
			}
		}
	}
	if spans := l.spans(); longest == 0 && len(spans) > 0 {
		return spans[len(spans)-1]
	}
	return longest
}

// dragsTo tells whether the end of a lease can be dragged to an answer.
func (l *Lesson) dragsTo(a *Ask, answer string) bool {
	reach, stride := l.Drag(a)
	at, err := engine.ParseSpan(answer)
	return err == nil && stride > 0 && at <= reach && at%stride == 0
}
