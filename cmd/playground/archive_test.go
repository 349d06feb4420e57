package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// zipped writes an archive of files.
func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "lesson.zip")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCheckReadsAnExportedLesson(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "damaged.zip")
	if err := os.WriteFile(damaged, []byte("PK"), 0o600); err != nil {
		t.Fatal(err)
	}
	scripted := strings.Replace(tinyLesson, "actors:", "scripts: {add: {file: add.lua}}\nactors:", 1)
	for _, test := range []struct {
		name string
		code int
		said string
	}{
		{zipped(t, map[string]string{"07-tiny/lesson.yaml": tinyLesson}), exitOK, "ok    tiny "},
		{zipped(t, map[string]string{"07-tiny/lesson.yaml": scripted}), exitFailed, "lesson.zip/07-tiny/lesson.yaml:5:23: there is no file add.lua beside the lesson"},
		{zipped(t, map[string]string{"07-tiny/lesson.yaml": scripted, "07-tiny/add.lua": "return 1"}), exitOK, "ok    tiny "},
		{zipped(t, map[string]string{"07-tiny/lesson.yml": tinyLesson}), exitFailed, "07-tiny/lesson.yaml: there is no such file"},
		{zipped(t, nil), exitUsage, "contains no lesson"},
		{damaged, exitFailed, "cannot be opened"},
	} {
		var said bytes.Buffer
		if code := start(t.Context(), terminal{&said, &said}, []string{"check", test.name}); code != test.code || !strings.Contains(said.String(), test.said) {
			t.Errorf("exit code %d, want %d with %q, and %s", code, test.code, test.said, said.String())
		}
	}
}
