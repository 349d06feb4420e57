package redistest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/recording"
)

// folder is what the folder of a lesson is called. The playground orders lessons by number.
const folder = "01-found"

// WriteLesson writes the schedule that breaks an invariant as a lesson, into a folder in dir
// that the playground opens: playground serve --lessons dir.
func (v Verdict) WriteLesson(dir string) error {
	if v.Broken == nil {
		return fmt.Errorf("nothing broke, so there is no lesson")
	}
	if v.noLesson != nil {
		return v.noLesson
	}
	at := filepath.Join(dir, folder)
	if err := os.MkdirAll(at, 0o755); err != nil {
		return fmt.Errorf("the lesson is not written: %w", err)
	}
	for _, f := range v.lesson.Files() {
		if err := os.WriteFile(filepath.Join(at, f.Name), []byte(f.Text), 0o600); err != nil {
			return fmt.Errorf("the lesson is not written: %w", err)
		}
	}
	return nil
}

// keep writes the lesson where the test keeps its files, and says how to open it.
func keep(t testing.TB, v Verdict) string {
	t.Helper()
	if f := flag.Lookup("test.artifacts"); f == nil || f.Value.String() != "true" {
		return "go test -artifacts writes it as a lesson, which the playground plays step by step\n"
	}
	dir := t.ArtifactDir()
	if err := v.WriteLesson(dir); err != nil {
		return err.Error() + "\n"
	}
	return fmt.Sprintf("to play it step by step: playground serve --lessons %s\n", dir)
}

// lesson is what has happened, to be written as a lesson.
func (r *run) lesson(test string) recording.Recording {
	l := recording.Recording{Test: test, Events: r.recorded, Ending: r.broken.Error()}
	for _, s := range r.servers {
		l.Servers = append(l.Servers, s.name)
	}
	return l
}

// record adds an event; r.mu is held.
func (r *run) record(e recording.Event) {
	e.At = time.Since(r.begin)
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

// recordAnswers adds the replies to requests that waited in their servers.
func (r *run) recordAnswers() {
	for _, w := range r.reply.takeOthers() {
		if w.waits {
			w.waits = false
			r.recordNow(recording.Event{Kind: recording.Answered, Actor: w.process.Name})
		}
	}
}
