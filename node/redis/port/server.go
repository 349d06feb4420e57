package port

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/node/redis/cluster"
	"lockstep/node/redis/keyspace"
)

// Server is an embedded Redis that listens on a port.
//
// Redis runs one command at a time, and so does the server: mu is held while a
// command runs. A goroutine that owns the data would need two switches for each
// command; with a lock, the command runs and the reply leaves on the goroutine that
// received it. The price: of two commands that arrive on different connections
// within microseconds, the later one may run first.
type Server struct {
	log        *slog.Logger
	started    time.Time
	runID      string
	goroutines sync.WaitGroup
	closing    sync.Once
	closed     chan struct{} // closed once the server is to end: shutdown does not wait for mu, so that a running command sees it

	// line is where those wait for mu who have had a turn or have replies to read: one of them at a time,
	// so that who comes with one command waits for few.
	line sync.Mutex

	mu        sync.Mutex
	clock     clock
	data      *databases
	listener  net.Listener
	conns     map[int64]*conn
	lastID    int64
	config    config
	stats     stats
	blocked   blocked
	script    script
	pause     pause
	tracking  tracking
	watchers  map[databaseKey][]*conn // who watches a key
	member    cluster.Member          // of no cluster: zero
	master    monitored               // no sentinel: zero
	follower  *follower               // nil: nobody follows
	observer  keyspace.Observer       // besides observer; nil: none
	running   *conn                   // the client of the running command; nil: none runs
	serving   *conn                   // the blocked client whose command is performed now
	dirty     []*conn                 // have output, or are ending. Invariant: c.dirty for each, and for no others
	resumable []*conn                 // no longer blocked, paused or held; their next commands have yet to run
	leaving   []*conn                 // removed from conns, with replies to send
	unsent    atomic.Int64            // bytes of all connections that wait to be sent
	ending    bool
}

// New makes a server whose keys expire by a clock. The log gets only what no client can be told.
func New(c Clock, log *slog.Logger) *Server {
	s := &Server{
		log:     log,
		started: time.Now(),
		closed:  make(chan struct{}),
		clock:   clock{kind: c},
		conns:   map[int64]*conn{}, watchers: map[databaseKey][]*conn{},
		config: newConfig(), blocked: blocked{byKey: map[databaseKey][]*waiter{}, changed: make(chan struct{}, 1)},
	}
	s.clock.update()
	s.data = newDatabases(&s.clock, s.checkScript)
	for db, k := range s.data.keys {
		k.SetObserver(observer{s, db})
	}
	return s
}

// RequirePassword demands AUTH from clients that connect from now on.
func (s *Server) RequirePassword(password string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.password = password
}

// Serve answers clients until the context ends or a client says SHUTDOWN. When it
// returns, the listener and all connections are closed. A server serves once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	s.mu.Lock()
	s.listener = listener
	s.mu.Unlock()
	stop := context.AfterFunc(ctx, s.shutdown)
	defer stop()
	s.goroutines.Go(s.cron)
	err := Accept(listener, s.closed, s.addClient)
	s.shutdown()
	_ = listener.Close()
	s.goroutines.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// Accept serves those that connect until the listener is closed, and says why it ends.
func Accept(listener net.Listener, closed <-chan struct{}, serve func(net.Conn)) error {
	for {
		client, err := listener.Accept()
		if err == nil {
			serve(client)
			continue
		}
		var temporary interface{ Temporary() bool }
		if !errors.As(err, &temporary) || !temporary.Temporary() {
			return err
		}
		select {
		case <-closed:
			return err
		case <-time.After(10 * time.Millisecond): // out of file descriptors, most likely
		}
	}
}

func (s *Server) addClient(network net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.connections++
	if s.ending {
		_ = network.Close()
		return
	}
	if len(s.conns) >= s.config.maxClients {
		s.stats.rejected++
		_ = network.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = network.Write([]byte("-ERR max number of clients reached\r\n"))
		_ = network.Close()
		return
	}
	c := s.connect(network, network.RemoteAddr().String(), network.LocalAddr().String())
	s.goroutines.Go(func() { s.hear(c) })
}

// connect makes a client of a connection. s.mu must be held.
func (s *Server) connect(network net.Conn, addr, laddr string) *conn {
	s.lastID++
	now := time.Now()
	c := &conn{
		server: s, net: network, id: s.lastID, addr: addr, laddr: laddr,
		created: now, lastActive: now, proto: resp2, authenticated: s.config.password == "",
	}
	c.out.all = &s.unsent
	_, c.alone = network.(localConn)
	s.conns[c.id] = c
	return c
}

