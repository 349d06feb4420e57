package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
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

// Whoever gives a lesson another number can save it, on pages that were opened before and on those opened since.
func TestALessonIsKeptUnderAnotherNumber(t *testing.T) {
	s, before, folder := kept(t)
	moved := filepath.Join(filepath.Dir(folder), "05-tiny")
	if err := os.Rename(folder, moved); err != nil {
		t.Fatal(err)
	}
	edition, _ := s.workspace.read()
	i := slices.IndexFunc(edition.Lessons, func(l *lessons.Lesson) bool { return l.Name == "tiny" })
	if i < 0 || filepath.Dir(edition.Lessons[i].File) != moved {
		t.Fatalf("lesson %d of the edition is to be in %s", i, moved)
	}
	for n, l := range []*lessons.Lesson{before, edition.Lessons[i]} {
		if !s.Keeps(l) {
			t.Fatalf("page %d has nobody who keeps %s", n, l.File)
		}
		text := strings.Replace(l.YAML, "chapter: more", "chapter: simple", 1)
		now, _ := onDisk(s.workspace.roots[0], "05-tiny", author.Reader{}.Files(l))
		if _, err := s.Save(l, lessons.Fingerprint(now), typed(l, text)); err != nil {
			t.Errorf("page %d: %v", n, err)
		}
		holds(t, moved, "lesson.yaml", text)
	}
	if err := os.Rename(moved, filepath.Join(filepath.Dir(folder), "05-other")); err != nil {
		t.Fatal(err)
	}
	if s.Keeps(before) {
		t.Error("it is kept under another name")
	}
}
