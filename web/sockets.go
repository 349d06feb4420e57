package web

import (
	"context"
	"sync"
)

// sockets are the open websockets of a server. Once it closes, no more are opened.
type sockets struct {
	mu      sync.Mutex
	closing bool
	cancel  map[*int]context.CancelFunc // of each open socket
	running sync.WaitGroup
}

// open registers a socket, which cancel ends. The socket calls closed when it has ended.
// ok is false when the server is closing.
func (s *sockets) open(cancel context.CancelFunc) (closed func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, false
	}
	if s.cancel == nil {
		s.cancel = map[*int]context.CancelFunc{}
	}
	id := new(int)
	s.cancel[id] = cancel
	s.running.Add(1)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancel, id)
		s.running.Done()
	}, true
}

// close ends all open sockets. The channel is closed when they have ended.
func (s *sockets) close() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	for _, cancel := range s.cancel {
		cancel()
	}
	ended := make(chan struct{})
	go func() { s.running.Wait(); close(ended) }()
	return ended
}
