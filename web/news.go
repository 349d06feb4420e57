package web

import "sync"

// news tells all connections that the catalog has a newer edition.
type news struct {
	mu   sync.Mutex
	come chan struct{} // closed when it has
}

// next is closed when the next news come.
func (n *news) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.come == nil {
		n.come = make(chan struct{})
	}
	return n.come
}

// Refresh shows all learners the newest edition of the catalog.
func (s *Server) Refresh() {
	s.news.mu.Lock()
	defer s.news.mu.Unlock()
	if s.news.come != nil {
		close(s.news.come)
		s.news.come = nil
	}
}
