package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"strconv"
)

// Files of a save while it is under way. Its folder's name has a dot, so that nobody reads it.
const (
	savingFolder = ".saving"
	unsure       = savingFolder + "/part"   // a journal that may not be whole
	toFinish     = savingFolder + "/finish" // the journal: all new texts are on the disk
	toUndo       = savingFolder + "/undo"   // the journal, when one could not be put in its place
)

// saving changes the disk for a save in such a way that whatever it was doing when the program was
// killed is finished or undone afterwards.
type saving struct {
	root   *os.Root
	before func(does, name string) error // of tests: comes before each change of the disk; nil: there is none
}

func newText(i int) string { return path.Join(savingFolder, strconv.Itoa(i)+".new") }
func oldText(i int) string { return path.Join(savingFolder, strconv.Itoa(i)+".old") }

// does makes one change of the disk.
func (s saving) does(what, name string, do func() error) error {
	if s.before != nil {
		if err := s.before(what, name); err != nil {
			return err
		}
	}
	return do()
}

func (s saving) mkdir(name string) error {
	return s.does("mkdir", name, func() error { return s.root.MkdirAll(name, 0o755) })
}

func (s saving) write(name, text string, mode fs.FileMode) error {
	return s.does("write", name, func() error { return writeFile(s.root, name, text, mode) })
}

func (s saving) rename(from, to string) error {
	return s.does("rename", from, func() error { return s.root.Rename(from, to) })
}

func (s saving) remove(name string) error {
	return s.does("remove", name, func() error { return s.root.RemoveAll(name) })
}

// sync has the names in a folder on the disk. Not every system can.
func (s saving) sync(folder string) {
	if f, err := s.root.Open(folder); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// recover finishes or undoes a save that was broken off.
func (s saving) recover() error {
	if !s.has(savingFolder) {
		return nil
	}
	for journal, complete := range map[string]func([]change) error{toFinish: s.finish, toUndo: s.undo} { // there is one of them at most
		text, err := s.root.ReadFile(journal)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var changes []change
		if err == nil {
			err = json.Unmarshal(text, &changes)
		}
		if err == nil {
			err = complete(changes)
		}
		if err != nil {
			return err
		}
		if err := s.remove(journal); err != nil {
			return err
		}
	}
	return s.remove(savingFolder)
}

// begin writes the journal: from then on the save is finished, whatever happens.
func (s saving) begin(changes []change) error {
	text, err := json.Marshal(changes)
	if err == nil {
		err = s.write(unsure, string(text), 0o644)
	}
	if err == nil {
		err = s.rename(unsure, toFinish)
	}
	s.sync(savingFolder)
	s.sync(".")
	return err
}

// finish puts each new text in its place that is not there yet.
func (s saving) finish(changes []change) error {
	for i, c := range changes {
		if !s.has(newText(i)) {
			continue
		}
		err := s.mkdir(path.Dir(c.File))
		if err == nil {
			err = s.rename(newText(i), c.File)
		}
		if err != nil {
			return c.unwritten(err)
		}
	}
	s.syncAll(changes)
	return nil
}

// undo puts back what finish has replaced, and takes away what it has made.
func (s saving) undo(changes []change) error {
	for i, c := range changes {
		var err error
		switch {
		case s.has(newText(i)): // it was not replaced
		case c.Fresh:
			err = s.remove(c.File)
		case s.has(oldText(i)):
			err = s.rename(oldText(i), c.File)
		}
		if err != nil {
			return c.notPutBack(err)
		}
	}
	s.syncAll(changes)
	return nil
}

func (s saving) syncAll(changes []change) {
	for _, c := range changes {
		s.sync(path.Dir(c.File))
	}
}

func (s saving) has(name string) bool {
	_, err := s.root.Lstat(name)
	return err == nil
}
