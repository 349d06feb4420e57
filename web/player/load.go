package player

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Load opens a lesson at a place. An unknown lesson is the only error that
// leaves the session as it was; all else that is wrong with a place becomes a
// notice, and the lesson opens as near to it as can be.
func (s *Session) Load(ctx context.Context, p Place) error {
	defer s.updateMemory()
	if err := s.load(ctx, p); err != nil {
		return err
	}
	s.followShown(ctx)
	return nil
}

func (s *Session) load(ctx context.Context, p Place) *Error {
	if p.Lang == lessons.En || p.Lang == lessons.Zh {
		s.lang = p.Lang
	}
	edition := s.Catalog.Now()
	listed, err := s.find(edition, p.Lesson)
	switch {
	case errors.Is(err, errNotThere):
		return s.refuse(CodeNoLesson, fact.Of("no-lesson", clip(p.Lesson)))
	case err != nil:
		return s.refuse(CodeNoStart, fact.Of("cannot-start", err))
	}
	original := listed
	if len(p.Files) > 0 && s.Author != nil {
		l, _, _ := s.Author.read(s.lang, listed, p.Folder, p.Files)
		if l != nil { // the author learns of mistakes when the page sends the files
			original = l
		}
		s.authored = true
	}
	s.callOff()
	s.edition, s.listed, s.written = edition, listed, nil
	s.dropRunner()
	return s.open(ctx, original, p)
}

// open plays a lesson up to a place.
func (s *Session) open(ctx context.Context, original *lessons.Lesson, p Place) *Error {
	s.original, s.lesson = original, nil
	s.storySteps = storyStepsOf(s.original)
	edits, offered, badEdits := s.readEdits(p.Edits)
	s.applyEdits(edits)
	s.offer(offered)
	s.baseline = nil
	s.endComparison()
	s.now, s.branches, s.unplayed, s.line, s.thread = timeline{}, nil, nil, 0, ""
	s.searching = nil
	s.follower = nil
	s.answers, s.lastGraded = map[int]ui.Prediction{}, -1
	s.notice, s.hz, s.until, s.announcement = nil, 0, 0, ""
	s.screen.reset()
	s.screen.told = p.Told

	var choices []engine.Choice
	schedule, parseErr := s.readSchedule(p.Schedule)
	if parseErr == nil {
		choices = schedule.Choices
	}
	s.challenge, s.brought = s.progressIn(p.Challenge, choices), choices
	if err := s.begin(ctx, p.Engine, choices); err != nil {
		s.lesson = nil
		return err
	}
	s.now.pos = s.now.len()
	if p.Pos != nil {
		s.now.pos = min(max(*p.Pos, 0), s.now.len())
	}
	s.compareWithBaseline(ctx)
	s.gradeAgain(p.Answers)
	lost := s.restore(ctx, p.Branches)
	var badBeside error
	if p.Beside != "" {
		badBeside = s.openBeside(ctx, p)
	}
	switch {
	case parseErr != nil:
		s.warn(ui.NoticeError, 0, fact.Of("bad-link-schedule", parseErr))
	case badEdits != nil:
		s.warn(ui.NoticeError, 0, badEdits)
	case badBeside != nil:
		s.warn(ui.NoticeError, 0, fact.Of("bad-beside", badBeside))
	case s.notice != nil: // which says more
	case p.Was != "" && slices.Contains(original.Formerly, p.Was):
		s.warn(ui.NoticeReloaded, 0, fact.Of("moved", p.Was))
	case lost > 0:
		s.warn(ui.NoticeDiffers, 0, lostBranches(lost))
	case schedule.Lesson != s.lesson.Hash && p.Schedule != "":
		s.warn(ui.NoticeDiffers, 0, fact.Of("another-version"))
	}
	return nil
}

func (s *Session) readSchedule(text string) (engine.Schedule, error) {
	if text == "" {
		return engine.Schedule{}, nil
	}
	return engine.ParseSchedule(text)
}

// begin plays choices from the start on the engine asked for, or on the default
// one when that cannot be had. An error means that no engine could.
func (s *Session) begin(ctx context.Context, kind ui.EngineKind, choices []engine.Choice) *Error {
	fallback := s.Engines[0].State(s.lang).Kind
	kind = cmp.Or(kind, fallback)
	starting, started := ctx, func() {}
	if kind != fallback {
		starting, started = within(ctx, s.WithStartTimeout)
	}
	err := s.startOn(starting, kind, choices)
	started()
	if err != nil && kind != fallback {
		why := err
		if err = s.startOn(ctx, fallback, choices); err == nil {
			s.warn(ui.NoticeError, 0, fact.Of("fell-back", why))
		}
	}
	if err != nil {
		return s.refuse(CodeNoStart, fact.Of("cannot-start", err))
	}
	return nil
}

// startOn opens the lesson on an engine and plays choices as far as they go.
func (s *Session) startOn(ctx context.Context, kind ui.EngineKind, choices []engine.Choice) error {
	g, err := s.runnerOn(ctx, kind)
	if err != nil {
		return err
	}
	trace, err := g.replay(ctx, choices)
	if trace == nil {
		s.letGo(g)
		return err
	}
	n := len(trace.Steps)
	s.setTimeline(g, choices[:n:n], trace)
	not, disabled := errors.AsType[*engine.NotEnabledError](err)
	switch {
	case err == nil:
	case disabled:
		s.warn(ui.NoticeDiffers, n+1, fact.Of("stops-at", n+1, not.Choice, not.Reason))
	case s.offClock(choices[n]) != nil:
		s.warn(ui.NoticeDiffers, n+1, fact.Of("stops-at", n+1, choices[n], err))
	default:
		_ = s.failed(n+1, err) // the notice says enough
	}
	return nil
}

// setTimeline makes a replayed trace the timeline. Where the learner stands is kept.
func (s *Session) setTimeline(g *runner, choices []engine.Choice, trace *engine.Trace) {
	if s.runner != nil && s.runner != g {
		s.dropRunner()
	}
	s.runner, s.kind = g, g.kind
	n := len(choices)
	s.now = timeline{
		kind:    g.kind,
		choices: choices,
		trace:   s.telling().share(trace.Cut(n), choices),
		pos:     min(s.now.pos, n),
		edits:   s.edits,
	}
}

// dropRunner frees the nodes. What a dead server still holds expires there by itself.
func (s *Session) dropRunner() { _ = s.closeRunner() }

// letGo frees the nodes of a runner whose engine has failed.
func (s *Session) letGo(g *runner) {
	if g == s.runner {
		s.runner = nil
	}
	_ = g.release()
}

// failed says that a step could not happen, and lets the nodes go: the next step
// opens them again and replays, on a server that has come back by then.
func (s *Session) failed(step int, err error) *Error {
	s.dropRunner()
	return s.warned(ui.NoticeError, step, fact.Of("step-failed", step, err))
}

func isNotEnabled(err error) bool {
	_, not := errors.AsType[*engine.NotEnabledError](err)
	return not
}
