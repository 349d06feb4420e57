package player

import (
	"context"
	"path"
	"slices"
	"strings"

	"lockstep/lessons"
)

// authoring answers those who write lessons.
type authoring struct {
	Reader
	store Store // nil: what is written is kept by the browser alone
}

// NewAuthor lets a playground's lessons be written, and saved if there is a store.
func NewAuthor(r Reader, s Store) Author { return &authoring{r, s} }

func (a *authoring) original(l *lessons.Lesson) string { return lessons.Fingerprint(a.Files(l)) }

func (a *authoring) answer(ctx context.Context, s *Session, c Command) Message {
	switch {
	case s.lesson == nil:
		return replyTo(c.ID, &Error{Code: CodeNoLesson, Msg: s.messages().nothingLoaded})
	case c.Op == OpSave:
		return a.save(s, c)
	case len(c.Files) == 0:
		return a.ownFiles(s, c.ID)
	}
	return a.write(ctx, s, c)
}

// write plays the lesson that files make where the learner stands. With mistakes in
// them the last good version stays.
func (a *authoring) write(ctx context.Context, s *Session, c Command) Message {
	l, problems, err := a.read(s, s.listed, c.Folder, c.Files)
	if err == nil && !a.plays(s, l) {
		err = s.rewriteLesson(ctx, l)
	}
	answer := replyTo(c.ID, err)
	answer.Problems = listed(c.Folder, problems)
	return answer
}

// ownFiles tells the files of the lesson as it is kept.
func (a *authoring) ownFiles(s *Session, id int64) Message {
	s.authored = true
	answer := replyTo(id, nil)
	answer.Folder, answer.Files, answer.Of = folderOf(s.listed), a.Files(s.listed), a.original(s.listed)
	answer.Offers = a.Offers(s.listed)
	answer.Saves = a.saves(s.listed)
	return answer
}

func (a *authoring) saves(l *lessons.Lesson) bool {
	return a.store != nil && (l == a.Blank() || a.store.Keeps(l))
}

// save writes files in place of the lesson's own. All sessions see them with the next
// edition of the catalog, so that files with mistakes stay a draft of who wrote them.
func (a *authoring) save(s *Session, c Command) Message {
	if !a.saves(s.listed) {
		return replyTo(c.ID, &Error{Code: CodeNotSaved, Msg: s.messages().noStore()})
	}
	folder := folderOf(s.listed)
	if s.listed == a.Blank() {
		folder = c.Folder
	}
	if _, problems, err := a.read(s, s.listed, folder, c.Files); err != nil {
		if err.Code == CodeMistakes {
			err = &Error{Code: CodeMistakes, Msg: s.messages().notSaved(len(problems.Of(lessons.Error)))}
		}
		answer := replyTo(c.ID, err)
		answer.Problems = listed(folder, problems)
		return answer
	}
	if s.listed == a.Blank() {
		return a.create(s, c)
	}
	of, err := a.store.Save(s.listed, c.Of, c.Files)
	if err != nil {
		return replyTo(c.ID, &Error{Code: CodeNotSaved, Msg: s.messages().errorText(err)})
	}
	if is, ok := s.Catalog.Now().find(s.listed.Name); ok && s.isDraft() && a.original(is) == of && a.original(s.original) == of {
		s.listed, s.original = is, is // what is played is no draft any more
	}
	answer := replyTo(c.ID, nil)
	answer.Of = of
	return answer
}

// create writes files as a new lesson.
func (a *authoring) create(s *Session, c Command) Message {
	folder, err := a.store.Create(c.Folder, c.Files)
	if err != nil {
		return replyTo(c.ID, &Error{Code: CodeNotSaved, Msg: s.messages().errorText(err)})
	}
	answer := replyTo(c.ID, nil)
	answer.Folder = folder
	return answer
}

func folderOf(l *lessons.Lesson) string { return path.Base(path.Dir(l.File)) }

// read makes a lesson of an author's files. It has the name of the one that it was
// made of, which the page's address names.
func (a *authoring) read(s *Session, listed *lessons.Lesson, folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems, *Error) {
	if folder == folderOf(listed) && slices.Equal(files, a.Files(listed)) {
		return listed, listed.Warnings, nil
	}
	bytes := 0
	for _, f := range files {
		bytes += len(f.Name) + len(f.Text)
	}
	if bytes > MaxTexts {
		return nil, nil, &Error{Code: CodeTooLong, Msg: s.messages().overLongTexts(bytes)}
	}
	l, problems := a.Read(folder, files)
	if l == nil {
		return nil, problems, &Error{Code: CodeMistakes, Msg: problems.Error()}
	}
	l.Name = listed.Name
	return l, problems, nil
}

// plays tells whether a lesson is the one that is played already.
func (a *authoring) plays(s *Session, l *lessons.Lesson) bool {
	return l == s.original || l != s.listed && s.isDraft() && a.original(l) == a.original(s.original)
}

// listed is problems as editors need them. Their files are those of the folder.
func listed(folder string, all lessons.Problems) []Problem {
	var out []Problem
	for _, p := range all {
		out = append(out, Problem{
			File: strings.TrimPrefix(p.File, folder+"/"), Line: p.Line, Col: p.Col, EndCol: p.EndCol,
			Severity: p.Severity, Msg: p.Message, Text: p.Error(),
		})
	}
	return out
}
