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

// open registers a socket, which cancel ends. The socket calls closed when it has ended.
// ok is false when the server is closing.
func (s *sockets) open(cancel context.CancelFunc) (closed func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed() {
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

// closes returns a channel that is closed once no more sockets are opened.
func (s *sockets) closes() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed()
}

func (s *sockets) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isClosed()
}

// closed is the channel of closes; s.mu is held.
func (s *sockets) closed() chan struct{} {
	if s.closing == nil {
		s.closing = make(chan struct{})
	}
	return s.closing
}

// isClosed tells whether no more sockets are opened; s.mu is held.
func (s *sockets) isClosed() bool {
	select {
	case <-s.closed():
		return true
	default:
		return false
	}
}

// drain opens no more sockets. The channel is closed when those that are open have ended.
func (s *sockets) drain() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isClosed() {
		close(s.closed())
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
