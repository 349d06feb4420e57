package web

import "testing"

func TestNoSocketOpensOnceTheServerCloses(t *testing.T) {
	s := newSockets()
	canceled := false
	closed, ok := s.open(func() { canceled = true })
	if !ok {
		t.Fatal("no socket opens")
	}
	ended := s.close()
	if !canceled {
		t.Error("an open socket is not ended")
	}
	if _, ok := s.open(func() {}); ok {
		t.Error("a socket opens while the server closes")
	}
	select {
	case <-ended:
		t.Error("the server has closed before its socket")
	default:
	}
	closed()
	<-ended
}
