package proxy

import (
	"sync"

	"lockstep/engine/fact"
)

// state is what whoever looks at the page must know of what they do not see.
type state struct {
	mu          sync.Mutex
	notRead     string
	away        bool   // it was not read because the Redis does not answer
	restarted   bool   // the Redis has been, since the keys were read
	nodes       int    // of a cluster that have a port of the proxy's; it only grows
	otherMember string // one that has none
}

// with changes it, or looks at it.
func (s *state) with(do func(*state)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(s)
}

// tookRestart tells whether the Redis has been restarted since it was asked last.
func (s *state) tookRestart() (was bool) {
	s.with(func(s *state) { was, s.restarted = s.restarted, false })
	return was
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
