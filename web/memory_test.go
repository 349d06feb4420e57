package web

import (
	"context"
	"runtime"
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
	const learners = 30
	s, server := site(t, learners)
	s.playground.Memory = quota.New(24<<20, ownMemory)
	class := make([]*client, learners)
	for i := range class {
		class[i] = dial(t, server.URL)
		class[i].ok(`"op":"load","lesson":"set-nx"`)
	}
	for _, c := range class {
		c.write(`{"v":1,"id":2,"op":"search","text":"arrive"}`)
	}
	for _, c := range class {
		for !strings.Contains(c.html["f-search"], "moves, and in no fewer") {
			if m := c.next(); m.Reply != nil && !m.OK {
				t.Fatal(m.Err.Msg)
			}
		}
	}
}
