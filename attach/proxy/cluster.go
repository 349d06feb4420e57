package proxy

import (
	"context"
	"errors"
	"net"
	"sync"

	"lockstep/node/redis/cluster"
)

// mostNodes bounds the nodes of a cluster that have a port of the proxy's.
const mostNodes = 100

var errManyNodes = errors.New("there are too many nodes")

// nodes are the members of a cluster that clients have heard of. Each has a port of the proxy's, whose address
// clients hear in place of its own.
type nodes struct {
	mu      sync.Mutex
	listen  func(Upstream) (addr string, err error)
	through map[string]string  // the proxy's address, by the node's
	owners  map[int]*reader    // of slots, as far as clients have written there
	readers map[string]*reader // by address
}

// serves has the proxy listen at further ports of a host.
func (p *Proxy) serves(ctx context.Context, first net.Listener) {
	host, _, _ := net.SplitHostPort(first.Addr().String())
	p.nodes.listen = func(to Upstream) (string, error) {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
		if err != nil {
			return "", err
		}
		context.AfterFunc(ctx, func() { _ = listener.Close() })
		p.conns.Go(func() { _ = p.accept(ctx, listener, to) })
		return listener.Addr().String(), nil
	}
	p.nodes.through[p.to.Addr] = first.Addr().String()
}

// addressOf is where clients reach a node through the proxy. It begins to listen there. Where it cannot, they go to the
// node itself, and the page says so.
func (p *Proxy) addressOf(node string) string {
	n := &p.nodes
	n.mu.Lock()
	defer n.mu.Unlock()
	if addr, known := n.through[node]; known {
		return addr
	}
	addr, err := "", errManyNodes
	if len(n.through) < mostNodes {
		addr, err = n.listen(p.to.at(node))
	}
	if err != nil {
		p.log.Warn("a node of the cluster has no port here", "node", node, "error", err)
		p.state.with(func(s *state) { s.otherMember = node })
		return node
	}
	n.through[node] = addr
	p.state.with(func(s *state) { s.nodes = len(n.through) })
	return addr
}

// owns notes that a node has carried out a command that writes, so that its keys are read there.
func (p *Proxy) owns(e *entry) {
	if !p.cluster {
		return
	}
	n := &p.nodes
	n.mu.Lock()
	defer n.mu.Unlock()
	to := e.tap.to
	if n.readers[to.Addr] == nil {
		n.readers[to.Addr] = newReader(to, &p.state)
	}
	for _, key := range e.keysOf() {
		n.owners[cluster.Slot(key)] = n.readers[to.Addr]
	}
}

func (p *Proxy) readerOf(key string) *reader {
	if p.cluster {
		n := &p.nodes
		n.mu.Lock()
		defer n.mu.Unlock()
		if r := n.owners[cluster.Slot(key)]; r != nil {
			return r
		}
	}
	return p.reader
}

// read reads keys where they are.
func (p *Proxy) read(ctx context.Context, keys []string) (found []looked, err error) {
	of := map[*reader][]string{}
	for _, key := range keys {
		r := p.readerOf(key)
		of[r] = append(of[r], key)
	}
	for r, keys := range of {
		some, err := r.read(ctx, keys)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

// hangUp ends the connections that read.
func (p *Proxy) hangUp() {
	p.reader.close()
	p.nodes.mu.Lock()
	defer p.nodes.mu.Unlock()
	for _, r := range p.nodes.readers {
		r.close()
	}
}
