package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Drafted is a lesson that was made of somebody's scripts.
type Drafted struct {
	ui.Drafted
	Folder string
	Files  []lessons.File
	Of     string // the fingerprint of what a new lesson begins as
}

// MakeDraft makes a lesson of the texts that visitors send: scripts, or code with scripts in it. The error is one of the
// texts.
type MakeDraft func(ctx context.Context, texts []string) (Drafted, error)

// Bounds of a draft: the texts in bytes, how many there are, and the time that the searches take together.
const (
	draftBytes = 64 << 10
	draftTexts = 2
	draftTime  = 5 * time.Second
)

var withDraftTimeout = endingAfter(draftTime, fact.Of("draft-slow", draftTime.Seconds()))

// OfferDrafts lets visitors make lessons of their own scripts.
func (s *Server) OfferDrafts(make MakeDraft) { s.makeDraft = make }

// draft answers with what is to be shown, and the files that the editor of a new lesson begins with. It takes a
// turn, as all that computes does.
func (s *Server) draft(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Texts []string }
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, draftBytes)).Decode(&asked)
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
		return
	}
	if r.Header.Get("Content-Type") != "application/json" || err != nil || len(asked.Texts) == 0 || len(asked.Texts) > draftTexts {
		http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
		return
	}
	waits, enough := context.WithTimeout(r.Context(), turnLimit)
	defer enough()
	done, err := s.takeTurn(waits, addressOf(r), nil, true, false)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return
	}
	defer done()
	ctx, cancel := withDraftTimeout(r.Context())
	defer cancel()
	drafted, err := s.makeDraft(ctx, asked.Texts)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	drafted.Err = err
	var html bytes.Buffer
	if err := ui.OwnVerdict(languageOf(r), drafted.Drafted).Render(r.Context(), &html); err != nil {
		s.log.Error("a draft could not be drawn", "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(struct { // whoever asked and left is not an error
		HTML   string         `json:"html"`
		Of     string         `json:"of,omitempty"`
		Folder string         `json:"folder,omitempty"`
		Files  []lessons.File `json:"files,omitempty"`
	}{html.String(), drafted.Of, drafted.Folder, drafted.Files})
}
