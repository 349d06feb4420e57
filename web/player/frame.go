package player

import (
	"bytes"
	"context"
	"slices"

	"github.com/a-h/templ"

	"lockstep/web/ui"
)

// window is how many frames may be under way to a client that has not yet drawn
// them. A slow client gets fewer frames, never older ones.
const window = 2

// screen is what a client is known to show.
type screen struct {
	rev   int64 // of the frame sent last
	acked int64
	sent  map[string]string // fragments as they were sent last, by id
	rows  map[string]string // what is in the rows that the client has, by id
	kept  []KeptTimeline    // the branches as they were sent last
	told  bool              // a story is told: the lab is not drawn until it opens
	dirty bool              // there is something newer to show
	html  bytes.Buffer      // to draw in
}

// reset makes the next frame a complete one.
func (c *screen) reset() {
	c.sent, c.rows = nil, nil
	c.acked = c.rev
	c.dirty = true
}

func (c *screen) ack(rev int64) *Error {
	if rev < 1 || rev > c.rev {
		return &Error{Code: CodeBadMessage, Msg: "there is no such frame to acknowledge"}
	}
	c.acked = max(c.acked, rev)
	return nil
}

// flush is the frame that brings the client up to date, if there is something to
// say and the client has drawn enough of what came before.
func (s *Session) flush(ctx context.Context) []Message {
	c := &s.screen
	if !c.dirty || s.lesson == nil || c.rev-c.acked >= window {
		return nil
	}
	s.compareWithBaseline(ctx)
	s.compareAgain(ctx)
	if !c.told || s.line > 0 {
		s.followShown(ctx)
	}
	full := c.sent == nil
	f := &Frame{
		Rev: c.rev + 1, Seen: s.lastCommand, Base: c.rev,
		Lesson: s.lesson.Name, Engine: s.kind, Schedule: s.schedule().String(),
		Pos: s.now.pos, Len: s.now.len(), Playing: s.hz > 0, Edits: s.edited(), Challenge: s.challengeNumber(), Answers: s.keptAnswers(),
		Frags: []Frag{}, Say: s.announcement,
	}
	if s.authored && s.Author != nil {
		f.Original = s.Author.original(s.listed)
	}
	f.Beside, f.BesideEdits = s.besideShown()
	kept := s.keptBranches()
	if full || !slices.Equal(kept, c.kept) {
		f.Branches = kept
	}
	c.kept = kept
	if full {
		f.Base = 0
		c.sent = map[string]string{}
	}
	rows := map[string]string{}
	for _, part := range s.draw(ctx) {
		for _, row := range part.rows {
			rows[row.ID] = row.HTML
			if c.rows[row.ID] != row.HTML {
				f.Rows = append(f.Rows, Frag(row))
			}
		}
		if old, known := c.sent[part.id]; known && old == part.html {
			continue
		}
		c.sent[part.id] = part.html
		f.Frags = append(f.Frags, Frag{part.id, part.html})
	}
	c.rows = rows
	c.rev++
	c.dirty = false
	s.announcement = ""
	return []Message{{Op: "frame", Frame: f}}
}

// draw draws a view: all of it, or what is seen while a story is told. HTML that is as it was sent last is that text itself.
func (c *screen) draw(ctx context.Context, v ui.View) []drawn {
	// A drawing is short: that the time is over, or the learner gone, does not end it.
	ctx = templ.InitializeContext(context.WithoutCancel(ctx)) // once for all fragments
	var all []drawn
	for _, fragment := range ui.Fragments(v) {
		if c.told && fragment.Lab {
			continue
		}
		c.html.Reset()
		if err := fragment.Component.Render(ctx, &c.html); err != nil {
			panic("player: fragment " + fragment.ID + " cannot be drawn: " + err.Error())
		}
		html := c.sent[fragment.ID]
		if html != string(c.html.Bytes()) { //nolint:staticcheck // String would copy
			html = c.html.String()
		}
		all = append(all, drawn{fragment.ID, html, fragment.Rows})
	}
	return all
}

// announceStep says the step that the learner came to; autoplay is silent.
func (s *Session) announceStep() {
	if n := s.now.pos; n > 0 {
		s.announcement = ui.Sentence(s.lang, s.lesson.Words.Step(s.lang, &s.now.trace.Steps[n-1]), s.lesson.Rules...)
	}
}
