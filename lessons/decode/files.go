package decode

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// clientsDir is where the lock clients are that lessons share, and in a folder for each the scripts that it sends.
const clientsDir = "clients"

// mostOffered bounds how many clients are read at once.
const mostOffered = 50

// ownClients has the clients that come with the playground.
var ownClients = Library{FS: lessons.FS, Shown: "lessons"}

var errMissing = fact.Of("file-missing")

func tooLong(most int64) error { return fact.Of("file-too-long", most) }

// shown is a path as messages have it.
func (b Library) shown(name string) string { return path.Join(b.Shown, name) }

// whole is a mistake that concerns a file as a whole.
func (b Library) whole(file string, code lessons.Code, message, advice fact.Fact) *lessons.Problem {
	return lessons.Whole(b.shown(file), code, message, advice)
}

// read reads a file of at most the given number of bytes. The error is one sentence.
func (b Library) read(name string, most int64) (string, error) {
	if text, ok := b.Texts[name]; ok {
		if int64(len(text)) > most {
			return "", tooLong(most)
		}
		return text, nil
	}
	if b.FS == nil {
		return "", errMissing
	}
	info, err := fs.Stat(b.FS, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errMissing
	case err != nil:
		return "", fmt.Errorf("this file cannot be opened: %w", cause(err))
	case !info.Mode().IsRegular(): // reading a pipe could block for ever
		return "", errors.New("this is not a regular file")
	}
	f, err := b.FS.Open(name)
	if err != nil {
		return "", fmt.Errorf("this file cannot be opened: %w", cause(err))
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("this file cannot be read: %w", cause(err))
	case int64(len(text)) > most:
		return "", tooLong(most)
	}
	return string(text), nil
}

// cause is an error without the path, which the message names already.
func cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

// Folders lists the folders that are numbered as those of lessons are, in order.
func (b Library) Folders() ([]string, error) {
	var dirs []string
	if b.FS != nil {
		entries, err := fs.ReadDir(b.FS, ".")
		if err != nil {
			return nil, fmt.Errorf("the lessons cannot be read: %w", cause(err))
		}
		for _, e := range entries {
			if e.IsDir() && numbered.MatchString(e.Name()) {
				dirs = append(dirs, e.Name())
			}
		}
	}
	for name := range b.Texts {
		if dir, file := path.Split(name); file == Filename && numbered.MatchString(dir) {
			dirs = append(dirs, path.Clean(dir))
		}
	}
	return inOrder(dirs), nil
}

// inOrder is each name once.
func inOrder(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// luaFiles lists the Lua files of a folder. A folder that cannot be read is like an
// empty one: the caller says which file is missing.
func (b Library) luaFiles(dir string) []string {
	var names []string
	if b.FS != nil {
		entries, _ := fs.ReadDir(b.FS, dir)
		for _, e := range entries {
			if !e.IsDir() && luaName.MatchString(e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	for name := range b.Texts {
		if in, file := path.Split(name); path.Clean(in) == dir && luaName.MatchString(file) {
			names = append(names, file)
		}
	}
	return inOrder(names)
}

// unused warns of files in the lesson's folder that are no script of it.
func (d *decoder) unused() {
	for _, name := range d.library.luaFiles(d.dir) {
		file := path.Join(d.dir, name)
		if slices.ContainsFunc(d.lesson.Scripts, func(s lessons.Script) bool { return s.File == d.library.shown(file) }) {
			continue
		}
		p := d.library.whole(file, lessons.CodeUnusedScript, fact.Of("lesson-unused-file"),
			fact.Of("lesson-use-file-or-drop", strings.TrimSuffix(name, ".lua"), name, Filename))
		p.Severity = lessons.Warning
		d.note(p)
	}
}

// clients lists the lock clients that there are: those beside the lessons, and those that come with the playground.
func (b Library) clients() []string {
	files := append(b.luaFiles(clientsDir), ownClients.luaFiles(clientsDir)...)
	return inOrder(each(files, func(file string) string { return strings.TrimSuffix(file, ".lua") }))
}

// ClientFiles are the lock clients that lie beside the lessons, as far as they can be read.
func (b Library) ClientFiles() []lessons.File {
	var files []lessons.File
	for _, name := range b.luaFiles(clientsDir) {
		name = path.Join(clientsDir, name)
		if text, err := b.read(name, mostClient); err == nil && len(files) < mostOffered {
			files = append(files, lessons.File{Name: name, Text: text})
		}
	}
	return files
}

// OwnClientFiles are the clients that come with the playground.
func OwnClientFiles() []lessons.File { return ownClients.ClientFiles() }

// ClientFile is where a client's text is, beside the lessons' folders.
func ClientFile(name string) string { return path.Join(clientsDir, name+".lua") }

// IsOwn tells whether a file of clients/ comes with the playground as it is.
func IsOwn(file, text string) bool {
	own, err := ownClients.read(file, mostClient)
	return err == nil && own == text
}

// owner is the library that has a file of clients/; own tells whether it is this one.
func (b Library) owner(file string) (owner Library, own bool) {
	if dir, name := path.Split(file); slices.Contains(b.luaFiles(path.Clean(dir)), name) {
		return b, true
	}
	return ownClients, false
}

// clientScripts lists the scripts that a lock client sends, and which lessons share:
// clients/redisson/lock.lua is one of redisson's.
func (b Library) clientScripts(client string) []string {
	dir := path.Join(clientsDir, client)
	files := append(b.luaFiles(dir), ownClients.luaFiles(dir)...)
	return inOrder(each(files, func(file string) string { return path.Join(dir, file) }))
}
