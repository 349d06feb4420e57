package web

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// Bounds of the page of real clients; times are real.
const (
	liveEvery = 200 * time.Millisecond // between two looks for something new
	liveClock = time.Second            // between two pictures when there is nothing new: TTLs go on
	mostLive  = 300                    // pages that listen at once
)

// everybody is the one name by which Server.liveOf counts pages.
const everybody = "everybody"

// liveView is what a page of real clients looks at: after so many steps, below 0: now.
type liveView struct {
	lang lessons.Lang
	at   int
}

// liveDrawing is a page of real clients, in parts.
type liveDrawing struct {
	at          time.Time
	frags, rows []player.Frag
}

// liveDrawings draw what the pages of real clients show: once, however many look at it, because
// the clients wait while it is read.
type liveDrawings struct {
	mu      sync.Mutex
	version int // of all that is drawn
	drawn   map[liveView]liveDrawing
}

// of is what a view shows now.
func (d *liveDrawings) of(ctx context.Context, l Live, view liveView) (liveDrawing, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	version, now := l.Version(), time.Now()
	if d.drawn == nil || version != d.version || len(d.drawn) >= mostLive { // views come and go
		d.version, d.drawn = version, map[liveView]liveDrawing{}
	}
	last, ok := d.drawn[view]
	if ok && (view.at >= 0 || now.Sub(last.at) < liveClock) {
		return last, nil
	}
	drawing := liveDrawing{at: now}
	for _, f := range ui.LiveFragments(l.Show(view.lang, view.at)) {
		var html strings.Builder
		if err := f.Component.Render(ctx, &html); err != nil {
			return liveDrawing{}, err
		}
		drawing.frags = append(drawing.frags, player.Frag{ID: f.ID, HTML: html.String()})
		for _, row := range f.Rows {
			drawing.rows = append(drawing.rows, player.Frag{ID: row.ID, HTML: row.HTML})
		}
	}
	d.drawn[view] = drawing
	return drawing, nil
}

// liveEvents tells a page what changes, as server-sent events, for as long as it listens.
func (s *Server) liveEvents(lang lessons.Lang) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, err := strconv.Atoi(r.URL.Query().Get("at"))
		if err != nil {
			at = -1
		}
		if !s.liveOf.acquire(everybody) {
			s.fail(w, r, http.StatusServiceUnavailable, fact.Of("server-full"))
			return
		}
		defer s.liveOf.release(everybody)
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		closed, ok := s.sockets.open(cancel)
		if !ok {
			s.comeBack(w)
			return
		}
		defer closed()
		out := liveWriter{events: newEvents(w), sent: map[string]string{}}
		for shown := (liveDrawing{}); ctx.Err() == nil; wait(ctx, liveEvery) {
			drawing, err := s.drawings.of(ctx, s.live, liveView{lang, max(at, -1)})
			if err != nil || drawing.at != shown.at && out.send(drawing) != nil {
				return // gone
			}
			shown = drawing
		}
	}
}

// liveWriter sends what is not as it was sent last.
type liveWriter struct {
	events events
	sent   map[string]string // by id
}

func (l *liveWriter) send(d liveDrawing) error {
	var frame struct {
		Frags []player.Frag `json:"frags"`
		Rows  []player.Frag `json:"rows"`
	}
	known := func(f player.Frag) bool { return l.sent[f.ID] == f.HTML }
	frame.Frags, frame.Rows = slices.DeleteFunc(slices.Clone(d.frags), known), slices.DeleteFunc(slices.Clone(d.rows), known)
	clear(l.sent) // a row that the page has dropped it may need again
	for _, f := range slices.Concat(d.frags, d.rows) {
		l.sent[f.ID] = f.HTML
	}
	data, err := json.Marshal(frame)
	if err != nil {
		return err
	}
	return l.events.send("data: " + string(data) + "\n\n")
}
