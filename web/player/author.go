package player

import (
	"context"
	"path"
	"slices"
	"strings"

	"lockstep/lessons"
	"lockstep/web/ui"
)

// Author makes lessons of texts, for those who write them.
type Author interface {
	// Files are the texts that a lesson was read from, its lesson.yaml first.
	Files(l *lessons.Lesson) []lessons.File
	// Read makes a lesson of such texts. When errors are among the problems there is
	// none. It reads no file.
	Read(folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems)
	// Blank is the lesson that a new one begins as. It is in no catalog.
	Blank() *lessons.Lesson
}

// Store keeps the lessons of an author.
type Store interface {
	// Keeps tells whether it has the files of a lesson.
	Keeps(l *lessons.Lesson) bool
	// Save writes files of a lesson, if those that are there have the fingerprint, and
	// returns the fingerprint of those that are there then.
	Save(l *lessons.Lesson, of string, files []lessons.File) (string, error)
}

// find looks a lesson up by its name, the blank one too.
func (s *Session) find(e *Edition, name string) (*lessons.Lesson, bool) {
	l, ok := e.find(name)
	if !ok && s.Author != nil && s.Author.Blank().Name == name {
		return s.Author.Blank(), true
	}
	return l, ok
}

// drafted tells whether the lesson is what an author has made of it.
func (s *Session) drafted() bool { return s.original != s.listed }

// authorView is what the page says to who writes the lesson.
func (s *Session) authorView() *ui.Author {
	if s.Author == nil {
		return nil
	}
	return &ui.Author{Blank: s.listed == s.Author.Blank(), Draft: s.drafted()}
}

// mistakes are those of the lesson's files, which an author sees beside the text.
func (s *Session) mistakes() string {
	if s.drafted() {
		return ""
	}
	return s.edition.Broken[s.lesson.Name]
}

// write plays the lesson that files make where the learner stands. With mistakes in
// them the last good version stays. Without files it tells those of the lesson.
func (s *Session) write(ctx context.Context, c Command) Message {
	refuse := func(err *Error) Message { return replyTo(c.ID, err) }
	switch {
	case s.Author == nil:
		return refuse(&Error{Code: CodeNoAuthor, Msg: s.text().noAuthor()})
	case s.lesson == nil:
		return refuse(&Error{Code: CodeNoLesson, Msg: s.text().nothingLoaded})
	case len(c.Files) == 0:
		s.authored = true
		return s.ownFiles(c.ID)
	}
	l, problems, err := s.read(s.listed, c.Folder, c.Files)
	if err == nil && !s.same(l) {
		err = s.rewriteLesson(ctx, l)
	}
	answer := replyTo(c.ID, err)
	answer.Problems = told(c.Folder, problems)
	return answer
}

func (s *Session) ownFiles(id int64) Message {
	answer := replyTo(id, nil)
	answer.Folder, answer.Files = folderOf(s.listed), s.Author.Files(s.listed)
	answer.Of = lessons.Fingerprint(answer.Files)
	answer.Saves = s.saves()
	return answer
}

func (s *Session) saves() bool { return s.Store != nil && s.Store.Keeps(s.listed) }

// save writes an author's files in place of the lesson's own, good or not. All
// sessions see them with the next edition of the catalog.
func (s *Session) save(c Command) Message {
	if s.lesson == nil {
		return replyTo(c.ID, &Error{Code: CodeNoLesson, Msg: s.text().nothingLoaded})
	}
	if !s.saves() {
		return replyTo(c.ID, &Error{Code: CodeNotSaved, Msg: s.text().noStore()})
	}
	of, err := s.Store.Save(s.listed, c.Of, c.Files)
	if err != nil {
		return replyTo(c.ID, &Error{Code: CodeNotSaved, Msg: s.text().told(err)})
	}
	answer := replyTo(c.ID, nil)
	answer.Of = of
	return answer
}

func folderOf(l *lessons.Lesson) string { return path.Base(path.Dir(l.File)) }

// read makes a lesson of an author's files. It has the name of the one that it was
// made of, which the page's address names.
func (s *Session) read(listed *lessons.Lesson, folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems, *Error) {
	if s.Author == nil {
		return nil, nil, &Error{Code: CodeNoAuthor, Msg: s.text().noAuthor()}
	}
	if folder == folderOf(listed) && slices.Equal(files, s.Author.Files(listed)) {
		return listed, listed.Warnings, nil
	}
	bytes := 0
	for _, f := range files {
		bytes += len(f.Name) + len(f.Text)
	}
	if bytes > MaxTexts {
		return nil, nil, &Error{Code: CodeTooLong, Msg: s.text().overLongTexts(bytes)}
	}
	l, problems := s.Author.Read(folder, files)
	if l == nil {
		return nil, problems, &Error{Code: CodeMistakes, Msg: problems.Error()}
	}
	l.Name = listed.Name
	return l, problems, nil
}

// same tells whether a lesson is the one that is played already.
func (s *Session) same(l *lessons.Lesson) bool {
	return l == s.original || l != s.listed && s.drafted() && lessons.Fingerprint(s.Author.Files(l)) == lessons.Fingerprint(s.Author.Files(s.original))
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

// told is problems as editors need them. Their files are those of the folder.
func told(folder string, all lessons.Problems) []Problem {
	var out []Problem
	for _, p := range all {
		out = append(out, Problem{
			File: strings.TrimPrefix(p.File, folder+"/"), Line: p.Line, Col: p.Col, EndCol: p.EndCol,
			Severity: p.Severity, Msg: p.Message, Text: p.Error(),
		})
	}
	return out
}
