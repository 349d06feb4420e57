package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Who sends scripts is told what was made of them, in the page's language, or what is wrong with them.
func TestDraftsAreMadeOfWhatVisitorsSend(t *testing.T) {
	s, _ := site(t, 1)
	s.OfferDrafts(func(_ context.Context, texts []string) (Drafted, error) {
		if strings.Contains(texts[0], "bad") {
			return Drafted{}, errors.New("lock: it is no script")
		}
		return Drafted{Folder: "01-my-lock", Of: "f", Files: []lessons.File{{Name: "lesson.yaml", Text: texts[0]}}}, nil
	})
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	post := func(body, kind string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/zh/draft", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = got.Body.Close() }()
		text, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		return got.StatusCode, string(text)
	}
	const kind = "application/json"
	if status, text := post(`{"texts": ["good", ""]}`, kind); status != http.StatusOK || !strings.Contains(text, `"folder":"01-my-lock"`) || !strings.Contains(text, "作为课程打开") {
		t.Errorf("%d %s", status, text)
	}
	if status, text := post(`{"texts": ["bad"]}`, kind); status != http.StatusOK || !strings.Contains(text, "it is no script") || strings.Contains(text, "folder") {
		t.Errorf("%d %s", status, text)
	}
	for body, kind := range map[string]string{
		`{"texts": []}`: kind, `{"texts": ["a", "b", "c"]}`: kind, `{`: kind, `{"texts": ["good"]}`: "text/plain",
	} {
		if status, text := post(body, kind); status != http.StatusBadRequest {
			t.Errorf("%.40s: %d %s", body, status, text)
		}
	}
	if status, text := post(`{"texts": ["`+strings.Repeat("x", draftBytes)+`"]}`, kind); status != http.StatusRequestEntityTooLarge {
		t.Errorf("of a long text: %d %s", status, text)
	}
}

func TestADraftThatTakesTooLongIsToldSo(t *testing.T) {
	defer func(was func(context.Context) (context.Context, context.CancelFunc)) { withDraftTimeout = was }(withDraftTimeout)
	withDraftTimeout = endingAfter(0, fact.Of("draft-slow", 5.0))
	s, _ := site(t, 1)
	s.OfferDrafts(func(ctx context.Context, _ []string) (Drafted, error) { return Drafted{}, ctx.Err() })
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/en/draft", strings.NewReader(`{"texts": ["slow"]}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if s.draft(w, r); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "within 5 s") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
