package author

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// Reader is where lessons are written. It reads no file but those that come with the
// playground.
type Reader struct {
	// SharedClients reads the clients that lie beside a lesson; nil: there are none.
	SharedClients func(*lessons.Lesson) []lessons.File
}

// Files are the texts that a lesson was read from: its lesson.yaml, and those of its scripts
// and its lock client that do not come with the playground.
func (Reader) Files(l *lessons.Lesson) []lessons.File {
	files := []lessons.File{{Name: decode.Filename, Text: l.YAML}}
	seen := map[string]bool{l.File: true} // a script of the lesson's own text
	for _, s := range l.Scripts {
		if name := inFolder(l, s.File); !seen[s.File] && !decode.IsOwn(name, s.Source) {
			seen[s.File] = true
			files = append(files, lessons.File{Name: name, Text: s.Source})
		}
	}
	if c := l.Client; c.Name != "" && !decode.IsOwn(decode.ClientFile(c.Name), c.Source) {
		files = append(files, lessons.File{Name: decode.ClientFile(c.Name), Text: c.Source})
	}
	return files
}

// inFolder is what a script's file is called from the lesson's folder, beside which clients/ lies.
func inFolder(l *lessons.Lesson, file string) string {
	if path.Dir(file) == path.Dir(l.File) {
		return path.Base(file)
	}
	return path.Join("clients", path.Base(path.Dir(file)), path.Base(file))
}

// Offers are the clients that could become files of a lesson: those that lie beside it,
// and copies of those that come with the playground.
func (d Reader) Offers(l *lessons.Lesson) []lessons.File {
	var offers []lessons.File
	if d.SharedClients != nil {
		for _, f := range d.SharedClients(l) {
			f.Of = lessons.Fingerprint([]lessons.File{f})
			offers = append(offers, f)
		}
	}
	has := func(files []lessons.File, name string) bool {
		return slices.ContainsFunc(files, func(f lessons.File) bool { return f.Name == name })
	}
	for _, f := range decode.OwnClientFiles() {
		if !has(offers, f.Name) {
			offers = append(offers, f)
		}
	}
	own := d.Files(l)
	return slices.DeleteFunc(offers, func(f lessons.File) bool { return has(own, f.Name) })
}

// name is what a file of a lesson can be called.
var name = regexp.MustCompile(`^(?:clients/(?:[A-Za-z][A-Za-z0-9_-]*/)?)?[A-Za-z][A-Za-z0-9_-]*\.lua$`)

// Read makes a lesson of texts. The folder's name is the lesson's, with its number.
// When errors are among the problems there is no lesson.
func (d Reader) Read(folder string, files []lessons.File) (*lessons.Lesson, lessons.Problems) {
	if !decode.IsName(folder) {
		return nil, lessons.Problems{lessons.Whole(folder, lessons.CodeName, fact.Of("lesson-no-lesson-name", folder), fact.Of("lesson-name-folder"))}
	}
	texts := map[string]string{}
	for _, f := range files {
		switch {
		case f.Name != decode.Filename && !name.MatchString(f.Name):
			return nil, lessons.Problems{lessons.Whole(f.Name, lessons.CodeFile, fact.Of("lesson-no-file-name", f.Name), fact.Fact{})}
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
	return l, append(slices.Clone(l.Warnings), d.unused(l, files)...)
}

// unused are the lock clients that a lesson does not use. Of the files in its folder, decode tells.
func (d Reader) unused(l *lessons.Lesson, files []lessons.File) lessons.Problems {
	var found lessons.Problems
	used := d.Files(l)
	for _, f := range files {
		if path.Dir(f.Name) == "." || slices.ContainsFunc(used, func(u lessons.File) bool { return u.Name == f.Name }) {
			continue
		}
		name := strings.TrimSuffix(path.Base(f.Name), ".lua")
		p := lessons.Whole(f.Name, lessons.CodeUnusedScript, fact.Of("lesson-unused-file"), fact.Of("lesson-use-file", name, f.Name, decode.Filename))
		p.Severity = lessons.Warning
		if path.Dir(f.Name) == "clients" {
			p.Advice = fact.Of("lesson-use-client", name, decode.Filename)
		}
		found = append(found, p)
	}
	return found
}

// Check plays a lesson's story on embedded nodes, as playground check does, and tells what
// does not hold. When the context ends before, it says that nothing is known.
func (Reader) Check(ctx context.Context, l *lessons.Lesson) lessons.Problems {
	report, err := check(ctx, l)
	switch {
	case ctx.Err() != nil:
		p := lessons.Whole(l.File, lessons.CodeUnproven, fact.Of("lesson-took-too-long"), fact.Of("lesson-run-check"))
		p.Severity = lessons.Warning
		return lessons.Problems{p}
	case err != nil:
		return lessons.Problems{l.Trouble(err)}
	}
	return append(report.Problems, report.Lint()...)
}

// check plays a lesson's story on embedded nodes.
func check(ctx context.Context, l *lessons.Lesson) (lessons.Report, error) {
	return lessons.Check(ctx, l, l.Open(lessons.Embedded))
}
