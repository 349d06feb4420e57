// Package decode reads lessons from their YAML, strictly: a mistake names the
// file, line and column, shows the line and says what to write instead.
package decode

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"lockstep/lessons"
)

// Filename is what the text of a lesson is called in its folder.
const Filename = "lesson.yaml"

// clientsDir is where the lock clients are that lessons share.
const clientsDir = "clients"

var (
	numbered   = regexp.MustCompile(`^[0-9]+-`)
	lessonName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)
)

// decoder reads one lesson and gathers its mistakes.
type decoder struct {
	fsys   fs.FS
	dir    string
	file   *source
	lesson *lessons.Lesson
	errs   Errors

	processes []string // in order of appearance
	moves     int      // choices of the story so far
}

// Lesson reads the lesson in a folder. The lesson's name is the folder's
// without its number. Mistakes come as Errors.
func Lesson(fsys fs.FS, dir string) (*lessons.Lesson, error) {
	d := &decoder{fsys: fsys, dir: dir, lesson: &lessons.Lesson{}}
	file := path.Join(dir, Filename)
	text, err := read(fsys, file, mostBytes)
	if err != nil {
		return nil, Errors{{File: file, Message: err.Error()}}
	}
	d.lesson.Name = numbered.ReplaceAllString(path.Base(dir), "")
	d.file = newSource(file, text)
	if !lessonName.MatchString(d.lesson.Name) {
		d.note(d.file.whole(fmt.Sprintf("%q cannot be the name of a lesson", d.lesson.Name),
			"name its folder with a number, small letters, digits and -, as in 04-reentrant-lock"))
	}
	body, problem := d.file.parse(text)
	if problem != nil {
		d.note(problem)
		return nil, d.errs
	}
	d.read(body)
	if len(d.errs) > 0 {
		slices.SortStableFunc(d.errs, byPlace)
		return nil, d.errs
	}
	d.lesson.Hash = hash(d.lesson)
	return d.lesson, nil
}

func byPlace(a, b *Error) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Col - b.Col
}

// All reads every lesson of a file system, in teaching order, which is the
// order of the folders' numbers. The lessons without mistakes are returned even
// when others have some.
func All(fsys fs.FS) ([]*lessons.Lesson, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("the lessons cannot be read: %w", err)
	}
	var all []*lessons.Lesson
	var errs Errors
	folder := map[string]string{} // by lesson
	for _, e := range entries {
		if !e.IsDir() || !numbered.MatchString(e.Name()) {
			continue
		}
		l, err := Lesson(fsys, e.Name())
		if mistakes, ok := errors.AsType[Errors](err); ok {
			errs = append(errs, mistakes...)
			continue
		}
		if before, twice := folder[l.Name]; twice {
			errs = append(errs, &Error{
				File: path.Join(e.Name(), Filename), Message: fmt.Sprintf("%s is a lesson %q already", before, l.Name),
				Hint: "rename one of the folders",
			})
			continue
		}
		folder[l.Name] = e.Name()
		all = append(all, l)
	}
	return all, errs.asError()
}

// read reads a file that may have so many bytes. The error is one sentence.
func read(fsys fs.FS, name string, most int64) (string, error) {
	f, err := fsys.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such file")
	case err != nil:
		return "", fmt.Errorf("this file cannot be opened: %w", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("this file cannot be read: %w", err)
	case int64(len(text)) > most:
		return "", fmt.Errorf("this file is longer than %d bytes", most)
	}
	return string(text), nil
}

// luaFiles lists the Lua files of a folder.
func (d *decoder) luaFiles(dir string) []string {
	entries, err := fs.ReadDir(d.fsys, dir)
	if err != nil {
		return nil // like an empty one: the caller says which file is missing
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && luaName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}
