package proxy

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"

	"lockstep/attach"
	"lockstep/node/redis/port"
)

// Proxy stands between clients and their Redis.
type Proxy struct {
	to       Upstream
	log      *slog.Logger
	recorder *attach.Recorder
	queue    *queue
	mirror   *mirror
	reader   *reader
	state    state
	cluster  bool // the Redis is a node of one; known before clients are served
	nodes    nodes

	blocking atomic.Int64 // requests under way that may wait for a key
	blind    atomic.Int64 // connections that could not be followed

	mu     sync.Mutex
	taps   map[int64]*tap
	lastID int64
	ending bool
	conns  sync.WaitGroup
}

// New makes a proxy to a Redis. It does not serve yet.
func New(to Upstream, log *slog.Logger) *Proxy {
	p := &Proxy{to: to, log: log, queue: &queue{wake: make(chan struct{}, 1)}, taps: map[int64]*tap{}}
	p.nodes = nodes{through: map[string]string{}, owners: map[int]*reader{}, readers: map[string]*reader{}}
	p.recorder = attach.New(p.letGo, outlived)
	p.reader = newReader(to, &p.state)
	p.mirror = &mirror{proxy: p, doubted: map[string]struct{}{}}
	p.mirror.reset()
	return p
}

// Recorder has what clients did, for a page.
func (p *Proxy) Recorder() *attach.Recorder { return p.recorder }

// Serve passes on what clients and their Redis say to each other until the context ends. It may be called once.
func (p *Proxy) Serve(ctx context.Context, listener net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		_ = listener.Close()
		p.end()
	})
	defer stop()
	_ = p.reader.reach(ctx) // the page says why not
	p.cluster = p.reader.inCluster
	p.serves(ctx, listener)
	p.conns.Go(func() { p.mirror.run(ctx) })
	err := p.accept(ctx, listener, p.to)
	cancel()
	p.end()
	p.conns.Wait()
	p.hangUp()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (p *Proxy) accept(ctx context.Context, listener net.Listener, to Upstream) error {
	return port.Accept(listener, ctx.Done(), func(client net.Conn) {
		p.conns.Go(func() { p.serve(ctx, client, to) })
	})
}

// end hangs up on all clients.
func (p *Proxy) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ending = true
	for _, t := range p.taps {
		t.close()
	}
}

// serve passes on what a client and the Redis say, over a connection of this client's own. If one side hangs up, both
// connections are closed. A client that only stops sending still gets its answers.
func (p *Proxy) serve(ctx context.Context, client net.Conn, to Upstream) {
	defer client.Close()
	server, err := to.dial(ctx)
	if err != nil {
		p.log.Warn("a client is hung up on: its Redis cannot be reached", "to", to.Addr, "error", err)
		return
	}
	defer server.Close()
	t := p.join(client, server, to)
	if t == nil {
		return
	}
	defer p.leave(t)
	var answers sync.WaitGroup
	answers.Go(func() {
		defer t.close()
		t.passAnswers(server, client)
	})
	if t.passRequests(client, server) {
		if half, ok := server.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
			answers.Wait() // the server hangs up when it has answered
			return
		}
	}
	t.close()
	answers.Wait()
}

// join makes a tap; nil: the proxy ends.
func (p *Proxy) join(client, server net.Conn, to Upstream) *tap {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ending {
		return nil
	}
	p.lastID++
	t := &tap{proxy: p, to: to, peer: port.Peer{ID: p.lastID, Addr: client.RemoteAddr().String()}, gone: make(chan struct{})}
	t.caught = sync.NewCond(&t.mu)
	t.close = sync.OnceFunc(func() {
		close(t.gone)
		_ = client.Close()
		_ = server.Close()
	})
	p.taps[t.peer.ID] = t
	return t
}

func (p *Proxy) leave(t *tap) {
	p.mu.Lock()
	delete(p.taps, t.peer.ID)
	p.mu.Unlock()
	t.ended()
}

func (p *Proxy) tap(connection int64) *tap {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taps[connection]
}

func (p *Proxy) allTaps() []*tap {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Values(p.taps))
}

// awaits tells whether a command under way touches one of these keys.
func (p *Proxy) awaits(keys []string) bool {
	return slices.ContainsFunc(p.allTaps(), func(t *tap) bool { return t.awaits(keys) })
}

// Idle tells whether the recorder knows of all that clients have heard.
func (p *Proxy) Idle() bool {
	for _, t := range p.allTaps() {
		if !t.isIdle() {
			return false
		}
	}
	return p.queue.idle()
}
