package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
)

// A disk that is full or read-only, say: the new text cannot be put beside the old one.
func TestASaveThatFailsLeavesTheFileAsItWas(t *testing.T) {
	s, l, folder := kept(t)
	way := filepath.Join(folder, "lesson.yaml.part", "in the way")
	if err := os.MkdirAll(way, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := s.Save(l, lessons.Fingerprint(author.Reader{}.Files(l)), typed(l, titled(l, "X")))
	says(t, err, "Nothing was saved, and all files are as they were: lesson.yaml cannot be written: file exists", "无法写入 lesson.yaml")
	if err := os.RemoveAll(filepath.Join(folder, "lesson.yaml.part")); err != nil {
		t.Fatal(err)
	}
	holds(t, folder, "lesson.yaml", l.YAML)
}

// The disk is full after the first of two files.
func TestASaveOfSeveralFilesIsAllOrNothing(t *testing.T) {
	s, l, folder := kept(t)
	for _, ending := range []string{partEnding, wasEnding} {
		way := filepath.Join(folder, "add.lua"+ending)
		if err := os.MkdirAll(filepath.Join(way, "in the way"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := s.Save(l, lessons.Fingerprint(author.Reader{}.Files(l)), typed(l, titled(l, "x"), "return 2"))
		if err == nil || !strings.Contains(err.Error(), "Nothing was saved, and all files are as they were: add.lua cannot be written") {
			t.Errorf("it says %v", err)
		}
		if err := os.RemoveAll(way); err != nil {
			t.Fatal(err)
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
		{file: "new.lua", text: "return 3", fresh: true},
		{file: "lesson.yaml", old: l.YAML, text: "title: x"},
		{file: "add.lua", old: "return 1\r\n", text: "return 2"},
	}
	fails := func(which ...string) func(from, to string) error {
		return func(from, to string) error {
			if slices.Contains(which, from) {
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EPERM}
			}
			return root.Rename(from, to)
		}
	}
	err = replaceAll(root, changes, fails("add.lua.part"))
	if err == nil || !strings.Contains(err.Error(), "all files are as they were: add.lua cannot be written: operation not permitted") {
		t.Errorf("it says %v", err)
	}
	holds(t, folder, "lesson.yaml", l.YAML)
	holds(t, folder, "add.lua", "return 1\r\n")
	if _, err := root.Stat("new.lua"); !os.IsNotExist(err) {
		t.Errorf("the new file is there: %v", err)
	}
	err = replaceAll(root, changes, fails("add.lua.part", "lesson.yaml.was"))
	if err == nil || !strings.Contains(err.Error(), "lesson.yaml could not be put back") {
		t.Errorf("it says %v", err)
	}
}
