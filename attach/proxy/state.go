package proxy

import (
	"strings"
	"sync"

	"lockstep/engine/fact"
)

// state is what whoever looks at the page must know of what they do not see.
type state struct {
	mu          sync.Mutex
	notRead     string
	isCluster   bool
	otherMember string
}

func (s *state) unread(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notRead = err.Error()
}

func (s *state) reads() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notRead = ""
}

func (s *state) cluster() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isCluster = true
}

// moved takes what a cluster says of a key of another member: its slot and an address.
func (s *state) moved(where string) {
	_, addr, _ := strings.Cut(where, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isCluster, s.otherMember = true, addr
}

// Told is what whoever looks at the page must know of what they do not see.
func (p *Proxy) Told() (all []error) {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	if p.state.notRead != "" {
		all = append(all, fact.Of("values-not-read", p.state.notRead))
	}
	if p.state.isCluster {
		all = append(all, fact.Of("one-of-a-cluster"))
	}
	if p.state.otherMember != "" {
		all = append(all, fact.Of("moved-elsewhere", p.state.otherMember))
	}
	if n := p.queue.dropped.Load(); n > 0 {
		all = append(all, fact.Of("commands-dropped", n))
	}
	if n := p.blind.Load(); n > 0 {
		all = append(all, fact.Of("not-followed", n))
	}
	return all
}

// To is the address of the Redis.
func (p *Proxy) To() string { return p.to.Addr }
