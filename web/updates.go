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
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// Refresh shows all learners the newest edition of the catalog.
func (s *Server) Refresh() {
	s.updates.mu.Lock()
	defer s.updates.mu.Unlock()
	if s.updates.changed != nil {
		close(s.updates.changed)
		s.updates.changed = nil
	}
}
