package redistest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/recording"
)

// WriteLesson writes the schedule that breaks an invariant as a lesson, into a folder of its own in dir
// that the playground opens: playground serve --lessons dir.
func (v Verdict) WriteLesson(dir string) error {
	_, err := v.writeLesson(dir)
	return err
}

// writeLesson returns what the lesson is called, which is in its address: after the test.
func (v Verdict) writeLesson(dir string) (name string, err error) {
	if v.Broken == nil {
		return "", fmt.Errorf("nothing broke, so there is no lesson")
	}
	if v.noLesson != nil {
		return "", v.noLesson
	}
	files := v.lesson.Files()
	others, _ := filepath.Glob(filepath.Join(dir, "[0-9]*-*"))
	first := nameOfLesson(v.lesson.Test)
	name = first
	for n := 2; ; n++ {
		i := slices.IndexFunc(others, func(other string) bool { return strings.HasSuffix(other, "-"+name) })
		if i < 0 {
			break
		}
		if text, err := os.ReadFile(filepath.Join(others[i], files[0].Name)); err == nil && string(text) == files[0].Text { //nolint:gosec // it is beside ours
			return name, nil // it is there
		}
		name = fmt.Sprintf("%s-%d", first, n)
	}
	at := filepath.Join(dir, fmt.Sprintf("%02d-%s", len(others)+1, name)) // in this order
	if err := os.MkdirAll(at, 0o755); err != nil {
		return "", fmt.Errorf("the lesson is not written: %w", err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(at, f.Name), []byte(f.Text), 0o600); err != nil {
			return "", fmt.Errorf("the lesson is not written: %w", err)
		}
	}
	return name, nil
}

// nameOfLesson is a test's name as that of a lesson, which is short.
func nameOfLesson(test string) string {
	const most = 36 // leaves room for a number
	name := strings.TrimLeft(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(test), "-"), "-0123456789")
	return cmp.Or(strings.TrimRight(name[:min(len(name), most)], "-"), "found")
}

// keep writes the lesson where the test keeps its files, and says how to open it.
func keep(t testing.TB, v Verdict) string {
	t.Helper()
	if f := flag.Lookup("test.artifacts"); f == nil || f.Value.String() != "true" {
		return "go test -artifacts writes it as a lesson, which the playground plays step by step\n"
	}
	dir := t.ArtifactDir()
	name, err := v.writeLesson(dir)
	if err != nil {
		return err.Error() + "\n"
	}
	return fmt.Sprintf("to play it step by step: playground serve --lessons %s\nand open http://127.0.0.1:8080/en/lessons/%s/\n", dir, name)
}

// lesson is what has happened, to be written as a lesson.
func (r *run) lesson(test string) recording.Recording {
	l := recording.Recording{Test: test, Events: r.recorded, Ending: r.broken.Error(), Broken: r.rule}
	if r.markOf != "" {
		mark := recording.Event{Kind: recording.Mark, Actor: r.markOf, At: r.recorded[r.markAt-1].At}
		l.Events = slices.Insert(slices.Clone(r.recorded), r.markAt, mark)
	}
	for _, s := range r.servers {
		l.Servers = append(l.Servers, s.name)
	}
	return l
}

// afterRequest is behind the last request in what was recorded.
func (r *run) afterRequest() int {
	for i, e := range slices.Backward(r.recorded) {
		if e.Kind == recording.Request {
			return i + 1
		}
	}
	return 0
}

// record adds an event; r.mu is held.
func (r *run) record(e recording.Event) {
	e.At = r.now()
	r.recorded = append(r.recorded, e)
}

func (r *run) recordNow(e recording.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.record(e)
}

// recordRequest adds a request whose reply is not known yet.
func (r *run) recordRequest(q *request) (answered func(said string, how kind)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := len(r.recorded)
	r.record(recording.Event{Kind: recording.Request, Actor: q.conn.process.Name, Server: q.conn.server.name, Commands: q.commands, Sent: q.sent})
	return func(said string, how kind) {
		r.mu.Lock()
		defer r.mu.Unlock()
		e := &r.recorded[i]
		e.Failed = strings.Contains("\n"+said, "\n-")
		switch how {
		case loses:
			e.Lost = true
		case pauses:
			r.record(recording.Event{Kind: recording.Pause, Actor: e.Actor, Unseen: true})
		default:
		}
	}
}

// recordAnswers adds the replies to requests that waited in their servers. What was held up is performed only now; of several
// such requests, nobody knows whose has done what.
func (r *run) recordAnswers() {
	held := 0
	for _, w := range r.reply.takeOthers() {
		if w.waits {
			w.waits = false
			r.recordNow(recording.Event{Kind: recording.Answered, Actor: w.process.Name})
			if w.held {
				held, r.performer = held+1, w.process.Name
			}
		}
	}
	if held > 1 {
		r.performer = ""
	}
}