// hear receives what a client sends until its connection ends.
func (s *Server) hear(c *conn) {
	room := make([]byte, received)
	for ended := false; !ended; {
		n, err := c.net.Read(room)
		if c.unsent() > 0 {
			s.lockInLine()
		} else {
			s.mu.Lock()
		}
		s.receive(c, room[:n], err)
		ended = c.ending
		s.mu.Unlock()
	}
}

func (s *Server) lockInLine() {
	s.line.Lock()
	s.mu.Lock()
	s.line.Unlock()
}

// shutdown makes Serve end. It may be called more than once; s.mu must be free.
func (s *Server) shutdown() {
	s.closing.Do(func() { close(s.closed) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

// end closes the listener and all connections. s.mu must be held.
func (s *Server) end() {
	if s.ending {
		return
	}
	s.ending = true
	s.closing.Do(func() { close(s.closed) })
	for _, c := range s.conns {
		_ = c.net.Close()
	}
	if s.listener != nil { // nil: it has only local clients
		_ = s.listener.Close()
	}
}

// lingerTimeout bounds the time that a removed client has to read its replies.
const lingerTimeout = 5 * time.Second

// removeClient forgets a client. Its pending replies are still sent.
func (s *Server) removeClient(c *conn) {
	if s.conns[c.id] == nil {
		return
	}
	delete(s.conns, c.id)
	s.leaving = append(s.leaving, c)
	if s.follower != nil {
		s.lookAtClock()
		s.tellOf(c, Done{Kind: HungUp})
	}
	s.unsubscribeAll(c)
	s.unwatch(c)
	s.track(c, nil)
	s.stopWaiting(c)
	s.pause.waiting = slices.DeleteFunc(s.pause.waiting, func(other *conn) bool { return other == c })
	c.multi, c.in, c.postponed, c.held = nil, requests{}, nil, false
	_ = c.net.SetWriteDeadline(time.Now().Add(lingerTimeout))
}

// receive runs the commands that have arrived, and ends the client after an error. s.mu must be
// held; it is free for a moment between two turns.
func (s *Server) receive(c *conn, received []byte, err error) {
	if c.ending {
		return
	}
	c.in.feed(received)
	for s.drain(c); c.turnOver && !c.ending; s.drain(c) {
		s.resumeAndFlush()
		s.mu.Unlock()
		s.lockInLine()
	}
	c.in.keep()
	switch {
	case err != nil:
		c.end()
	case len(c.in.buf) > maxPending:
		s.log.Warn("closing a client that sends too much while it is blocked", "id", c.id, "addr", c.addr)
		c.end()
	}
	s.resumeAndFlush()
}

// turn bounds the time for which a client runs commands while others wait. A turn ends as well when its
// replies have filled a chunk.
const turn = time.Millisecond

// drain runs a client's commands until none is complete, the client is blocked or its turn is over.
// Commands that arrive while its script runs are left to the call of drain that runs the script.
func (s *Server) drain(c *conn) {
	began := time.Now()
	c.turnOver = false
	for !c.turnOver && c.waiting == nil && !s.isPostponed(c) && !c.ending && !s.ending && s.script.client != c {
		c.in.unknown = s.mustAuthenticate(c)
		args, err := c.next()
		if err != nil {
			c.error("ERR " + err.Error())
			c.end()
		}
		if args == nil {
			break
		}
		if s.holdBack(c, args) {
			break
		}
		s.running = c
		if s.follower != nil {
			s.executeFollowed(c, args)
		} else {
			s.execute(c, args)
		}
		s.running = nil
		c.letGo = c.letGo && s.isPostponed(c)
		s.sendPendingInvalidations(c)
		s.serveBlocked()
		c.turnOver = !c.alone && (s.clock.wall.Sub(began) > turn || c.unsent() > chunk)
	}
}

// resumeAndFlush runs the commands of resumable clients, and sends all replies.
func (s *Server) resumeAndFlush() {
	for len(s.resumable) > 0 && !s.script.busy {
		c := s.resumable[0]
		s.resumable = s.resumable[1:]
		for s.drain(c); c.turnOver; s.drain(c) {
			continue // its turn ends no earlier: whoever resumed it waits for all its commands
		}
		c.in.keep()
	}
	s.deliver()
	s.broadcast()
	s.flush()
}

// markDirty makes the next flush send to a client, or remove it.
func (s *Server) markDirty(c *conn) {
	if !c.dirty {
		c.dirty = true
		s.dirty = append(s.dirty, c)
	}
}

// flush sends all output, in the order in which clients became dirty: a subscriber has a
// message before its publisher has the reply.
func (s *Server) flush() {
	for _, c := range s.dirty {
		if c.ending {
			s.removeClient(c)
		}
		c.dirty = false
		c.flush()
	}
	s.dirty = s.dirty[:0]
}
