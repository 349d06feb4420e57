package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Who asks without end is refused, and nobody else is; the client's files are for everybody.
func TestAVisitorWhoAsksTooOftenIsRefused(t *testing.T) {
	s, _ := site(t, 1)
	all := s.paced(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	ask := func(visitor, path string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.RemoteAddr = visitor + ":1"
		w := httptest.NewRecorder()
		all.ServeHTTP(w, r)
		return w.Code
	}
	for learner := range 300 { // of a school, who open a lesson and a class at once
		for range 5 {
			if status := ask("192.0.2.1", fmt.Sprint("/class/", learner)); status != http.StatusOK {
				t.Fatalf("learner %d: %d", learner, status)
			}
		}
	}
	flood := 0
	for ; ask("192.0.2.1", "/class/") == http.StatusOK; flood++ {
	}
	if flood < 1500 || ask("192.0.2.1", "/static/main.js") != http.StatusOK || ask("198.51.100.1", "/class/") != http.StatusOK {
		t.Errorf("after %d requests more, one visitor, or all, are refused", flood)
	}
}
