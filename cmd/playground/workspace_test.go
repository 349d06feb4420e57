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
