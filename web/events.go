package web

import (
	"io"
	"net/http"
	"time"
)

// events is a stream of server-sent events to a page.
type events struct{ w http.ResponseWriter }

// newEvents begins a stream as the answer to a request.
func newEvents(w http.ResponseWriter) events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	return events{w}
}

// send sends whole events, or a comment, at once. An error: the page has gone, or does not read.
func (e events) send(text string) error {
	out := http.NewResponseController(e.w)
	_ = out.SetWriteDeadline(time.Now().Add(writeLimit)) // servers have one
	if _, err := io.WriteString(e.w, text); err != nil {
		return err
	}
	return out.Flush()
}
