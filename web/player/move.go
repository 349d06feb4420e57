package player

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/web/ui"
)

// step moves n steps: in the past along the timeline, beyond the present along
// the story. Where it is told, a step back leads to what was read before.
func (s *Session) step(ctx context.Context, c Command) *Error {
	if c.N == -1 && s.screen.told {
		return s.moveTo(ctx, s.readsBack(s.now.pos))
	}
	return s.moveTo(ctx, s.now.pos+clamp(c.N))
}

func (s *Session) seek(ctx context.Context, c Command) *Error {
	if c.Pos == nil {
		return s.refuse(CodeBadMessage, fact.Of("no-field", "pos"))
	}
	return s.moveTo(ctx, clamp(*c.Pos))
}

// clamp keeps sums of places from overflowing.
func clamp(n int) int { return min(max(n, -2*engine.MaxChoices), 2*engine.MaxChoices) }

// moveTo stands at a place, or as near to it as the timeline and the story go. Only
// going nowhere at all is an error.
func (s *Session) moveTo(ctx context.Context, pos int) *Error {
	was := s.now.pos
	s.now.pos = min(max(pos, 0), s.now.len())
	for s.now.pos < pos {
		if err := s.forward(ctx); err != nil {
			if err.Code == CodeNoNext && s.now.pos != was {
				break
			}
			return err
		}
	}
	s.announceStep()
	return nil
}

