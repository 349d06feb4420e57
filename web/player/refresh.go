package player

import (
	"context"
	"maps"
	"slices"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Refresh looks at the newest edition of the catalog. When the open lesson is
// another one there, it is opened in place: the same choices are played with it,
// and the learner stands where they stood. What is wrong with its files is shown
// as long as it is, beside the last good version.
func (s *Session) Refresh(ctx context.Context) []Message {
	e := s.Catalog.Now()
	if e == s.edition || s.lesson == nil {
		return nil
	}
	defer s.updateMemory()
	was, broken := s.listed, s.edition.Broken[s.listed.Name]
	s.edition = e
	s.screen.dirty = true
	is, missing := e.find(was.Name)
	there := missing == nil
	if there && s.isDraft() { // the author keeps the draft
		s.listed = is
		return s.flush(ctx)
	}
	if !there || is == was {
		if s.notice != nil && s.notice.Kind == ui.NoticeReloaded {
			s.notice = nil // it is of the edition before
		}
		if e.Broken[was.Name] != broken && e.Broken[was.Name] != "" {
			s.announcement = ui.Tell(s.lang, fact.Of("files-broken"))
		}
		return s.flush(ctx)
	}
	s.listed = is
	err := s.reopen(ctx, is)
	switch {
	case err != nil:
		s.listed = was
		return append(s.flush(ctx), replyTo(0, err))
	case s.notice == nil || s.notice.Step == 0 && s.notice.Kind == ui.NoticeDiffers: // of another version, as was wanted
		s.warn(ui.NoticeReloaded, 0, fact.Of("reloaded", s.now.len()))
	}
	s.announcement = s.notice.Text
	return s.flush(ctx)
}

// reopen plays what has happened so far with another version of the lesson. When
// that cannot begin, all stays as it was.
func (s *Session) reopen(ctx context.Context, original *lessons.Lesson) *Error {
	was, pos := s.original, s.now.pos
	answers, challenge := maps.Clone(s.answers), s.challenge
	here := Place{Engine: s.kind, Schedule: s.schedule().String(), Pos: &pos, Edits: s.edited(), Branches: s.keptBranches()}
	here.Beside, here.BesideEdits = s.besideShown()
	if !slices.Equal(was.Nodes, original.Nodes) || !slices.Equal(was.Cluster, original.Cluster) || !slices.Equal(was.Moving, original.Moving) || was.Resolution != original.Resolution {
		s.dropRunner() // or an author would start a server with every word typed
	}
	err := s.open(ctx, original, here)
	if err != nil {
		if again := s.open(ctx, was, here); again != nil {
			return again
		}
	}
	s.answers, s.challenge = answers, challenge
	return err
}
