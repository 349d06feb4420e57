package player

import (
	"context"
	"path"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Author lets lessons be written in a playground: it reads and saves their files, and changes no session.
type Author struct {
	Reader
	store Store // nil: only the browser keeps what an author writes

	// What a session does for an author, as values: a learner's module contains none of it.
	command  func(*Session, context.Context, Command) Message
	view     func(*Session) *ui.Author
	proveOn  func(*Session, context.Context)
	endProof func(*Session)
}

// NewAuthor lets a playground's lessons be written, and saved if there is a store.
func NewAuthor(r Reader, s Store) *Author {
	return &Author{r, s, (*Session).authorCommand, (*Session).authorView, (*Session).proveOn, (*Session).endProof}
}

// Reader makes lessons of texts. It is an interface so that a learner's WebAssembly module does not contain it.
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
	// Fill is the text of the lesson's lesson.yaml with what the proof found, what its story did, and, where it has no
	// verdicts, what searches of so many states find.
	Fill(ctx context.Context, folder string, l *lessons.Lesson, p *lessons.Proof, states int) (string, error)
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

// original is the fingerprint of a lesson's files.
func (a *Author) original(l *lessons.Lesson) string { return lessons.Fingerprint(a.Files(l)) }

func (a *Author) files(l *lessons.Lesson, id int64) Message {
	answer := replyTo(id, nil)
	answer.Folder, answer.Files, answer.Of = folderOf(l), a.Files(l), a.original(l)
	answer.Offers = a.Offers(l)
	answer.Saves = a.saves(l)
	return answer
}

func (a *Author) saves(l *lessons.Lesson) bool {
	return a.store != nil && (l == a.Blank() || a.store.Keeps(l))
}

func folderOf(l *lessons.Lesson) string { return path.Base(path.Dir(l.File)) }

// read makes a version of a listed lesson from an author's files. It has the name of the listed one, which the
// page's address has.
func (a *Author) read(lang lessons.Lang, listed *lessons.Lesson, folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems, *Error) {
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

// checked is what reading a lesson has found, and what playing it finds besides. nil: there is no lesson to play.
func (a *Author) checked(ctx context.Context, l *lessons.Lesson, found lessons.Problems) lessons.Problems {
	if l == nil {
		return found
	}
	found = append(slices.Clone(found), a.Check(ctx, l)...)
	found.Sort()
	return found
}

// problems are problems as editors need them, with files named as they are in the folder.
func (a *Author) problems(lang lessons.Lang, folder string, all lessons.Problems) []Problem {
	var out []Problem
	for _, p := range all {
		message, text := ui.Problem(lang, p)
		out = append(out, Problem{
			File: strings.TrimPrefix(p.File, folder+"/"), Line: p.Line, Col: p.Col, EndCol: p.EndCol,
			Severity: p.Severity, Msg: message, Text: text, Unused: p.Code == lessons.CodeUnusedScript && p.Line == 0,
		})
	}
	return out
}
