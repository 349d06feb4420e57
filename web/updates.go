package web

import "sync"

// updates tells all connections that the catalog has a newer edition.
type updates struct {
	mu      sync.Mutex
	changed chan struct{} // closed when there is one
}

// wait returns a channel that is closed when the next edition is published.
func (n *updates) wait() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.changed
}

// Refresh shows all learners the newest edition of the catalog.
func (s *Server) Refresh() {
	s.updates.mu.Lock()
	defer s.updates.mu.Unlock()
	close(s.updates.changed)
	s.updates.changed = make(chan struct{})
}
