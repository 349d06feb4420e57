package player

import (
	"context"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Author lets lessons be written in a playground; NewAuthor makes one. It is an interface so
// that a learner's WebAssembly module does not contain it.
type Author interface {
	// Blank is the lesson from which new ones start. It is in no catalog.
	Blank() *lessons.Lesson

	// original is the fingerprint of a lesson's files.
	original(l *lessons.Lesson) string
	// files is the reply with the files of a lesson.
	files(l *lessons.Lesson, id int64) Message
	// read makes a version of a listed lesson from an author's files.
	read(lang lessons.Lang, listed *lessons.Lesson, folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems, *Error)
	// save replaces the files of a lesson, and is its reply. Files with mistakes are not
	// saved, because all sessions would see them.
	save(ctx context.Context, lang lessons.Lang, l *lessons.Lesson, c Command) Message
	// checked is what reading a lesson has found, and what playing it finds besides. nil: there
	// is no lesson to play.
	checked(ctx context.Context, l *lessons.Lesson, found lessons.Problems) lessons.Problems
	// problems are problems as editors need them.
	problems(folder string, all lessons.Problems) []Problem
}

// Reader makes lessons of texts.
type Reader interface {
	// Files are the texts that a lesson was read from, its lesson.yaml first.
	Files(l *lessons.Lesson) []lessons.File
	// Offers are files that could be added to a lesson, with what their texts are.
	Offers(l *lessons.Lesson) []lessons.File
	// Read makes a lesson of such texts. When errors are among the problems there is
	// none. It reads no file.
	Read(folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems)
	// Check plays the lesson's story on embedded nodes and tells what does not hold.
	Check(ctx context.Context, l *lessons.Lesson) lessons.Problems
	// Blank is the lesson that a new one begins as.
	Blank() *lessons.Lesson
}

// Store keeps the lessons of an author.
type Store interface {
	// Keeps tells whether it has the files of a lesson.
	Keeps(l *lessons.Lesson) bool
	// Save writes files of a lesson, if those that are there have the fingerprint, and
	// returns the fingerprint of those that are there then.
	Save(l *lessons.Lesson, of string, files []lessons.File) (string, error)
	// Create writes a new lesson, to be in a folder of that name, publishes it, and
	// returns the folder that it has.
	Create(folder string, files []lessons.File) (string, error)
}

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
	if s.Author == nil {
		return nil
	}
	return &ui.Author{Blank: s.listed == s.Author.Blank(), Draft: s.isDraft()}
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
	case s.Author == nil:
		return s.noAuthor(c.ID)
	case s.lesson == nil:
		return replyTo(c.ID, s.refuse(CodeNoLesson, fact.Of("nothing-loaded")))
	case c.Op == OpSave:
		ctx, end := s.withReplayTimeout(ctx)
		defer end()
		answer := s.Author.save(ctx, s.lang, s.listed, c)
		if answer.OK && answer.Of != "" {
			s.draftSaved(answer.Of)
		}
		return answer
	case len(c.Files) == 0:
		s.authored = true
		return s.Author.files(s.listed, c.ID)
	}
	return s.playDraft(ctx, c)
}

// playDraft plays the lesson that an author's files make, at the same place. When they have
// mistakes the last good version stays.
func (s *Session) playDraft(ctx context.Context, c Command) Message {
	l, problems, err := s.Author.read(s.lang, s.listed, c.Folder, c.Files)
	if err == nil && !s.plays(l) {
		err = s.rewriteLesson(ctx, l)
	}
	ctx, end := s.withReplayTimeout(ctx)
	defer end()
	problems = s.Author.checked(ctx, l, problems)
	answer := replyTo(c.ID, err)
	answer.Problems = s.Author.problems(c.Folder, problems)
	return answer
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

// noAuthor is the reply of a player that cannot read lessons.
func (s *Session) noAuthor(id int64) Message {
	return replyTo(id, s.refuse(CodeNoAuthor, fact.Of("no-author")))
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
