package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong with a lesson goes to its page, however its folder was named.
func TestMistakesBelongToTheirLesson(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "mine", "01-tiny"), 0o700); err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(tinyLesson, "chapter: more", "chapter: foo", 1)
	if err := os.WriteFile(filepath.Join(dir, "mine", "01-tiny", "lesson.yaml"), []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "mine"))
	for _, name := range []string{".", "../mine", "./", filepath.Join(dir, "mine")} {
		d, err := openWorkspace(builtInLessons(t), []string{name})
		if err != nil {
			t.Fatal(err)
		}
		e, _ := d.read()
		if !strings.Contains(e.Broken["tiny"], `01-tiny/lesson.yaml:3:10: there is no chapter "foo"`) {
			t.Errorf("--lessons %s: of the lesson tiny is said %q", name, e.Broken["tiny"])
		}
	}
}

// Learners keep the lessons of a folder that has gone away, or cannot be read any more.
func TestLessonsOutliveTheirFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if err := os.MkdirAll(filepath.Join(dir, "01-tiny"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "01-tiny", "lesson.yaml"), []byte(tinyLesson), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := openWorkspace(nil, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if e, wrong := d.read(); len(e.Lessons) != 1 || wrong != "" {
		t.Fatalf("%d lessons, %s", len(e.Lessons), wrong)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if e, wrong := d.read(); len(e.Lessons) != 1 || !strings.Contains(wrong, dir+": its lessons stay as they were") {
			t.Errorf("%d lessons, %q", len(e.Lessons), wrong)
		}
	}
}
