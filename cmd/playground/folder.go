package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
)

var newName = regexp.MustCompile(`^(?:([0-9]{1,4})-)?([a-z][a-z0-9-]{0,39})$`)

// splitName reads what a new lesson is to be called: its name, and its number if it has one.
func splitName(wanted string) (number, name string, err error) {
	m := newName.FindStringSubmatch(wanted)
	if m == nil {
		return "", "", fact.Of("no-lesson-name", wanted)
	}
	return m[1], m[2], nil
}

// freeFolder is the name of a folder that the first library does not have yet, for a
// lesson that none has. Without a number it gets the one after the highest.
func freeFolder(libs []decode.Library, number, name string) (string, error) {
	if name == author.BlankName {
		return "", fact.Of("blank-name", name)
	}
	own, err := ownLessons.Folders()
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(own, func(dir string) bool { return decode.NameOf(dir) == name }) {
		return "", fact.Of("built-in-name", name)
	}
	highest := 0
	for i, lib := range libs {
		entries, err := fs.ReadDir(lib.FS, ".")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fact.Of("folder-unreadable", lib.Shown, cause(err))
		}
		for _, e := range entries {
			if decode.NameOf(e.Name()) == name {
				return "", fact.Of("name-taken", path.Join(lib.Shown, e.Name()))
			}
			if m := newName.FindStringSubmatch(e.Name()); m != nil && i == 0 {
				n, _ := strconv.Atoi(m[1]) // 0 without one
				highest = max(highest, n)
			}
		}
	}
	return cmp.Or(number, fmt.Sprintf("%02d", highest+1)) + "-" + name, nil
}

// writeLesson makes the folder of a new lesson: all of it, or nothing. Till it is whole
// its name has a dot, so that nobody reads it.
func writeLesson(root *os.Root, folder string, files []lessons.File) error {
	s, part := saving{root: root}, "."+folder+"."+rand.Text()[:8]
	err := s.lessonAside(part, files)
	if err == nil {
		err = s.rename(part, folder) // which replaces nothing, an empty folder aside
	}
	if err != nil {
		_ = s.remove(part) // the error before says more
	}
	return err
}

// writeFile makes a file, and returns when all of it is on the disk.
func writeFile(root *os.Root, name, text string, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// cause is an error without the path, which the message names already.
func cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return at.Err
	}
	return err
}
