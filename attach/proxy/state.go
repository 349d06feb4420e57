package proxy

import (
	"errors"
	"sync"

	"lockstep/engine/fact"
)

// state is what whoever looks at the page must know of what they do not see.
type state struct {
	mu          sync.Mutex
	notRead     string
	away        bool   // it was not read because the Redis does not answer
	restarted   bool   // the Redis has been, since the keys were read
	nodes       int    // of a cluster that have a port of the proxy's
	otherMember string // one that has none
}

func (s *state) unread(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notRead, s.away = err.Error(), errors.As(err, new(awayError))
}

func (s *state) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restarted = true
}

// tookRestart tells whether the Redis has been restarted since it was asked last.
func (s *state) tookRestart() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.restarted
	s.restarted = false
	return was
}

func (s *state) reads() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notRead = ""
}

func (s *state) cluster(nodes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes = max(s.nodes, nodes)
}

// past notes a node that clients go to past the proxy.
func (s *state) past(node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.otherMember = node
}

// Told is what whoever looks at the page must know of what they do not see.
func (p *Proxy) Told() (all []error) {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	switch {
	case p.state.notRead != "" && p.state.away:
		all = append(all, fact.Of("redis-away", p.state.notRead))
	case p.state.notRead != "":
		all = append(all, fact.Of("values-not-read", p.state.notRead))
	}
	if n := p.state.nodes; n > 0 {
		all = append(all, fact.Of("a-cluster", n))
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
