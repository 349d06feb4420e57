package player

import (
	"context"
	"path"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// authoring reads and saves the files of lessons. It changes no session.
type authoring struct {
	Reader
	store Store // nil: only the browser keeps what an author writes
}

// NewAuthor lets a playground's lessons be written, and saved if there is a store.
func NewAuthor(r Reader, s Store) Author { return &authoring{r, s} }

func (a *authoring) original(l *lessons.Lesson) string { return lessons.Fingerprint(a.Files(l)) }

func (a *authoring) files(l *lessons.Lesson, id int64) Message {
	answer := replyTo(id, nil)
	answer.Folder, answer.Files, answer.Of = folderOf(l), a.Files(l), a.original(l)
	answer.Offers = a.Offers(l)
	answer.Saves = a.saves(l)
	return answer
}

func (a *authoring) saves(l *lessons.Lesson) bool {
	return a.store != nil && (l == a.Blank() || a.store.Keeps(l))
}

func (a *authoring) save(ctx context.Context, lang lessons.Lang, l *lessons.Lesson, c Command) Message {
	if !a.saves(l) {
		return replyTo(c.ID, refusal(lang, CodeNotSaved, fact.Of("no-store")))
	}
	folder := folderOf(l)
	if l == a.Blank() {
		folder = c.Folder
	}
	written, problems, err := a.read(lang, l, folder, c.Files)
	problems = a.checked(ctx, written, problems)
	if mistakes := problems.Of(lessons.Error); err != nil || len(mistakes) > 0 {
		if err == nil || err.Code == CodeMistakes {
			err = refusal(lang, CodeMistakes, fact.Of("mistakes-not-saved", len(mistakes)))
		}
		answer := replyTo(c.ID, err)
		answer.Problems = a.problems(folder, problems)
		return answer
	}
	if l == a.Blank() {
		return a.create(lang, c)
	}
	of, failed := a.store.Save(l, c.Of, c.Files)
	if failed != nil {
		return replyTo(c.ID, refusal(lang, CodeNotSaved, failed))
	}
	answer := replyTo(c.ID, nil)
	answer.Of = of
	return answer
}

// create writes files as a new lesson.
func (a *authoring) create(lang lessons.Lang, c Command) Message {
	folder, err := a.store.Create(c.Folder, c.Files)
	if err != nil {
		return replyTo(c.ID, refusal(lang, CodeNotSaved, err))
	}
	answer := replyTo(c.ID, nil)
	answer.Folder = folder
	return answer
}

func folderOf(l *lessons.Lesson) string { return path.Base(path.Dir(l.File)) }

// read gives the new lesson the name of the listed one, which the page's address has.
func (a *authoring) read(lang lessons.Lang, listed *lessons.Lesson, folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems, *Error) {
	if folder == folderOf(listed) && slices.Equal(files, a.Files(listed)) {
		return listed, listed.Warnings, nil
	}
	bytes := 0
	for _, f := range files {
		bytes += len(f.Name) + len(f.Text)
	}
	if bytes > MaxTexts {
		return nil, nil, refusal(lang, CodeTooLong, fact.Of("long-texts", bytes, MaxTexts))
	}
	l, problems := a.Read(folder, files)
	if l == nil {
		return nil, problems, &Error{Code: CodeMistakes, Msg: problems.Error()}
	}
	l.Name = listed.Name
	return l, problems, nil
}

func (a *authoring) checked(ctx context.Context, l *lessons.Lesson, found lessons.Problems) lessons.Problems {
	if l == nil {
		return found
	}
	found = append(slices.Clone(found), a.Check(ctx, l)...)
	found.Sort()
	return found
}

// problems names files as they are in the folder.
func (a *authoring) problems(folder string, all lessons.Problems) []Problem {
	var out []Problem
	for _, p := range all {
		out = append(out, Problem{
			File: strings.TrimPrefix(p.File, folder+"/"), Line: p.Line, Col: p.Col, EndCol: p.EndCol,
			Severity: p.Severity, Msg: p.Message, Text: p.Error(),
		})
	}
	return out
}
