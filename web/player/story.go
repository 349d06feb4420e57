package player

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// storySteps is a lesson's story, laid out over the steps that it makes.
type storySteps struct {
	choices []engine.Choice
	beats   []span // as many as the story has
	stops   []int  // the steps after which it has words or asks, and its last, in order
	crowds  []string
}

// span is the steps of one beat: those after start, up to end.
type span struct{ start, end int }

func storyStepsOf(l *lessons.Lesson) storySteps {
	p := storySteps{choices: l.Choices()}
	at := 0
	for _, b := range l.Story {
		p.beats = append(p.beats, span{at, at + len(b.Choices)})
		at += len(b.Choices)
	}
	for n := 1; n <= at; n++ {
		asks := false
		for i, b := range p.beats {
			asks = asks || b.start == n && l.Story[i].Ask != nil
		}
		if n == at || asks || slices.ContainsFunc(l.BeatsAt(n), l.HasWords) {
			p.stops = append(p.stops, n)
		}
	}
	for _, a := range l.Actors {
		if a.Count > 0 {
			p.crowds = append(p.crowds, a.Name)
		}
	}
	return p
}

// together is how many of the story's next choices are made as if they were one: the clients
// of a crowd act one after the other in a beat. 0 is at its end and off the story.
func (p storySteps) together(done []engine.Choice) int {
	next := p.next(done)
	if next == nil {
		return 0
	}
	at := len(done)
	beat := slices.IndexFunc(p.beats, func(b span) bool { return at < b.end })
	n := 1
	for slices.Contains(p.crowds, next.Target) && at+n < p.beats[beat].end && p.choices[at+n] == *next {
		n++
	}
	return n
}

// next is what the story does after the choices; nil at its end and off the story.
func (p storySteps) next(done []engine.Choice) *engine.Choice {
	if len(done) >= len(p.choices) || !prefix(p.choices, done) {
		return nil
	}
	return &p.choices[len(done)]
}

// next is what the story does after the choices; nil at its end, off the story, and while the
// learner tries a challenge.
func (s *Session) next(done []engine.Choice) *engine.Choice {
	if s.challenge.Trying {
		return nil
	}
	return s.storySteps.next(done)
}

func (s *Session) storyView() ui.Story {
	pos := s.now.pos
	left := forkedAt(s.now.choices, s.storySteps.choices)
	v := ui.Story{
		OnStory: pos <= left && !s.challenge.Trying,
		Total:   len(s.storySteps.choices),
		Stops:   s.storySteps.stops,
		Done:    left == len(s.storySteps.choices) && pos >= left,
		Next:    s.next(s.now.choices[:pos]),
	}
	if v.Next != nil {
		v.To = s.storySteps.readsOn(pos)
		if left == v.Total && s.searching.begins(s.now.choices[:pos]) { // told before, and looked for the break
			v.To = v.Total
		}
	}
	for _, a := range s.answers {
		if a.Given != "" {
			v.Asked++
		}
		if a.Right {
			v.Right++
		}
	}
	if !v.OnStory {
		v.Left = left + 1
		return v
	}
	v.Beats, v.Said = s.said(pos)
	if v.Earlier = v.Said < pos; v.Earlier {
		v.More = s.speaks(pos)
	}
	if beat, ok := s.storySteps.endingAt(pos); ok && s.lesson.Story[beat].Expect != nil {
		b := s.storySteps.beats[beat]
		v.Failed = s.lesson.Story[beat].Expect.Unmet(s.now.trace.At(b.start), s.now.trace.Steps[b.start:b.end])
	}
	return v
}

// said are the beats that speak about the world after n steps, and the step of which they do. Where none
// has words, they are the last that had.
func (s *Session) said(n int) (beats []int, at int) {
	for at := n; at >= 0; at-- {
		if beats = s.lesson.BeatsAt(at); slices.ContainsFunc(beats, s.lesson.HasWords) {
			return beats, at
		}
	}
	return nil, 0
}

// speaks is the first step after n of which the story has words; 0: there is none.
func (s *Session) speaks(n int) int {
	for at := n + 1; at <= len(s.storySteps.choices); at++ {
		if slices.ContainsFunc(s.lesson.BeatsAt(at), s.lesson.HasWords) {
			return at
		}
	}
	return 0
}

// readsOn is the first stop after n, or the last.
func (p storySteps) readsOn(n int) int {
	for _, stop := range p.stops {
		if stop > n {
			return stop
		}
	}
	return len(p.choices)
}

