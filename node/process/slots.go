package process

import (
	"context"
	"sync/atomic"
	"time"
)

// slots bounds how many private servers there are at a time.
type slots struct {
	taken chan struct{}
	freed atomic.Int64 // how often one was given back
}

// queueLimit is how long to wait for a slot while nobody gives one back, in real time.
const queueLimit = time.Second

// take takes a slot. While sessions come and go it waits for its turn: a page needs its
// server for a moment only. It is false when all are taken and none comes free.
func (s *slots) take(ctx context.Context) bool {
	for {
		freed := s.freed.Load()
		select {
		case s.taken <- struct{}{}:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(queueLimit):
			if s.freed.Load() == freed {
				return false
			}
		}
	}
}

func (s *slots) give() {
	s.freed.Add(1)
	<-s.taken
}
