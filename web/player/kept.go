package player

import (
	"context"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// KeptTimeline is a timeline as links carry it. Browsers keep the branches of a lesson like
// this, for when it is opened again.
type KeptTimeline struct {
	Schedule string `json:"schedule"`        // as engine.Schedule writes it
	Pos      int    `json:"pos"`             // where the learner stood
	Edits    string `json:"edits,omitempty"` // as frames have them
}

// maxKept bounds what a browser is given to keep of a lesson's branches, in bytes. All of
// them together have at most as many choices as a link may have.
const maxKept = 64 << 10

// mostRead is how many kept timelines are read: the branches, and the one that was the present.
const mostRead = mostBranches + 1

func (k KeptTimeline) size() int { return len(k.Schedule) + len(k.Edits) }

// kept is a timeline as links carry it.
func (s *Session) kept(t *timeline) KeptTimeline {
	k := KeptTimeline{Schedule: engine.Schedule{Lesson: s.lesson.Hash, Choices: t.choices}.String(), Pos: t.pos}
	if len(t.edits) > 0 {
		k.Edits = pack(t.edits)
	}
	return k
}

// keptBranches are the branches for a browser to keep, as many of the newest as there is room for.
func (s *Session) keptBranches() []KeptTimeline {
	kept, bytes, choices := []KeptTimeline{}, 0, 0
	for _, b := range slices.Backward(s.branches) {
		bytes, choices = bytes+b.kept.size(), choices+b.len()
		if bytes > maxKept || choices > engine.MaxChoices {
			break
		}
		kept = append(kept, b.kept)
	}
	for _, k := range slices.Backward(s.unplayed) {
		if bytes += k.size(); bytes > maxKept || len(kept) == mostBranches {
			break
		}
		kept = append(kept, k)
	}
	slices.Reverse(kept)
	return kept
}

// restore makes the timelines branches again that a browser has kept, and returns how many
// are of no use any more. What cannot be played now, for want of time or memory, stays kept.
func (s *Session) restore(ctx context.Context, kept []KeptTimeline) (lost int) {
	ctx, end := s.withReplayTimeout(ctx)
	defer end()
	choices := 0
	for _, k := range slices.Backward(kept[max(0, len(kept)-mostRead):]) {
		t, wrong := s.readKept(k)
		if wrong != nil {
			lost++
			continue
		}
		choices += t.len()
		if choices > engine.MaxChoices || len(s.branches)+len(s.unplayed) == mostBranches {
			break // the oldest makes room
		}
		if s.leadsTo(&t) {
			continue
		}
		if err := s.playKept(ctx, &t); err != nil {
			s.unplayed = slices.Insert(s.unplayed, 0, k)
			continue
		}
		s.lastBranch++
		s.branches = slices.Insert(s.branches, 0, branch{timeline: t, id: s.lastBranch, kept: s.kept(&t)})
	}
	s.dropWithin(&s.now)
	return lost
}

// readKept reads a kept timeline, which has no trace yet.
func (s *Session) readKept(k KeptTimeline) (timeline, error) {
	schedule, err := s.readSchedule(k.Schedule)
	if err != nil {
		return timeline{}, err
	}
	edits, older, bad := s.readEdits(k.Edits)
	switch {
	case bad != nil:
		return timeline{}, bad
	case len(older) > 0:
		return timeline{}, fact.Of("older-edits")
	}
	return timeline{kind: s.kindInMemory(), choices: schedule.Choices, pos: k.Pos, edits: edits}, nil
}

// leadsTo tells whether a timeline need not be a branch: the present one has all of it, or
// whoever goes on with the story comes through it.
func (s *Session) leadsTo(t *timeline) bool {
	if !slices.Equal(t.edits, s.now.edits) {
		return false
	}
	onStory := len(t.edits) == 0 && prefix(s.storySteps.choices, s.now.choices)
	return prefix(s.now.choices, t.choices) || onStory && prefix(s.storySteps.choices, t.choices)
}

// playKept plays a timeline that was read, in memory and as far as it goes with the lesson as it is now.
func (s *Session) playKept(ctx context.Context, t *timeline) error {
	l := s.lesson
	if !slices.Equal(t.edits, s.edits) {
		l = edited(s.original, t.edits)
	}
	scenario, err := scenarioInMemory(l, s.reserveMemory)
	if err != nil {
		return err
	}
	scenario.Positions = true
	world, err := engine.NewWorld(ctx, scenario)
	if err != nil {
		return err
	}
	choices := t.choices
	if off := slices.IndexFunc(choices, func(c engine.Choice) bool { return s.offClock(c) != nil }); off >= 0 {
		choices = choices[:off]
	}
	err = world.Play(ctx, choices)
	if err = t.take(choices, world.Trace(), err); err != nil {
		return causeOf(ctx, err)
	}
	t.pos = min(max(t.pos, 0), t.len())
	return nil
}

// scenarioInMemory is a lesson on nodes of its own that are always there.
func scenarioInMemory(l *lessons.Lesson, reserve func(bytes int) error) (engine.Scenario, error) {
	scenario, err := l.Scenario(l.Open(lessons.Embedded))
	scenario.Reserve = reserve
	return scenario, err
}

// kindInMemory is the engine in memory that this player has.
func (s *Session) kindInMemory() ui.EngineKind {
	if s.kind.Real() != "" {
		return ui.Embedded
	}
	return s.kind
}

// openBeside shows beside the present timeline what a link wants there: another engine, or
// another timeline, which becomes a branch.
func (s *Session) openBeside(ctx context.Context, p Place) error {
	if _, ok := s.engineOf(ui.EngineKind(p.Beside)); ok {
		if err := s.compare(ctx, Command{Kind: ui.EngineKind(p.Beside)}); err != nil {
			return err
		}
		return nil
	}
	t, err := s.readKept(KeptTimeline{Schedule: p.Beside, Pos: engine.MaxChoices, Edits: p.BesideEdits})
	if err != nil {
		return err
	}
	ctx, end := s.withReplayTimeout(ctx)
	defer end()
	if err := s.playKept(ctx, &t); err != nil {
		return err
	}
	i := slices.IndexFunc(s.branches, func(b branch) bool { return t.within(&b.timeline) && b.within(&t) })
	if i < 0 {
		s.leave(t)
		i = len(s.branches) - 1
	}
	if t.within(&s.now) {
		return nil
	}
	s.comparison = &comparison{branch: s.branches[i].id, timeline: timeline{kind: t.kind, stopped: t.stopped}}
	return s.follow(ctx, s.comparison)
}

// besideShown is what a link says of the timeline that is shown beside the present one.
func (s *Session) besideShown() (timeline, edits string) {
	switch c := s.comparison; {
	case c == nil:
		return "", ""
	case c.branch == 0:
		return string(c.kind), s.edited()
	default:
		i, gone := s.findBranch(c.branch)
		if gone != nil {
			return "", ""
		}
		return s.branches[i].kept.Schedule, s.branches[i].kept.Edits
	}
}
