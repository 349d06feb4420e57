package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"lockstep/lessons"
)

const (
	healthz = "/healthz"
	readyz  = "/readyz"
)

// isCheck tells whether a request asks how the server is. Checks of proxies have a Host of their own, and the
// answer has nothing that a page of another site could use.
func isCheck(r *http.Request) bool { return slices.Contains([]string{healthz, readyz}, r.URL.Path) }

// alive answers as long as the process does.
func alive(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }

// readiness is whether new learners should come, and what they would find.
type readiness struct {
	Ready    bool            `json:"ready"`
	Why      string          `json:"why,omitempty"` // why not: "draining" or "full"
	Sessions int             `json:"sessions"`
	Seats    int             `json:"seats"`
	Servers  map[string]bool `json:"servers"` // the real ones and the store of classes, and whether they are there
}

func (s *Server) readiness() readiness {
	seated, full := s.visitors.occupied()
	now := readiness{Sessions: seated, Seats: s.visitors.seats, Servers: map[string]bool{}}
	switch {
	case s.sockets.isClosing():
		now.Why = "draining"
	case full:
		now.Why = "full"
	default:
		now.Ready = true
	}
	for _, e := range s.playground.Engines {
		if state := e.State(lessons.En); state.Kind.Real() != "" {
			now.Servers[string(state.Kind)] = state.Reason == ""
		}
	}
	if s.classes != nil {
		now.Servers["class-store"] = !s.classesAway.Load()
	}
	return now
}

// ready tells a proxy whether to send new learners here. A real server that is missing is no reason against it:
// lessons run on the embedded one. Nor is the store of classes: the other servers have the same.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	now := s.readiness()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !now.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(now) // whoever asked and left is not an error
}

// occupied is how many seats are taken, and whether a new visitor would find none.
func (v *visitors) occupied() (seated int, full bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seated < v.seats {
		return v.seated, false
	}
	free, _ := v.seatToTake(&visitor{}, v.now())
	return v.seated, free == nil
}

// watchClassStore asks every now and then whether the store of classes takes events, until the context is done.
func (s *Server) watchClassStore(ctx context.Context, every time.Duration) {
	for ; ctx.Err() == nil; wait(ctx, every) {
		err := s.classes.Reach(ctx)
		if away := err != nil; ctx.Err() != nil || s.classesAway.Swap(away) == away {
			continue
		}
		if err != nil {
			s.log.Error("the store of classes takes nothing: no class can be opened or go on", "error", err)
		} else {
			s.log.Info("the store of classes takes events again")
		}
	}
}
