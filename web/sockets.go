package web

import (
	"context"
	"sync"
)

// sockets are the open websockets of a server. Once it drains or closes, no more are opened.
type sockets struct {
	mu      sync.Mutex
	closing chan struct{}               // closed once no more are opened
	cancel  map[*int]context.CancelFunc // of each open socket
	running sync.WaitGroup
}

func newSockets() *sockets {
	return &sockets{closing: make(chan struct{}), cancel: map[*int]context.CancelFunc{}}
}

// open registers a socket, which cancel ends. The socket calls closed when it has ended.
// ok is false when the server is closing.
func (s *sockets) open(cancel context.CancelFunc) (closed func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing() {
		return nil, false
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

// isClosing tells whether no more sockets are opened.
func (s *sockets) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// drain opens no more sockets. The channel is closed when those that are open have ended.
func (s *sockets) drain() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isClosing() {
		close(s.closing)
	}
	ended := make(chan struct{})
	go func() { s.running.Wait(); close(ended) }()
	return ended
}

// close ends all open sockets. The channel is closed when they have ended.
func (s *sockets) close() <-chan struct{} {
	ended := s.drain()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.cancel {
		cancel()
	}
	return ended
}
