package main

import (
	"io/fs"
	"os"
	"path"

	"lockstep/engine/fact"
)

// change is a file that gets another text, or that is made.
type change struct {
	file, old, text string
	fresh           bool // there is no such file yet
}

// What lies beside a file while it is replaced.
const (
	partEnding = ".part" // its new text
	wasEnding  = ".was"  // its old one, where another file might fail after it
)

// replaceAll gives files other texts, all of them or none. Till all new texts are on the
// disk, and the old ones once more, nothing is replaced: a full disk is noticed before.
func replaceAll(root *os.Root, changes []change, rename func(from, to string) error) error {
	defer func() {
		for _, c := range changes {
			_ = root.Remove(c.file + partEnding) // what is left of them when something failed
			_ = root.Remove(c.file + wasEnding)
		}
	}()
	for _, c := range changes {
		if err := prepare(root, c, len(changes) > 1); err != nil {
			return notWritten(path.Base(c.file), err)
		}
	}
	for i, c := range changes {
		if err := rename(c.file+partEnding, c.file); err != nil {
			return rollBack(root, changes[:i], rename, notWritten(path.Base(c.file), err))
		}
	}
	return nil
}

// prepare writes a file's new text beside it, and its old one.
func prepare(root *os.Root, c change, both bool) error {
	mode := fs.FileMode(0o644)
	if c.fresh {
		if err := root.MkdirAll(path.Dir(c.file), 0o755); err != nil {
			return err
		}
	} else {
		info, err := root.Stat(c.file)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
	}
	write := func(ending, text string) error {
		_ = root.Remove(c.file + ending) // of a program that was killed
		return writeFile(root, c.file+ending, text, mode)
	}
	if err := write(partEnding, c.text); err != nil || !both || c.fresh {
		return err
	}
	return write(wasEnding, c.old)
}

// rollBack puts the old texts back, takes what is new away, and returns why that was necessary.
func rollBack(root *os.Root, changed []change, rename func(from, to string) error, why error) error {
	for _, c := range changed {
		if c.fresh {
			_ = root.Remove(c.file)
			continue
		}
		if err := rename(c.file+wasEnding, c.file); err != nil {
			return fact.Of("not-put-back", c.file, cause(err))
		}
	}
	return why
}
