package player

import (
	"context"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// thumbnailMost is how many steps of a story a thumbnail has room for.
const thumbnailMost = 200

// Gallery plays the stories of an edition in memory and draws what the home page shows of them.
// A story that breaks off is drawn as far as it came.
func Gallery(ctx context.Context, e *Edition) *ui.Gallery {
	g := &ui.Gallery{Thumbnails: make(map[string]string, len(e.Lessons))}
	for _, l := range e.Lessons {
		choices := l.Choices()
		if trace := played(ctx, l, choices[:min(len(choices), thumbnailMost)]); trace != nil {
			g.Thumbnails[l.Name] = ui.Thumbnail(l, trace)
		}
	}
	if l, err := e.find(collisionLesson); err == nil {
		g.Collision = collide(ctx, l)
	}
	return g
}

// played is a run in memory, as far as it goes; nil if it cannot begin.
func played(ctx context.Context, l *lessons.Lesson, choices []engine.Choice) *engine.Trace {
	scenario, err := scenarioInMemory(l, nil)
	if err != nil {
		return nil
	}
	world, err := engine.NewWorld(ctx, scenario)
	if err != nil {
		return nil
	}
	_ = world.Play(ctx, choices) // the trace says how far it came
	return world.Trace()
}

// The first visit lets visitors bring about the collision of this lesson: A takes the lock, and
// they say when B asks, and when the clock moves.
const (
	collisionLesson = "set-nx"
	collisionMove   = 5 * time.Second
	collisionMost   = 20 // frames; the lesson as it is makes 14

	collisionLongest = 15 * time.Second // that there is room for
)

var (
	collisionFirst  = engine.Choice{Kind: engine.Run, Target: "A"}
	collisionSecond = engine.Choice{Kind: engine.Run, Target: "B"}
	collisionClock  = engine.Choice{Kind: engine.Tick, Span: collisionMove}
)

// collide plays every way to the collision; nil if the lesson, which somebody may have
// replaced, has another story.
func collide(ctx context.Context, l *lessons.Lesson) *ui.Collision {
	c := &collision{lesson: l}
	story := played(ctx, l, l.Choices())
	if story == nil {
		return nil
	}
	at := slices.IndexFunc(story.Steps, func(s engine.Step) bool { return len(s.Broken) > 0 })
	if at < 0 || !c.frame(ctx, []engine.Choice{collisionFirst}) || slices.ContainsFunc(c.frames, unlike) {
		return nil
	}
	schedule := engine.Schedule{Lesson: l.Hash, Choices: l.Choices()[:at+1]}
	return &ui.Collision{Lesson: l.Name, Frames: c.frames, Goes: schedule}
}

type collision struct {
	lesson *lessons.Lesson
	frames []ui.CollisionFrame
}

// frame adds the frame after some choices, and all that can follow it. It is false if a way
// ends without a collision.
func (c *collision) frame(ctx context.Context, choices []engine.Choice) bool {
	trace := played(ctx, c.lesson, choices)
	if trace == nil || len(trace.Steps) < len(choices) || len(c.frames) == collisionMost {
		return false
	}
	n := len(c.frames)
	c.frames = append(c.frames, ui.CollisionFrame{Trace: trace})
	if len(trace.Steps[len(choices)-1].Broken) > 0 {
		return true
	}
	now := trace.At(len(choices))
	asks, waits := 0, 0
	if slices.ContainsFunc(now.Options, func(o engine.Option) bool { return o.Choice == collisionSecond && o.Enabled() }) {
		asks = len(c.frames)
		if !c.frame(ctx, append(slices.Clip(choices), collisionSecond)) {
			return false
		}
	}
	if len(now.Nodes[0].Keys) > 0 { // the lease goes on
		waits = len(c.frames)
		if !c.frame(ctx, append(slices.Clip(choices), collisionClock)) {
			return false
		}
	}
	f := &c.frames[n]
	f.Asks, f.Waits, f.Then = asks, waits, waits
	if asks > 0 && slices.Contains(choices, collisionSecond) { // as its program does
		f.Then = asks
	}
	return asks+waits > 0
}

// unlike tells whether a frame is of another kind than the home page draws: somebody works inside,
// under a lease that the key of a lock has, or had.
func unlike(f ui.CollisionFrame) bool {
	now, begun := f.Trace.At(len(f.Trace.Steps)), f.Trace.At(1)
	if len(now.Actors) < 2 || now.Actors[0].Name != collisionFirst.Target || now.Actors[1].Name != collisionSecond.Target {
		return true
	}
	keys := begun.Nodes[0].Keys
	return len(now.Nodes) > 1 || len(keys) != 1 || keys[0].Deadline == engine.NoDeadline ||
		now.Actors[0].Status != engine.Sleeping || now.Actors[0].Until > collisionLongest
}
