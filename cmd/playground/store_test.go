package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
)

// kept is a folder with a lesson of two files, and a store of it.
func kept(t *testing.T) (*store, *lessons.Lesson, string) {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "01-tiny")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, folder, "lesson.yaml", strings.Replace(tinyLesson, "actors:", "scripts: {add: {file: add.lua}}\nactors:", 1))
	put(t, folder, "add.lua", "return 1\r\n")
	desk, err := openDesk([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	edition, wrong := desk.read()
	if wrong != "" {
		t.Fatal(wrong)
	}
	for _, l := range edition.Lessons {
		if l.Name == "tiny" {
			return &store{desk: desk}, l, folder
		}
	}
	t.Fatal("the lesson is not read")
	return nil, nil, ""
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, folder, name, want string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil || string(text) != want {
		t.Errorf("%s has %q (%v), want %q", name, text, err, want)
	}
	if _, err := os.Lstat(filepath.Join(folder, name+".part")); err == nil {
		t.Errorf("%s.part was left behind", name)
	}
}

// typed is the files of a lesson as a browser sends them, with other texts.
func typed(l *lessons.Lesson, texts ...string) []lessons.File {
	files := author.Desk{}.Files(l)
	for i, text := range texts {
		files[i].Text = text
	}
	return files
}

func TestSavingReplacesWhatWasOpened(t *testing.T) {
	s, l, folder := kept(t)
	if !s.Keeps(l) {
		t.Fatal("the lesson is not kept")
	}
	opened := lessons.Fingerprint(author.Desk{}.Files(l))
	of, err := s.Save(l, opened, typed(l, "title: broken", "return 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, folder, "lesson.yaml", "title: broken")
	holds(t, folder, "add.lua", "return 2\r\n")
	if of, err = s.Save(l, of, typed(l, "title: mended", "return 2\n")); err != nil {
		t.Fatalf("a second time: %v", err)
	}
	info, err := os.Stat(filepath.Join(folder, "lesson.yaml"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	if _, err := s.Save(l, opened, typed(l, "title: late")); err == nil || !strings.Contains(err.Error(), "changed on disk since you opened them") {
		t.Errorf("who opened it before saves with %v", err)
	}
	put(t, folder, "add.lua", "return 3")
	if _, err := s.Save(l, of, typed(l, "title: late")); err == nil {
		t.Error("a script that changed on disk is not seen")
	}
	holds(t, folder, "lesson.yaml", "title: mended")
}

func TestOnlyTheLessonsOwnFilesAreWritten(t *testing.T) {
	s, l, folder := kept(t)
	of := lessons.Fingerprint(author.Desk{}.Files(l))
	for _, name := range []string{"../../victim.lua", "other.lua", "clients/redisson.lua"} {
		files := typed(l)
		files[1].Name = name
		if _, err := s.Save(l, of, files); err == nil {
			t.Errorf("%s is saved", name)
		}
		if _, err := s.Save(l, of, append(typed(l), lessons.File{Name: name, Text: "x"})); err == nil {
			t.Errorf("%s is saved beside the others", name)
		}
	}
	builtIn, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	if s.Keeps(builtIn[0]) {
		t.Error("lessons that come with the program can be saved")
	}
	outside := filepath.Join(t.TempDir(), "outside.lua")
	put(t, filepath.Dir(outside), "outside.lua", "return 1\r\n")
	if err := os.Remove(filepath.Join(folder, "add.lua")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "add.lua")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Save(l, of, typed(l, "title: x", "return 2")); err == nil || !strings.Contains(err.Error(), "it is no plain file") {
		t.Errorf("through a link it is saved with %v", err)
	}
	holds(t, filepath.Dir(outside), "outside.lua", "return 1\r\n")
}

// A disk that is full or read-only, say: the new text cannot be put beside the old one.
func TestASaveThatFailsLeavesTheFileAsItWas(t *testing.T) {
	s, l, folder := kept(t)
	way := filepath.Join(folder, "lesson.yaml.part", "in the way")
	if err := os.MkdirAll(way, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := s.Save(l, lessons.Fingerprint(author.Desk{}.Files(l)), typed(l, "title: x"))
	refused, is := err.(*notSaved) //nolint:errorlint // Save gives no other
	if !is || !strings.Contains(refused.Error(), "lesson.yaml was not saved, and is as it was: file exists") || !strings.Contains(refused.Zh(), "lesson.yaml 没有保存") {
		t.Errorf("it says %v", err)
	}
	if err := os.RemoveAll(filepath.Join(folder, "lesson.yaml.part")); err != nil {
		t.Fatal(err)
	}
	holds(t, folder, "lesson.yaml", l.YAML)
}
