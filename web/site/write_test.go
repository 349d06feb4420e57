package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func made(files map[string]string) *Site {
	s := &Site{files: map[string][]byte{}}
	for name, text := range files {
		s.put(name, []byte(text))
	}
	slices.Sort(s.order)
	return s
}

// written is all files of a folder with their texts, but for the list.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == listName {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s has %q, want %q", name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there", name)
		}
	}
}

func TestAnExportReplacesTheOneBefore(t *testing.T) {
	dir := t.TempDir()
	if err := made(map[string]string{"index.html": "1", "static/main-1.js": "1", "en/old/index.html": "1"}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "CNAME"), []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := map[string]string{"index.html": "2", "static/main-2.js": "2"}
	if err := made(second).Write(dir); err != nil {
		t.Fatal(err)
	}
	second["CNAME"] = "theirs"
	same(t, written(t, dir), second)
	if _, err := os.Stat(filepath.Join(dir, "en")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is empty now: %v", err)
	}
}

// Making a site takes seconds, so a folder that it cannot be written into is refused before.
func TestAFolderOfOthersIsRefusedBeforeASiteIsMade(t *testing.T) {
	dir := t.TempDir()
	index := filepath.Join(dir, "index.html")
	if err := os.WriteFile(index, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Check(dir); err == nil || !strings.Contains(err.Error(), index+" already exists and was not written by an export") {
		t.Errorf("a page of others: %v", err)
	}
	if err := Check(filepath.Join(index, "site")); err == nil || !strings.Contains(err.Error(), "cannot be made") {
		t.Errorf("a folder in a file: %v", err)
	}
	own := filepath.Join(dir, "own")
	for _, when := range []string{"new", "empty"} {
		if err := Check(own); err != nil {
			t.Errorf("a %s folder: %v", when, err)
		}
	}
	if err := made(map[string]string{"index.html": "1"}).Write(own); err != nil {
		t.Fatal(err)
	}
	if err := Check(own); err != nil {
		t.Errorf("the folder of an export: %v", err)
	}
}

// A disk that is full, say: the folder of one file cannot be made.
func TestAnExportThatFailsLeavesWhatWasThereWhole(t *testing.T) {
	dir := t.TempDir()
	first := map[string]string{"index.html": "1", "static/main-1.js": "1"}
	if err := made(first).Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "en"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	second := made(map[string]string{"static/main-2.js": "2", "en/index.html": "2", "index.html": "2"})
	second.order = []string{"static/main-2.js", "en/index.html", "index.html"}
	err := second.Write(dir)
	if err == nil || !strings.Contains(err.Error(), "en") {
		t.Fatalf("%v", err)
	}
	if got := written(t, dir); got["index.html"] != "1" || got["static/main-1.js"] != "1" {
		t.Errorf("there is now %v", got)
	}
	if err := os.Remove(filepath.Join(dir, "en")); err != nil {
		t.Fatal(err)
	}
	if err := second.Write(dir); err != nil {
		t.Fatalf("the next time: %v", err)
	}
	same(t, written(t, dir), map[string]string{"index.html": "2", "static/main-2.js": "2", "en/index.html": "2"})
}

func TestAListOfFilesReachesNothingOutside(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "site")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	victim := filepath.Join(outer, "victim")
	for name, text := range map[string]string{victim: "alive", filepath.Join(dir, listName): string(list([]string{"../victim"}))} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := made(map[string]string{"index.html": "1"}).Write(dir); err == nil {
		t.Error("a list that leads out of the folder is taken")
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
}
