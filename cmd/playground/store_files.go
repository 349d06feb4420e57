package main

import (
	"os"
	"path"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
)

// parseLesson reads a lesson from its files. One with mistakes is never saved, since
// everybody would see it.
func parseLesson(folder string, files []lessons.File) (*lessons.Lesson, error) {
	l, _ := author.Reader{}.Read(folder, files)
	if l == nil {
		return nil, fact.Of("has-mistakes")
	}
	return l, nil
}

// splitClients parts the files in a lesson's folder from the lock clients beside it.
func splitClients(files []lessons.File) (inside, clients []lessons.File) {
	for _, f := range files {
		if path.Dir(f.Name) == "." {
			inside = append(inside, f)
		} else {
			clients = append(clients, f)
		}
	}
	return inside, clients
}

// withLineEndsOf is a text with the line ends of another: browsers know one kind.
func withLineEndsOf(text, of string) string {
	if !strings.Contains(of, "\r\n") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// added is what makes files there that a lesson did not have before, and that it uses
// now. Where there is one already it must be as the author saw it.
func (s *store) added(root *os.Root, folder string, next *lessons.Lesson, files []lessons.File) ([]change, error) {
	var changes []change
	uses := author.Reader{}.Files(next)
	for _, f := range files {
		text, err := readPlain(root, within(folder, f.Name))
		there := err == nil
		f.Text = withLineEndsOf(f.Text, text)
		switch {
		case err != nil && !os.IsNotExist(err):
			return nil, notWritten(f.Name, err)
		case there && text == f.Text:
			continue
		case there && lessons.Fingerprint([]lessons.File{{Name: f.Name, Text: text}}) != f.Of:
			return nil, fact.Of("another-file", f.Name)
		case !slices.ContainsFunc(uses, func(u lessons.File) bool { return u.Name == f.Name }):
			return nil, fact.Of("unused-file", f.Name)
		}
		changes = append(changes, change{File: within(folder, f.Name), old: text, text: f.Text, Fresh: !there})
	}
	return changes, nil
}

// onDisk are a lesson's files with the texts that they have there.
func onDisk(root *os.Root, folder string, files []lessons.File) ([]lessons.File, error) {
	now := make([]lessons.File, len(files))
	for i, f := range files {
		text, err := readPlain(root, within(folder, f.Name))
		if err != nil {
			return nil, notWritten(f.Name, err)
		}
		now[i] = lessons.File{Name: f.Name, Text: text}
	}
	return now, nil
}

// clients are those that lie beside a lesson of the folders, or would beside a new one.
func (d *workspace) clients(l *lessons.Lesson) []lessons.File {
	for i, lib := range d.libs {
		if _, ok := d.folderIn(i, l); ok || l == (author.Reader{}).Blank() {
			return lib.ClientFiles()
		}
	}
	return nil
}

// folderIn is the folder of a lesson among those of the ith folder of lessons, also after it was given another number.
func (d *workspace) folderIn(i int, l *lessons.Lesson) (string, bool) {
	folder := path.Base(path.Dir(l.File))
	if path.Join(d.libs[i].Shown, folder, path.Base(l.File)) != l.File {
		return "", false
	}
	there := func(folder string) bool {
		_, err := d.roots[i].Lstat(path.Join(folder, path.Base(l.File)))
		return err == nil
	}
	if there(folder) {
		return folder, true
	}
	folders, _ := d.libs[i].Folders() // none can be read: it is in none
	for _, other := range folders {
		if decode.NameOf(other) == l.Name && there(other) {
			return other, true
		}
	}
	return "", false
}

// used are those of a new lesson's files that it uses.
func used(l *lessons.Lesson, files []lessons.File) []lessons.File {
	uses := author.Reader{}.Files(l)
	return slices.DeleteFunc(files, func(f lessons.File) bool {
		return !slices.ContainsFunc(uses, func(u lessons.File) bool { return u.Name == f.Name })
	})
}
