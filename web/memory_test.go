package web

import (
	"context"
	"runtime"
	"testing"
	"time"
)

func TestMemoryIsGivenBackAfterABurst(t *testing.T) {
	s, _ := site(t, 1)
	burst := make([][]byte, 300)
	for i := range burst {
		burst[i] = make([]byte, 1<<20)
	}
	high := heap()
	runtime.KeepAlive(burst)
	seat := s.visitors.takeSeat("somebody")
	s.visitors.freeSeat(seat)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.tidyUp(ctx, time.Millisecond) }()
	for heap() > high-200<<20 {
		runtime.Gosched() // nothing here asks for a collection
	}
	cancel()
	<-ended
}
