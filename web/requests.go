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

	// Beyond that, one who is in a class may still ask, so that no neighbour who floods ends it.
	memberEvery = 250 * time.Millisecond
	memberBurst = 100
)

// paced answers 429 to an address that asks too often.
func (s *Server) paced(next http.Handler) http.Handler {
	asked := &class.Pacer{Every: requestEvery, Burst: requestBurst}
	members := &class.Pacer{Every: memberEvery, Burst: memberBurst}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/"+assets+"/") && !asked.Takes(addressOf(r), time.Now()) {
			token := s.memberToken(r)
			if token == "" || !members.Takes(token, time.Now()) {
				s.refuseFlood(w)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// memberToken is that of a request's sender in a class that is followed here; empty: they are in none.
func (s *Server) memberToken(r *http.Request) string {
	if s.classes == nil {
		return ""
	}
	for _, c := range r.Cookies() {
		for _, prefix := range []string{teacherCookie, learnerCookie} {
			if code, of := strings.CutPrefix(c.Name, prefix); of && knows(s.classes.Find(code), c.Value) {
				return c.Value
			}
		}
	}
	return ""
}

func (s *Server) refuseFlood(w http.ResponseWriter) {
	s.measures.refused.WithLabelValues(refusedFlood).Inc()
	w.Header().Set("Retry-After", "1") // seconds
	http.Error(w, http.StatusText(http.StatusTooManyRequests), http.StatusTooManyRequests)
}
