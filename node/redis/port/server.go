package port

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime"
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
// command runs. A lock rather than a goroutine that owns the data, because the
// command then runs on the goroutine that received it, and the reply leaves
// without a switch between two of them. The price: of two commands that arrive on
// different connections within microseconds, the later one may run first.
type Server struct {
	log        *slog.Logger
	started    time.Time
	runID      string
	goroutines sync.WaitGroup
	closing    sync.Once
	closed     chan struct{} // closed when the server is to end, even while a command runs

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
	member    cluster.Member    // of no cluster: zero
	follower  *follower         // nil: nobody follows
	observer  keyspace.Observer // besides the server itself; nil: none
	running   *conn             // whose command runs; nil while none does
	serving   *conn             // the blocked client whose command runs now
	dirty     []*conn           // have something to send, or are ending; Invariant: c.dirty for each, and for no others
	resumable []*conn           // were blocked, paused or held and are not any more: their next commands wait to run
	burst     burst
	leaving   []*conn      // are not among conns any more, and still sent to
	unsent    atomic.Int64 // bytes that wait to be sent to all
	evicted   int          // bytes since they were last collected
	ending    bool
}

// New makes a server whose keys expire by a clock. It logs what a client cannot
// be told.
func New(c Clock, log *slog.Logger) *Server {
	s := &Server{
		log:     log,
		started: time.Now(),
		runID:   newRunID(),
		closed:  make(chan struct{}),
		clock:   clock{kind: c},
		conns:   map[int64]*conn{},
		config:  newConfig(),
	}
	s.clock.update()
	s.data = newDatabases(&s.clock, s.checkScript)
	s.blocked.init()
	return s
}

// RequirePassword has clients say AUTH first. It is for servers that do not serve yet.
func (s *Server) RequirePassword(password string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.password = password
}

// Serve answers clients until the context ends or a client says SHUTDOWN. It
// closes the listener and all connections, and waits for them. A server serves
// once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	s.mu.Lock()
	s.listener = listener
	s.mu.Unlock()
	stop := context.AfterFunc(ctx, s.shutdown)
	defer stop()
	s.goroutines.Go(s.cron)
	err := s.accept(listener)
	s.shutdown()
	_ = listener.Close()
	s.goroutines.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (s *Server) accept(listener net.Listener) error {
	for {
		network, err := listener.Accept()
		if err != nil {
			var temporary interface{ Temporary() bool }
			if errors.As(err, &temporary) && temporary.Temporary() && s.backOff() {
				continue // out of file descriptors, most likely
			}
			return err
		}
		s.addClient(network)
	}
}

// backOff waits a moment; false means that the server ends.
func (s *Server) backOff() bool {
	select {
	case <-time.After(10 * time.Millisecond):
		return true
	case <-s.closed:
		return false
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

// connect makes a client of a connection; s.mu is held.
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
		s.mu.Lock()
		s.receive(c, room[:n], err)
		ended = c.ending
		s.mu.Unlock()
	}
}

// shutdown makes Serve end. It may be called more than once, and with s.mu free.
func (s *Server) shutdown() {
	s.closing.Do(func() { close(s.closed) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

// end closes everything; s.mu is held.
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

// lingerTimeout is how long a client that has hung up may take to read its replies.
const lingerTimeout = 5 * time.Second

// removeClient drops a connection that receives nothing more. Its pending replies are
// still sent.
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

// receive takes what a client has sent, or that it has hung up; s.mu is held.
func (s *Server) receive(c *conn, received []byte, err error) {
	if c.ending {
		return
	}
	c.in.feed(received)
	for s.drain(c); c.turnOver && !c.ending; s.drain(c) {
		s.resumeAndFlush()
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
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

// turn is how long a client may run commands while others wait.
const turn = time.Millisecond

// drain runs the commands that a client has sent until it is blocked, or its turn is over.
// While its script runs, whoever runs that goes on with them.
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
		c.turnOver = !c.alone && s.clock.wall.Sub(began) > turn
	}
}

// resumeAndFlush resumes the clients that are not blocked any more and sends all replies.
func (s *Server) resumeAndFlush() {
	for len(s.resumable) > 0 && !s.script.busy {
		c := s.resumable[0]
		s.resumable = s.resumable[1:]
		for s.drain(c); c.turnOver; s.drain(c) {
			continue // whoever resumed it waits for that
		}
		c.in.keep()
	}
	s.deliver()
	s.broadcast()
	s.flush()
}

// markDirty has flush look at a client: it has something to send, or is ending.
func (s *Server) markDirty(c *conn) {
	if !c.dirty {
		c.dirty = true
		s.dirty = append(s.dirty, c)
	}
}

// flush sends what there is to send, in the order in which the clients got it: who
// hears a message has it before the reply to PUBLISH is there.
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