// forward makes one step along the timeline, or along the story at its end, where a crowd
// acts as one.
func (s *Session) forward(ctx context.Context) *Error {
	if s.now.pos < s.now.len() {
		s.now.pos++
		return nil
	}
	next := s.next(s.now.choices)
	if next == nil {
		return s.refuse(CodeNoNext, fact.Of("no-next"))
	}
	for range s.storySteps.together(s.now.choices) {
		if err := s.act(ctx, *next); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) canGoForward() bool {
	return s.now.pos < s.now.len() || s.next(s.now.choices) != nil
}

func (s *Session) choose(ctx context.Context, c Command) *Error {
	choice, err := engine.ParseChoice(c.Choice)
	if err == nil {
		err = s.offClock(choice)
	}
	if err != nil {
		return s.refuse(CodeBadChoice, fact.Of("cannot-do", err))
	}
	if err := s.act(ctx, s.asTheStory(ctx, choice)); err != nil {
		return err
	}
	s.announceStep()
	return nil
}

// asTheStory is a move of the clock in the form in which the story makes it, where both lead to the same instant: who moves
// it so stays on the story. Any other choice is as it is.
func (s *Session) asTheStory(ctx context.Context, c engine.Choice) engine.Choice {
	done := s.now.choices[:s.now.pos:s.now.pos]
	next := s.next(done)
	if next == nil || next.Kind != engine.Tick || c.Kind != engine.Tick || *next == c {
		return c
	}
	here, err := s.played(ctx, done, c)
	if err != nil {
		return c
	}
	there, err := s.played(ctx, done, *next)
	if err != nil || here.After.Now != there.After.Now {
		return c
	}
	return *next
}

// offClock says that a choice would put the clock between two of its instants.
func (s *Session) offClock(c engine.Choice) error {
	if r := s.lesson.Resolution; c.Kind == engine.Tick && r > 0 && c.Span%r != 0 {
		return engine.OffClock(c.Span, r)
	}
	return nil
}

// act makes a choice where the learner stands. In the past that forks the
// timeline, unless it is what happened next anyway.
func (s *Session) act(ctx context.Context, c engine.Choice) *Error {
	pos := s.now.pos
	if pos < s.now.len() && s.now.choices[pos] == c {
		s.now.pos++
		return nil
	}
	if pos >= engine.MaxChoices {
		return s.refuse(CodeTooLong, fact.Of("too-many-choices", engine.MaxChoices))
	}
	step, err := s.played(ctx, s.now.choices[:pos:pos], c)
	if err != nil {
		return err
	}
	if pos < s.now.len() {
		s.fork()
	}
	s.now.extend(c, step)
	s.now.trace = s.telling().share(s.now.trace, s.now.choices)
	return nil
}

// played is the step that a choice makes after those that are done. The runner makes it, unless it has been told to another.
func (s *Session) played(ctx context.Context, done []engine.Choice, c engine.Choice) (engine.Step, *Error) {
	if step, told := s.telling().next(done, c); told {
		return step, nil
	}
	g, err := s.runnerOn(ctx, s.kind)
	if err != nil {
		return engine.Step{}, s.failed(len(done)+1, err)
	}
	s.runner = g
	step, err := s.runner.apply(ctx, done, c)
	not, disabled := errors.AsType[*engine.NotEnabledError](err)
	switch {
	case disabled && not.Choice == c:
		return engine.Step{}, s.refuse(CodeNotEnabled, fact.Of("cannot-now", not))
	case err != nil:
		return engine.Step{}, s.failed(len(done)+1, err)
	}
	return step, nil
}

// fork leaves the future behind as a branch.
func (s *Session) fork() {
	left := s.now
	s.now = left.cut(left.pos)
	s.leave(left)
}

// startAfresh leaves the timeline as it stands, and goes to the start of an empty one.
func (s *Session) startAfresh() {
	left := s.now
	s.now = left.cut(0)
	if left.len() > 0 {
		s.leave(left)
	}
}

// forkHere makes a place in the past the present.
func (s *Session) forkHere(context.Context, Command) *Error {
	if s.now.pos < s.now.len() {
		s.fork()
	}
	return nil
}

func (s *Session) play(ctx context.Context, c Command) *Error {
	hz := cmp.Or(c.Hz, 1)
	if !(hz >= MinHz && hz <= MaxHz) {
		return s.refuse(CodeBadMessage, fact.Of("bad-speed", c.Hz, MinHz, MaxHz))
	}
	if !s.canGoForward() {
		return s.refuse(CodeNoNext, fact.Of("no-next"))
	}
	if c.Pos == nil {
		s.hz, s.until = hz, 0
		return nil
	}
	return s.playTo(ctx, *c.Pos, c.Hz)
}

// playTo makes one step at once and the others by themselves, hz a second. Without a speed, or
// asked again meanwhile, it makes all at once.
func (s *Session) playTo(ctx context.Context, to int, hz float64) *Error {
	atOnce := hz == 0 || s.until == to
	s.until = to
	for {
		if err := s.forward(ctx); err != nil {
			s.until = 0
			return err
		}
		if s.rests() {
			s.until = 0
			break
		}
		if !atOnce {
			s.hz = hz
			break
		}
	}
	s.announceStep()
	return nil
}

// rests tells whether there is something to look at before the next step: where it was to go, a question about
// what comes, a rule that the last step broke, or the end.
func (s *Session) rests() bool {
	pos := s.now.pos
	beat, asks := s.question()
	_, answered := s.answers[beat]
	leaves := pos < s.now.len() && !prefix(s.storySteps.choices, s.now.choices[:pos+1])
	return asks && !answered && !leaves || !s.canGoForward() || s.until > 0 && (pos >= s.until || len(s.now.trace.Steps[pos-1].Broken) > 0)
}

// reset begins again. What was there becomes a branch, so that nothing is lost.
func (s *Session) reset(context.Context, Command) *Error {
	s.startAfresh()
	s.answers = map[int]ui.Prediction{}
	s.challenge.Trying = false
	return nil
}

// backToStory drops what left the story. From a try and from what a search has found it leads to where the story was
// left for them: they begin at the start.
func (s *Session) backToStory(ctx context.Context, _ Command) *Error {
	afresh := s.challenge.Trying || s.searching.begins(s.now.choices)
	s.challenge.Left = s.challenge.Left || s.challenge.Trying
	s.challenge.Trying = false
	if told := s.toldBranch(); afresh && told != 0 {
		return s.swapBranch(ctx, Command{N: told})
	}
	left := forkedAt(s.now.choices, s.storySteps.choices)
	if left == s.now.len() {
		return nil
	}
	s.now.pos = min(s.now.pos, left)
	old := s.now
	s.now = old.cut(left)
	s.leave(old)
	s.announceStep()
	return nil
}

// toldBranch is the newest branch that has nothing but the story, and more of it than the present timeline; 0: none has.
func (s *Session) toldBranch() int {
	left := forkedAt(s.now.choices, s.storySteps.choices)
	for _, b := range slices.Backward(s.branches) {
		if b.len() > left && prefix(s.storySteps.choices, b.choices) && slices.Equal(b.edits, s.edits) {
			return b.id
		}
	}
	return 0
}
