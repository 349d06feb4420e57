package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All that serve says is JSON where an operator asks for that: of lessons with mistakes, of a store that is away, of
// its end.
func TestEveryLineOfTheLogIsJSON(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "01-tiny"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "01-tiny", "lesson.yaml"), []byte("axtors: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	read, written := io.Pipe()
	var out bytes.Buffer
	ended := make(chan int, 1)
	serve := func(args ...string) {
		ended <- start(ctx, terminal{&out, written}, append([]string{"serve", "--log", "json"}, args...))
		written.Close()
	}
	go serve("--addr", "127.0.0.1:0", "--lessons", dir, "--class-store", "redis://127.0.0.1:1")
	missing := []string{"the lesson has no key", "Lockstep is at http", "the store of classes takes nothing"}
	for lines := bufio.NewScanner(read); lines.Scan(); {
		var line struct{ Time, Level, Msg string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Time == "" || line.Level == "" || line.Msg == "" {
			t.Errorf("%s: %v", lines.Bytes(), err)
		}
		for i, part := range missing {
			if strings.Contains(line.Msg, part) {
				missing = append(missing[:i:i], missing[i+1:]...)
				break
			}
		}
		if len(missing) == 0 {
			interrupt()
		}
	}
	if code := <-ended; code != exitOK || out.Len() > 0 || len(missing) > 0 {
		t.Errorf("exit code %d; on the terminal: %s; not told: %q", code, out.String(), missing)
	}
	var complaint bytes.Buffer
	code := start(t.Context(), terminal{&out, &complaint}, []string{"serve", "--log", "json", "--base-path", "https://x"})
	if code != exitUsage || !json.Valid(complaint.Bytes()) || !strings.Contains(complaint.String(), "--base-path") {
		t.Errorf("exit code %d, %s", code, complaint.String())
	}
}
