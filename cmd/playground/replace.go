package main

import (
	"io/fs"
	"path"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// change is a file that gets another text, or a file or a whole lesson that is made. A journal has
// its exported fields.
type change struct {
	File      string
	Fresh     bool // there is no such file yet
	old, text string
	lesson    []lessons.File // in place of a text: the files in the folder of a new lesson
	shown     string         // that folder, as its author knows it
}

// replaceAll makes all changes or none, also when the program is killed meanwhile. Till all new
// texts are on the disk, and the old ones once more, nothing is replaced: a full disk is noticed before.
func (s saving) replaceAll(changes []change) error {
	if len(changes) == 0 {
		return nil
	}
	if err := s.recover(); err != nil { // a save that could not even be undone
		return notWritten(savingFolder, err)
	}
	err := s.prepare(changes)
	if err != nil {
		_ = s.remove(savingFolder) // the error before says more
		return err
	}
	if err = s.finish(changes); err != nil {
		if failed := s.rename(toFinish, toUndo); failed != nil {
			return changes[0].notPutBack(failed)
		}
		if failed := s.undo(changes); failed != nil {
			return failed
		}
	}
	_ = s.recover() // nothing is left but to remove what lies aside, which the next save does otherwise
	return err
}

// prepare writes all texts aside, and the journal.
func (s saving) prepare(changes []change) error {
	if err := s.mkdir(savingFolder); err != nil {
		return notWritten(savingFolder, err)
	}
	for i, c := range changes {
		if err := s.aside(i, c, len(changes) > 1); err != nil {
			return c.unwritten(err)
		}
	}
	if err := s.begin(changes); err != nil {
		return notWritten(savingFolder, err)
	}
	return nil
}

// aside writes what a change puts in its place, and the old text where another change might fail after it.
func (s saving) aside(i int, c change, several bool) error {
	if c.lesson != nil {
		return s.lessonAside(newText(i), c.lesson)
	}
	if c.Fresh {
		return s.write(newText(i), c.text, 0o644)
	}
	info, err := s.root.Stat(c.File)
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	if err := s.write(newText(i), c.text, mode); err != nil || !several {
		return err
	}
	return s.write(oldText(i), c.old, mode)
}

func (s saving) lessonAside(folder string, files []lessons.File) error {
	if err := s.mkdir(folder); err != nil {
		return err
	}
	for _, f := range files {
		if err := s.write(path.Join(folder, f.Name), f.Text, fs.FileMode(0o644)); err != nil {
			return err
		}
	}
	s.sync(folder)
	return nil
}

func (c change) unwritten(err error) error {
	if c.lesson != nil {
		return fact.Of("lesson-unwritten", c.shown, cause(err))
	}
	return notWritten(path.Base(c.File), err)
}

func (c change) notPutBack(err error) error { return fact.Of("not-put-back", c.File, cause(err)) }
