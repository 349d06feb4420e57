package player

import (
	"context"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// find looks a lesson up by its name, the blank one too.
func (s *Session) find(e *Edition, name string) (*lessons.Lesson, error) {
	l, err := e.find(name)
	if err != nil && s.Author != nil && s.Author.Blank().Name == name {
		return s.Author.Blank(), nil
	}
	return l, err
}

// isDraft tells whether the session plays an author's draft.
func (s *Session) isDraft() bool { return s.original != s.listed }

// authorView is what the page shows to an author.
func (s *Session) authorView() *ui.Author {
	p := s.proof // of the text that is being proven, or else of the author's
	if !p.runs() {
		p = &proving{}
		if s.written != nil {
			p = s.proofOf(s.written)
		}
	}
	return &ui.Author{Blank: s.listed == s.Author.Blank(), Draft: s.isDraft(), Proof: ui.ProofPanel(s.lang, p.Proof, p.running, p.running && s.waits(), s.rulesView())}
}

// rulesView are the rules of the author's text, as long as the page plays it.
func (s *Session) rulesView() ui.Rules {
	if s.written == nil || !s.plays(s.written) {
		return ui.Rules{}
	}
	r := ui.Rules{Lesson: s.lesson, Search: s.searchView()}
	if r.Search.Played {
		r.Steps = s.now.trace.Steps[:len(r.Search.Verdict.Schedule)]
	}
	return r
}

// mistakes are those of the lesson's files, which an author sees beside the text.
func (s *Session) mistakes() string {
	if s.isDraft() {
		return ""
	}
	return s.edition.Broken[s.lesson.Name]
}

// authorCommand carries out a command of the Author view.
func (s *Session) authorCommand(ctx context.Context, c Command) Message {
	switch {
	case s.lesson == nil:
		return replyTo(c.ID, s.refuse(CodeNoLesson, fact.Of("nothing-loaded")))
	case c.Op == OpProve || c.Op == OpFill || c.Op == OpSave:
		return s.prove(ctx, c)
	case len(c.Files) == 0:
		s.authored = true
		s.writes(s.original)
		return s.Author.files(s.listed, c.ID)
	}
	return s.playDraft(ctx, c)
}

// playDraft plays the lesson that an author's files make, at the same place. When they have
// mistakes the last good version stays.
func (s *Session) playDraft(ctx context.Context, c Command) Message {
	l, problems, err := s.Author.read(s.lang, s.listed, c.Folder, c.Files)
	s.writes(l)
	if err == nil && !s.plays(l) {
		err = s.rewriteLesson(ctx, l)
	}
	ctx, end := s.withReplayTimeout(ctx)
	defer end()
	problems = s.Author.checked(ctx, l, problems)
	if l != nil {
		problems = append(problems, s.proofOf(l).Problems(lessons.Warning)...)
	}
	return s.tell(c, problems, err)
}

// plays tells whether a lesson is the one that is played already.
func (s *Session) plays(l *lessons.Lesson) bool {
	return l == s.original || l != s.listed && s.isDraft() && s.Author.original(l) == s.Author.original(s.original)
}

// draftSaved makes the saved lesson the listed one, if it is what the session plays.
func (s *Session) draftSaved(of string) {
	l, err := s.Catalog.Now().find(s.listed.Name)
	if err == nil && s.isDraft() && s.Author.original(l) == of && s.Author.original(s.original) == of {
		s.listed, s.original = l, l
	}
}

// rewriteLesson plays another version of the lesson in place.
func (s *Session) rewriteLesson(ctx context.Context, l *lessons.Lesson) *Error {
	s.hz = 0
	if err := s.reopen(ctx, l); err != nil {
		return err
	}
	if s.notice != nil && s.notice.Step == 0 && s.notice.Kind == ui.NoticeDiffers { // of another version, as was wanted
		s.notice = nil
	}
	return nil
}
