// Package quota divides a budget of bytes among shares.
package quota

import "sync"

// Pool bounds what its shares hold: each some bytes of its own, and all together some more.
// It is safe for concurrent use. A nil Pool has no bounds.
type Pool struct {
	own    int // bytes that every share may hold whatever the others do
	shared int // bytes beyond those, of all shares together

	mu   sync.Mutex
	used int // of the shared
	wait int // shares that wait
}

// New makes a pool: each share may hold own bytes, and all of them together shared bytes beyond those.
func New(shared, own int) *Pool { return &Pool{own: own, shared: shared} }

// Used is how many of the shared bytes are held.
func (p *Pool) Used() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// Share is what one holder has taken from the pool. A nil Share has no bounds.
type Share struct {
	pool  *Pool
	held  int
	waits bool
}

// Share begins a share.
func (p *Pool) Share() *Share {
	if p == nil {
		return nil
	}
	return &Share{pool: p}
}

// Grow lets the share hold so many bytes more, and tells whether it may.
func (s *Share) Grow(bytes int) bool {
	if s == nil {
		return true
	}
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	more := p.beyond(s.held+bytes) - p.beyond(s.held)
	if more > 0 && p.used+more > p.shared {
		return false
	}
	s.held += bytes
	p.used += more
	return true
}

// Wanted tells whether a share of the pool waits for bytes.
func (s *Share) Wanted() bool {
	if s == nil {
		return false
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.pool.wait > 0
}

// Set records how many bytes the share really holds, even if they exceed the pool, and whether it waits for more.
func (s *Share) Set(bytes int, waits bool) {
	if s == nil {
		return
	}
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used += p.beyond(bytes) - p.beyond(s.held)
	s.held = bytes
	if s.waits != waits {
		s.waits = waits
		if waits {
			p.wait++
		} else {
			p.wait--
		}
	}
}

// beyond is how much of what a share holds is not its own.
func (p *Pool) beyond(held int) int { return max(held-p.own, 0) }
