package web

import (
	"net/http"
	"strings"
	"time"

	"lockstep/web/class"
)

// What one visitor may ask for, besides the client's files, which cost nothing: all learners of a school may have
// one address, and each page of a class tells where it stands every now and then.
const (
	requestEvery = 3 * time.Millisecond
	requestBurst = 3000 // at once
)

// paced refuses what a visitor asks for too often.
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
