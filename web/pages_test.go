package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"lockstep/web/player"
	"lockstep/web/ui"
)

// slowReader takes a page only when it is let to.
type slowReader struct {
	*httptest.ResponseRecorder

	reads, may chan struct{}
}

func (s slowReader) Write(p []byte) (int, error) {
	close(s.reads)
	<-s.may
	return s.ResponseRecorder.Write(p)
}

// Whoever reads a page slowly keeps nobody from a turn.
func TestASlowReaderKeepsNobodyWaiting(t *testing.T) {
	s, _ := site(t, 1)
	s.visitors.turns = 1
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/en/lessons/set-nx/", nil)
	r.SetPathValue("name", "set-nx")
	w := slowReader{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	sent := make(chan struct{})
	go func() {
		s.lesson(w, r)
		close(sent)
	}()
	<-w.reads
	done, err := s.takeTurn(t.Context(), "another", nil, false, false)
	if err != nil {
		t.Fatal(err)
	}
	done()
	close(w.may)
	<-sent
	if w.Code != http.StatusOK {
		t.Errorf("the page is answered with %d", w.Code)
	}
}

// While the home page of a new edition is drawn, visitors see the one before it; of the first
// edition they wait for the page, unless they leave.
func TestNobodyWaitsForTheNextHomePage(t *testing.T) {
	var c catalog
	one, two := &player.Edition{}, &player.Edition{Broken: map[string]string{}}
	began, may := make(chan struct{}), make(chan struct{})
	slowly := func(context.Context, *player.Edition) *ui.Gallery {
		began <- struct{}{}
		<-may
		return &ui.Gallery{}
	}
	never := func(context.Context, *player.Edition) *ui.Gallery {
		t.Error("it is drawn twice")
		return nil
	}
	shows := make(chan *player.Edition)
	ask := func(ctx context.Context, now *player.Edition, draw func(context.Context, *player.Edition) *ui.Gallery) {
		edition, gallery := c.drawn(ctx, now, draw)
		if gallery == nil {
			t.Error("there is no gallery")
		}
		shows <- edition
	}
	go ask(t.Context(), one, slowly)
	<-began
	left, leave := context.WithCancel(t.Context())
	go ask(left, one, never)
	leave()
	<-shows
	go ask(t.Context(), one, never)
	may <- struct{}{}
	for range 2 {
		if <-shows != one {
			t.Error("the first home page is of another edition")
		}
	}
	go ask(t.Context(), two, slowly)
	<-began
	go ask(t.Context(), two, never)
	if <-shows != one {
		t.Error("meanwhile visitors do not see the one before it")
	}
	may <- struct{}{}
	if <-shows != two {
		t.Error("who drew it sees another")
	}
	go ask(t.Context(), two, never)
	if <-shows != two {
		t.Error("the new one is not kept")
	}
}
