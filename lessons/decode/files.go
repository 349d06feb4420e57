package decode

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"lockstep/lessons"
)

// clientsDir is where the lock clients are that lessons share.
const clientsDir = "clients"

// shown is a path as messages have it.
func (b Library) shown(name string) string { return path.Join(b.Shown, name) }

// whole is a mistake of a file as such.
func (b Library) whole(file string, code lessons.Code, message, advice string) *lessons.Problem {
	return &lessons.Problem{
		Place: lessons.Place{File: b.shown(file)}, Severity: lessons.Error, Code: code, Message: message, Advice: advice,
	}
}

// read reads a file that may have so many bytes. The error is one sentence.
func (b Library) read(name string, most int64) (string, error) {
	info, err := fs.Stat(b.FS, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such file")
	case err != nil:
		return "", fmt.Errorf("this file cannot be opened: %w", cause(err))
	case !info.Mode().IsRegular(): // a pipe would be waited for, for ever
		return "", errors.New("this is no file that could be read")
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
		return "", fmt.Errorf("this file is longer than %d bytes", most)
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

// luaFiles lists the Lua files of a folder.
func luaFiles(fsys fs.FS, dir string) []string {
	entries, err := fs.ReadDir(fsys, dir)
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

// clients lists the lock clients that there are: those beside the lessons, and
// those that come with the playground.
func (b Library) clients() []string {
	var names []string
	for _, file := range append(luaFiles(b.FS, clientsDir), luaFiles(lessons.FS, clientsDir)...) {
		names = append(names, strings.TrimSuffix(file, ".lua"))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// clientOwner is the library that has a client.
func (b Library) clientOwner(name string) Library {
	if slices.Contains(luaFiles(b.FS, clientsDir), name+".lua") {
		return b
	}
	return Library{FS: lessons.FS, Shown: "lessons"}
}
