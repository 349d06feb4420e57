package player

import (
	"context"

	"lockstep/lessons"
	"lockstep/web/ui"
)

// Author is what a playground has in which lessons can be written; NewAuthor makes
// it. Behind an interface none of it is part of a learner's module for browsers.
type Author interface {
	// Blank is the lesson that a new one begins as. It is in no catalog.
	Blank() *lessons.Lesson

	answer(ctx context.Context, s *Session, c Command) Message
	read(s *Session, listed *lessons.Lesson, folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems, *Error)
	original(l *lessons.Lesson) string
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
func (s *Session) find(e *Edition, name string) (*lessons.Lesson, bool) {
	l, ok := e.find(name)
	if !ok && s.Author != nil && s.Author.Blank().Name == name {
		return s.Author.Blank(), true
	}
	return l, ok
}

// isDraft tells whether the lesson is what an author has made of it.
func (s *Session) isDraft() bool { return s.original != s.listed }

// authorView is what the page says to who writes the lesson.
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

// noAuthor is the answer of a player that reads no lessons.
func (s *Session) noAuthor(id int64) Message {
	return replyTo(id, &Error{Code: CodeNoAuthor, Msg: s.messages().noAuthor()})
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
