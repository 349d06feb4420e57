// Package http is what templ names of net/http. A browser's worker serves nothing.
package http

import "context"

// What templ names. None of it is ever called in a browser.
type (
	Header         map[string][]string
	ResponseWriter interface {
		Header() Header
		Write([]byte) (int, error)
		WriteHeader(status int)
	}
	Flusher interface{ Flush() }
	Handler interface {
		ServeHTTP(ResponseWriter, *Request)
	}
	Request struct{ URL struct{ Path string } }
)

// The statuses that templ names.
const (
	StatusOK                  = 200
	StatusInternalServerError = 500
)

func (h Header) Add(key, value string) { h[key] = append(h[key], value) }
func (h Header) Set(key, value string) { h[key] = []string{value} }

func (*Request) Context() context.Context               { return context.Background() }
func (r *Request) WithContext(context.Context) *Request { return r }

// Error writes a text.
func Error(w ResponseWriter, text string, status int) {
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}
