// Package author makes lessons of texts that somebody types.
package author

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// Desk is where lessons are written. It reads no file but those that come with the
// playground.
type Desk struct{}

// Files are the texts that a lesson was read from: its lesson.yaml, its scripts, and
// its lock client when that does not come with the playground.
func (Desk) Files(l *lessons.Lesson) []lessons.File {
	files := []lessons.File{{Name: decode.Filename, Text: l.YAML}}
	seen := map[string]bool{l.File: true} // a script of the lesson's own text
	for _, s := range l.Scripts {
		if !seen[s.File] {
			seen[s.File] = true
			files = append(files, lessons.File{Name: path.Base(s.File), Text: s.Source})
		}
	}
	if c := l.Client; c.Name != "" && !decode.IsOwnClient(c) {
		files = append(files, lessons.File{Name: decode.ClientFile(c.Name), Text: c.Source})
	}
	return files
}

// name is what a file of a lesson can be called.
var name = regexp.MustCompile(`^(?:clients/)?[A-Za-z][A-Za-z0-9_-]*\.lua$`)

// Read makes a lesson of texts. The folder's name is the lesson's, with its number.
// When errors are among the problems there is no lesson.
func (Desk) Read(folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems) {
	if !decode.IsFolder(folder) {
		return nil, lessons.Problems{whole(folder, lessons.CodeName, fmt.Sprintf("%q cannot be the name of a lesson: write small letters, digits and -, as in 07-fencing-token", folder))}
	}
	texts := map[string]string{}
	for _, f := range files {
		switch {
		case f.Name != decode.Filename && !name.MatchString(f.Name):
			return nil, lessons.Problems{whole(f.Name, lessons.CodeFile, fmt.Sprintf("%q is no name of a file of a lesson", f.Name))}
		case strings.HasPrefix(f.Name, "clients/"):
			texts[f.Name] = f.Text
		default:
			texts[folder+"/"+f.Name] = f.Text
		}
	}
	l, err := decode.Library{Texts: texts}.Lesson(folder)
	if problems, ok := err.(lessons.Problems); ok { //nolint:errorlint // Lesson says so
		return nil, problems
	}
	return l, l.Warnings
}

func whole(file string, code lessons.Code, message string) *lessons.Problem {
	return &lessons.Problem{Place: lessons.Place{File: file}, Severity: lessons.Error, Code: code, Message: message}
}