// readsBack is where one is told something before n, or the start.
func (s *Session) readsBack(n int) int {
	at := max(n-1, 0)
	for at > 0 && !s.tells(at) {
		at--
	}
	return at
}

// tells tells whether Continue, or an answer, leads to a step.
func (s *Session) tells(n int) bool {
	beat, ends := s.storySteps.endingAt(n)
	return ends && s.lesson.Story[beat].Ask != nil || slices.Contains(s.storySteps.stops, n) || len(s.now.trace.Steps[n-1].Broken) > 0
}

// endingAt is the beat whose last step is the nth.
func (p storySteps) endingAt(n int) (int, bool) {
	for i, b := range p.beats {
		if b.end == n && b.start < n {
			return i, true
		}
	}
	return 0, false
}

// question is the beat that asks for a prediction where the learner stands. The story asks about the original code.
func (s *Session) question() (int, bool) { return s.questionAt(s.now.pos) }

func (s *Session) questionAt(pos int) (int, bool) {
	differs := s.baseline != nil && s.now.agreed < pos
	if s.challenge.Trying || differs || !prefix(s.storySteps.choices, s.now.choices[:pos]) {
		return 0, false
	}
	for i, b := range s.storySteps.beats {
		if b.start == pos && s.lesson.Story[i].Ask != nil { // which only a beat with a move has
			return i, true
		}
	}
	return 0, false
}

func (s *Session) predictionView() *ui.Prediction {
	if s.lastGraded >= 0 {
		a := s.answers[s.lastGraded]
		return &a
	}
	asked, asks := s.question()
	before, answered := s.answers[asked]
	if asks && !answered {
		return &ui.Prediction{Beat: asked}
	}
	if beat, ok := s.storySteps.endingAt(s.now.pos); ok { // what came of an answer stays there
		if a, answered := s.answers[beat]; answered {
			return &a
		}
	}
	if asks {
		return &before
	}
	return nil
}

// maxAnswerBytes bounds what is kept of a prediction, in bytes.
const maxAnswerBytes = 200

// answer plays the beat that a prediction is about, and grades the prediction by
// what the engine then holds.
func (s *Session) answer(ctx context.Context, c Command) *Error {
	beat, ok := s.question()
	if !ok || beat != c.Beat {
		return s.refuse(CodeNoQuestion, fact.Of("no-question"))
	}
	given := strings.TrimSpace(c.Text) // empty: the learner wants to be shown
	if len(given) > maxAnswerBytes {
		return s.refuse(CodeBadMessage, fact.Of("long-answer", maxAnswerBytes))
	}
	b := s.storySteps.beats[beat]
	for s.now.pos < b.end {
		if err := s.act(ctx, s.storySteps.choices[s.now.pos]); err != nil {
			return err
		}
	}
	s.lastGraded = beat
	s.grade(beat, given)
	s.announceStep()
	return nil
}

// grade grades the answer about a beat that has been played. The first one counts.
func (s *Session) grade(beat int, given string) {
	if _, before := s.answers[beat]; before {
		return
	}
	ask, b := s.lesson.Story[beat].Ask, s.storySteps.beats[beat]
	expected := ask.Answer.Eval(s.now.trace.Steps[b.start:b.end])
	s.answers[beat] = ui.Prediction{Beat: beat, Given: given, Graded: true, Right: s.lesson.Right(ask, given, expected), Expected: expected}
}

// gradeAgain grades the answers that a browser has kept, of the beats that the timeline has as the story tells them.
func (s *Session) gradeAgain(kept []KeptAnswer) {
	for _, a := range kept {
		if a.Beat < 0 || a.Beat >= len(s.storySteps.beats) || len(a.Text) > maxAnswerBytes {
			continue
		}
		b := s.storySteps.beats[a.Beat]
		if b.end > s.now.len() || !prefix(s.now.choices, s.storySteps.choices[:b.end]) {
			continue
		}
		if asked, asks := s.questionAt(b.start); asks && asked == a.Beat {
			s.grade(a.Beat, strings.TrimSpace(a.Text))
		}
	}
}

// keptAnswers are the answers for a browser to keep.
func (s *Session) keptAnswers() []KeptAnswer {
	var kept []KeptAnswer
	for _, beat := range slices.Sorted(maps.Keys(s.answers)) {
		kept = append(kept, KeptAnswer{beat, s.answers[beat].Given})
	}
	return kept
}
