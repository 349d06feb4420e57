package decode

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Filename is the name of a lesson's YAML file in its folder.
const Filename = "lesson.yaml"

// mostLessons limits how many lessons are read from one folder.
const mostLessons = 500

var (
	numbered   = regexp.MustCompile(`^[0-9]+-`)
	lessonName = regexp.MustCompile("^" + lessonPattern + "$")
)

// lessonPattern is the name of a lesson.
const lessonPattern = `[a-z][a-z0-9-]{0,39}`

// Library is where lessons are read from: a folder for each, with its lesson.yaml
// and its scripts, and the lock clients that they share in clients/. Use an os.Root for
// folders from strangers, so that no link leads out of them.
type Library struct {
	FS    fs.FS             // nil: there is nothing but Texts
	Texts map[string]string // files by their paths, which stand before those of FS
	Shown string            // what stands before the paths of its files in messages
}

// Lesson reads the lesson in a folder of a file system.
func Lesson(fsys fs.FS, dir string) (*lessons.Lesson, error) { return Library{FS: fsys}.Lesson(dir) }

// All reads every lesson of a file system.
func All(fsys fs.FS) ([]*lessons.Lesson, error) { return Library{FS: fsys}.All() }

// decoder reads one lesson and collects its mistakes.
type decoder struct {
	library Library
	dir     string
	file    *source
	lesson  *lessons.Lesson
	found   lessons.Problems

	body      ast.Node
	part      string          // key of the lesson that is read
	unread    map[string]bool // keys of the lesson whose YAML cannot be parsed
	doubt     map[string]bool // keys of the lesson with a mistake that may hide a name
	missed    map[string]bool // names that were reported as missing
	processes []string        // in order of appearance
	moves     int             // choices of the story so far
}

// Lesson reads the lesson in a folder. The lesson's name is the folder's without
// its number. What is wrong comes as lessons.Problems, all of it at once.
func (b Library) Lesson(dir string) (*lessons.Lesson, error) {
	d := &decoder{
		library: b, dir: dir, lesson: &lessons.Lesson{Declared: map[string]lessons.Place{}},
		doubt: map[string]bool{}, missed: map[string]bool{},
	}
	file := path.Join(dir, Filename)
	text, err := b.read(file, mostBytes)
	if err != nil {
		return nil, lessons.Problems{b.whole(file, lessons.CodeFile, fact.Text(err), fact.Fact{})}
	}
	d.lesson.Name = NameOf(path.Base(dir))
	d.file = newSource(b.shown(file), text)
	d.lesson.File, d.lesson.YAML = d.file.path, text
	if !lessonName.MatchString(d.lesson.Name) {
		d.note(b.whole(file, lessons.CodeName, fact.Of("lesson-no-lesson-name", d.lesson.Name), fact.Of("lesson-name-folder")))
	}
	parsed := d.file.parse(text)
	for _, p := range parsed.problems {
		d.note(p)
	}
	d.body, d.unread = parsed.body, parsed.unread
	maps.Copy(d.doubt, d.unread)
	if d.body != nil {
		d.read(d.body)
	}
	if !d.failed() {
		d.unused()
	}
	d.found.Sort()
	if d.failed() {
		return nil, d.found
	}
	d.lesson.Warnings = d.found
	d.lesson.Hash = hash(d.lesson)
	return d.lesson, nil
}

// NameOf is the name of the lesson in a folder: the folder's, without its number.
func NameOf(folder string) string { return numbered.ReplaceAllString(folder, "") }

// IsName tells whether a text can be a lesson's name, with or without a number.
func IsName(name string) bool { return lessonName.MatchString(NameOf(name)) }

// failed tells whether a mistake was found, which a warning is not.
func (d *decoder) failed() bool { return len(d.found.Of(lessons.Error)) > 0 }

// All reads every lesson, in teaching order, which is the order of the folders'
// numbers. The lessons without mistakes are returned even when others have some.
func (b Library) All() ([]*lessons.Lesson, error) {
	dirs, err := b.Folders()
	if err != nil {
		return nil, err
	}
	var all []*lessons.Lesson
	var problems lessons.Problems
	folder := map[string]string{} // by lesson
	for _, dir := range dirs {
		file := path.Join(dir, Filename)
		if len(folder) == mostLessons {
			problems = append(problems, b.whole(file, lessons.CodeLimit, fact.Of("lesson-one-too-many", mostLessons), fact.Fact{}))
			break
		}
		l, err := b.Lesson(dir)
		if mistakes, ok := errors.AsType[lessons.Problems](err); ok {
			problems = append(problems, mistakes...)
			continue
		}
		if before, twice := folder[l.Name]; twice {
			problems = append(problems, b.whole(file, lessons.CodeDuplicateName,
				fact.Of("lesson-is-already", before, l.Name), fact.Of("lesson-rename-folder")))
			continue
		}
		folder[l.Name] = dir
		all = append(all, l)
	}
	compareNames(all)
	if len(problems) > 0 {
		return all, problems
	}
	return all, nil
}
