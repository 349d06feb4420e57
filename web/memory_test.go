package web

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine/quota"
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

// As many as there is memory for search at a time, here one.
func TestAClassSearchesAtOnce(t *testing.T) {
	s, server := site(t, 30)
	s.playground.Memory = quota.New(24<<20, ownMemory)
	for learner := range 8 {
		t.Run(strconv.Itoa(learner), func(t *testing.T) {
			t.Parallel()
			c := dial(t, server.URL)
			c.ok(`"op":"load","lesson":"set-nx"`)
			c.ok(`"op":"search","text":"arrive"`)
			for !strings.Contains(c.html["f-search"], "moves, and in no fewer") {
				c.next()
			}
		})
	}
}
