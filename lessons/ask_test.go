package lessons_test

import (
	"slices"
	"testing"
	"time"

	"lockstep/lessons"
)

// Every question can be answered by a tap or by dragging: the right answer is among those that are offered,
// others are, and who always takes the answer at one place is seldom right. That the right one is there, Check
// says of any lesson.
func TestQuestionsOfferTheRightAnswerAmongOthers(t *testing.T) {
	asks, places := 0, map[int]int{}
	for _, l := range builtIn(t) {
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, b := range l.Story {
			steps := r.Trace.Steps[at : at+len(b.Choices)]
			at += len(b.Choices)
			if b.Ask == nil {
				continue
			}
			options, answer := l.Options(b.Ask), b.Ask.Answer.Eval(steps)
			right := slices.IndexFunc(options, func(o string) bool { return l.Right(b.Ask, o, answer) })
			reach, stride := l.Drag(b.Ask)
			switch {
			case reach > 0 && right < 0:
				if span, err := time.ParseDuration(answer); err != nil || span <= 0 || span >= reach || span%stride != 0 {
					t.Errorf("%s: %s: the end of the lease is dragged as far as %s by %s, and not to %s", l.Name, b.Ask.Question.En, reach, stride, answer)
				}
				continue
			case right < 0 || len(options) < 2:
				t.Errorf("%s: %s: it offers %q, and the answer is %s", l.Name, b.Ask.Question.En, options, answer)
			}
			asks++
			places[right]++
			places[right-len(options)]++ // from the end
		}
	}
	for place, n := range places {
		if n*3 > asks*2 {
			t.Errorf("of %d questions, %d have the right answer at place %d", asks, n, place)
		}
	}
}

// What answers a question for a reply is the reply to the last of the beat's moves, whichever one its text is about. So the beat
// expects that reply, where who reads the lesson sees which one it is.
func TestAReplyThatIsAskedForIsExpected(t *testing.T) {
	for _, l := range builtIn(t) {
		for _, b := range l.Story {
			if b.Ask == nil || b.Ask.Answer.Kind != lessons.QueryReply {
				continue
			}
			if b.Expect == nil || !slices.ContainsFunc(b.Expect.Parts, func(e lessons.Expected) bool { return e.Key == "reply" || e.Key == "error" }) {
				t.Errorf("%s: %s: the beat expects no reply", l.Name, b.Ask.Question.En)
			}
		}
	}
}
