package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
)

func asked(v *View, a Prediction) *lessons.Ask {
	if a.Beat < 0 || a.Beat >= len(v.Lesson.Story) || v.Lesson.Story[a.Beat].Ask == nil {
		return &lessons.Ask{}
	}
	return v.Lesson.Story[a.Beat].Ask
}

// predictionAsks heads a question, and says how many steps its answer makes, where it is more than one.
func predictionAsks(v *View, a Prediction) string {
	if n := len(v.Lesson.Story[a.Beat].Choices); n > 1 {
		return predictionAfter.in(v.Lang, n)
	}
	return predictionHead.in(v.Lang)
}

// predictedSteps says which steps a prediction was about, where they are several and have just been made.
func predictedSteps(v *View, a Prediction) string {
	to := 0
	for _, b := range v.Lesson.Story[:a.Beat+1] {
		to += len(b.Choices)
	}
	if n := len(v.Lesson.Story[a.Beat].Choices); n > 1 && to == v.Pos {
		return predictionSteps.in(v.Lang, to-n+1, to)
	}
	return ""
}

// answersOffered are the answers to choose from; nil: an answer is typed.
func answersOffered(v *View, a Prediction) []string { return v.Lesson.Options(asked(v, a)) }

// answerKey is the digit that gives an answer: what it says, and where no answer is a number, its place.
func answerKey(answers []string, i int) string {
	number := func(answer string) bool { _, err := strconv.Atoi(answer); return err == nil }
	switch answer := answers[i]; {
	case !slices.ContainsFunc(answers, number):
		return strconv.Itoa(i + 1)
	case len(answer) == 1 && number(answer):
		return answer
	}
	return ""
}

// answerClass has an answer in the letters of data where it is no word of the page's, and shows its key where that is its place.
func answerClass(v *View, a Prediction, i int) string {
	answers := answersOffered(v, a)
	key := answerKey(answers, i)
	return with(with("btn option", strings.Contains(answers[i], answerText(v, a, answers[i])), "data"), key != "" && key != answers[i], "nth")
}

type askedLease struct {
	Hue           string // of its owner
	Left          time.Duration
	Reach, Stride time.Duration // how far its end can be dragged, and in which steps
}

// leaseAsked is nil when a question asks for no time.
func leaseAsked(v *View, a Prediction) *askedLease {
	ask := asked(v, a)
	reach, stride := v.Lesson.Drag(ask)
	if reach == 0 {
		return nil
	}
	l := &askedLease{Hue: "hue-0", Reach: reach, Stride: stride}
	q := ask.Answer
	for i, n := range v.Snapshot().Nodes {
		k, there := n.Key(q.Key)
		if !there || n.Node != q.Node && (q.Node != "" || i > 0) {
			continue
		}
		if k.Deadline != engine.NoDeadline {
			l.Left = min(reach, (k.Deadline-v.Snapshot().Now)/stride*stride)
		}
		if owner := ownerOf(v, k); owner != "" {
			l.Hue = hue(v, owner)
		}
	}
	return l
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// ends are the times to which the end can be dragged, as people say them, for the client to show.
func (l askedLease) ends(lang lessons.Lang) string {
	var all []string
	for d := time.Duration(0); d <= l.Reach; d += l.Stride {
		all = append(all, span(lang, d))
	}
	return strings.Join(all, ",")
}

// expectedText is the engine's answer: of a reply, what the page says of it elsewhere, and of a
// database's error no more than its number.
func expectedText(v *View, a Prediction) string {
	s := v.Step()
	ask := asked(v, a)
	if i := slices.IndexFunc(ask.Offers, func(o string) bool { return v.Lesson.Right(ask, o, a.Expected) }); i >= 0 {
		return answerText(v, a, ask.Offers[i])
	}
	if ask.Answer.Kind != lessons.QueryReply || s == nil || s.Reply == nil || s.Reply.String() != a.Expected {
		return answerText(v, a, a.Expected)
	}
	if number, _, ok := strings.Cut(s.Reply.Str, " ("); ok && s.Reply.IsError() && strings.HasPrefix(number, "ERROR ") {
		return number
	}
	return replyTo(v.Lang, s)
}

// answerText is an answer as people say it.
func answerText(v *View, a Prediction, answer string) string {
	words := answerWords
	switch asked(v, a).Answer.Kind { //nolint:exhaustive // those whose answers have words of their own
	case lessons.QueryStatus:
		words = statusAnswerWords
	case lessons.QueryTTL:
		words = ttlAnswerWords
		if d, ok := spanAnswered(answer); ok {
			return span(v.Lang, d)
		}
	}
	if said, ok := words[answer]; ok {
		return said.in(v.Lang)
	}
	if row, ok := strings.CutPrefix(answer, "[{"); ok && strings.Count(answer, "{") == 1 { // as the page has it elsewhere
		return strings.TrimSuffix(row, "}]")
	}
	return answer
}

// spanAnswered is a time as the engine says it, or in milliseconds, as it was dragged.
func spanAnswered(answer string) (time.Duration, bool) {
	if ms, err := strconv.ParseInt(answer, 10, 64); err == nil {
		return time.Duration(ms) * time.Millisecond, ms >= 0
	}
	d, err := engine.ParseSpan(answer)
	return d, err == nil
}
