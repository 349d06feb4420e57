package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who starts it where there is no screen, as over ssh, hears why no browser opens.
func TestServeSaysWhyNoBrowserOpens(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	ctx, interrupt := context.WithCancel(t.Context())
	complaints, printed := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- start(ctx, terminal{io.Discard, printed}, []string{"--addr", "127.0.0.1:0", "--open"})
	}()
	if line, _ := bufio.NewReader(complaints).ReadString('\n'); line != "No browser could be opened: there is no screen here\n" {
		t.Errorf("it said %q", line)
	}
	go func() { _, _ = io.Copy(io.Discard, complaints) }()
	interrupt()
	<-ended
}

func TestServeSaysWhereItIsAndEndsCleanly(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan int, 1)
	var complaints bytes.Buffer
	go func() {
		ended <- start(ctx, terminal{printed, &complaints}, []string{"--addr", "127.0.0.1:0", "--host", "play.example.org", "--places", "3"}) // serve is the default
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(line, "Lockstep is at "))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"en/lessons/eval", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
	for host, want := range map[string]int{"play.example.org": http.StatusOK, "evil.example": http.StatusForbidden} {
		req := req.Clone(ctx)
		req.Host = host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("as %s: status %d, want %d", host, resp.StatusCode, want)
		}
	}
	if _, ready := get(t, http.MethodGet, url+"readyz", ""); !strings.Contains(ready, `"seats":3,`) {
		t.Errorf("its places are not those that it was told: %s", ready)
	}
	interrupt()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d: %s", code, complaints.String())
	}
}

func TestServeSaysThatAPortIsTaken(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, command := range [][]string{
		{"serve", "--addr"},
		{"redis", "--addr"},
		{"attach", "--addr"},
		{"attach", "--addr", "127.0.0.1:0", "--http"},
	} {
		var out, complaints bytes.Buffer
		code := start(t.Context(), terminal{&out, &complaints}, append(command, taken.Addr().String()))
		if code != exitFailed || !strings.Contains(complaints.String(), "in use already") || !strings.Contains(complaints.String(), "another port with "+command[len(command)-1]) || out.Len() > 0 {
			t.Errorf("%q: exit code %d, %q, %q", command, code, out.String(), complaints.String())
		}
	}
}

const tinyLesson = `title: {en: "First", zh: "一"}
summary: {en: "One key.", zh: "一个 key。"}
chapter: more
level: basic
actors: {A: {program: 'redis.call("INCR", "n")'}}
story: [{run: A, expect: {reply: 1}}]
`

func TestServeReadsLessonsAgainWhenTheyChange(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "01-tiny", "lesson.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write(tinyLesson)
	ctx, interrupt := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		// What is wrong goes where the rest goes, so that it can be waited for.
		ended <- start(ctx, terminal{printed, printed}, []string{"serve", "--addr", "127.0.0.1:0", "--lessons", dir})
		printed.Close()
	}()
	terminal := bufio.NewReader(out)
	says := func(part string) string {
		t.Helper()
		for {
			line, err := terminal.ReadString('\n')
			if err != nil {
				t.Fatalf("the terminal never says %q: %v", part, err)
			}
			if strings.Contains(line, part) {
				return line
			}
		}
	}
	url := strings.TrimSpace(strings.TrimPrefix(says("Lockstep is at "), "Lockstep is at "))
	shown := func(part string) bool {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"en/lessons/tiny", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		page, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(page), part)
	}
	// A file is not written in one move, and what was read in between is said too.
	comes := func(part string) {
		t.Helper()
		for !shown(part) {
			says("The lessons were read again.")
		}
	}
	comes("First")
	write(strings.Replace(tinyLesson, "First", "Second", 1))
	comes("Second")
	write(strings.Replace(tinyLesson, "actors:", "axtors:", 1))
	says(`the lesson has no key "axtors"`)
	if !shown("Second") || !shown("lesson.yaml:5:1") {
		t.Error("the page does not show the mistake beside the last good version")
	}
	write(tinyLesson)
	comes("First")
	interrupt()
	go io.Copy(io.Discard, out) //nolint:errcheck // so that nothing waits for a reader
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// What is said to the browser is an address and nothing else.
func TestTheAddressIsOneForABrowser(t *testing.T) {
	for at, want := range map[string]string{
		"127.0.0.1:80": "http://127.0.0.1:80/lockstep/", "[::1]:80": "http://[::1]:80/lockstep/",
		"0.0.0.0:80": "http://localhost:80/lockstep/", "[::]:80": "http://localhost:80/lockstep/",
	} {
		a, err := net.ResolveTCPAddr("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if got := address("http", a, "/lockstep/"); got != want {
			t.Errorf("%s: %s", at, got)
		}
	}
}
