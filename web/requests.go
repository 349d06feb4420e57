package web

import (
	"net/http"
	"strings"
	"time"

	"lockstep/web/class"
)

// How often one address may ask. The bounds are wide, as a school may have one address for all its learners, whose pages tell
// where they stand. The client's files cost nothing and do not count.
const (
	requestEvery = 3 * time.Millisecond
	requestBurst = 3000 // at once
)

// paced answers 429 to an address that asks too often.
func (s *Server) paced(next http.Handler) http.Handler {
	asked := &class.Pacer{Every: requestEvery, Burst: requestBurst}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/"+assets+"/") && !asked.Takes(addressOf(r), time.Now()) {
			s.refuseFlood(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) refuseFlood(w http.ResponseWriter) {
	s.measures.refused.WithLabelValues(refusedFlood).Inc()
	w.Header().Set("Retry-After", "1") // seconds
	http.Error(w, http.StatusText(http.StatusTooManyRequests), http.StatusTooManyRequests)
}
