package main

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
)

// refuses stands for a disk that does not make some changes.
func refuses(err error, changes ...string) func(does, name string) error {
	return func(does, name string) error {
		if slices.Contains(changes, does+" "+name) {
			return &os.PathError{Op: does, Path: name, Err: err}
		}
		return nil
	}
}

// A disk that is full or read-only, say: the new text cannot be put aside.
func TestASaveThatFailsLeavesTheFileAsItWas(t *testing.T) {
	s, l, folder := kept(t)
	s.before = refuses(syscall.EEXIST, "write .saving/0.new")
	_, err := s.Save(l, lessons.Fingerprint(author.Reader{}.Files(l)), typed(l, titled(l, "X")))
	says(t, err, "Nothing was saved, and all files are as they were: lesson.yaml cannot be written: file exists", "无法写入 lesson.yaml")
	holds(t, folder, "lesson.yaml", l.YAML)
}

// The disk is full after the first of two files.
func TestASaveOfSeveralFilesIsAllOrNothing(t *testing.T) {
	s, l, folder := kept(t)
	for _, aside := range []string{newText(1), oldText(1)} {
		s.before = refuses(syscall.ENOSPC, "write "+aside)
		_, err := s.Save(l, lessons.Fingerprint(author.Reader{}.Files(l)), typed(l, titled(l, "x"), "return 2"))
		if err == nil || !strings.Contains(err.Error(), "Nothing was saved, and all files are as they were: add.lua cannot be written") {
			t.Errorf("it says %v", err)
		}
		holds(t, folder, "lesson.yaml", l.YAML)
		holds(t, folder, "add.lua", "return 1\r\n")
	}
}

// The second of two files can be written, and not put in its place.
func TestWhatWasReplacedIsPutBack(t *testing.T) {
	_, l, folder := kept(t)
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	changes := []change{
		{File: "new.lua", text: "return 3", Fresh: true},
		{File: "lesson.yaml", old: l.YAML, text: "title: x"},
		{File: "add.lua", old: "return 1\r\n", text: "return 2"},
	}
	err = saving{root, refuses(syscall.EPERM, "rename .saving/2.new")}.replaceAll(changes)
	if err == nil || !strings.Contains(err.Error(), "all files are as they were: add.lua cannot be written: operation not permitted") {
		t.Errorf("it says %v", err)
	}
	asItWas := func() {
		t.Helper()
		holds(t, folder, "lesson.yaml", l.YAML)
		holds(t, folder, "add.lua", "return 1\r\n")
		if _, err := root.Stat("new.lua"); !os.IsNotExist(err) {
			t.Errorf("the new file is there: %v", err)
		}
	}
	asItWas()
	err = saving{root, refuses(syscall.EPERM, "rename .saving/2.new", "rename .saving/1.old")}.replaceAll(changes)
	if err == nil || !strings.Contains(err.Error(), "lesson.yaml could not be put back") {
		t.Errorf("it says %v", err)
	}
	if err := (saving{root: root}).recover(); err != nil {
		t.Errorf("when it can be: %v", err)
	}
	asItWas()
}
