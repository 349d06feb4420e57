// Package resp opens the embedded Redis to real clients: RESP2 and RESP3 over TCP.
package resp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Server is an embedded Redis that listens on a port.
//
// Redis runs one command at a time, and so does the server: mu is held while a
// command runs. A lock rather than a goroutine that owns the data, because the
// command then runs on the goroutine that received it, and the reply leaves
// without a switch between two of them.
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
	dirty     map[*conn]struct{} // have something to send
	resumable []*conn            // were blocked and are not any more
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
		dirty:   map[*conn]struct{}{},
	}
	s.clock.update()
	s.data = newDatabases(&s.clock, s.mayGoOn)
	s.blocked.init()
	return s
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
	s.goroutines.Go(s.keepTime)
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
			if errors.As(err, &temporary) && temporary.Temporary() && s.pause() {
				continue // out of file descriptors, most likely
			}
			return err
		}
		s.welcome(network)
	}
}

// pause waits a moment; false means that the server ends.
func (s *Server) pause() bool {
	select {
	case <-time.After(10 * time.Millisecond):
		return true
	case <-s.closed:
		return false
	}
}

func (s *Server) welcome(network net.Conn) {
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
	s.lastID++
	now := time.Now()
	c := &conn{
		server: s, net: network, id: s.lastID,
		addr: network.RemoteAddr().String(), laddr: network.LocalAddr().String(),
		created: now, lastActive: now, proto: resp2, authenticated: s.config.password == "",
	}
	s.conns[c.id] = c
	s.goroutines.Go(c.read)
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
	_ = s.listener.Close()
	for _, c := range s.conns {
		_ = c.net.Close()
	}
}

// lingering is how long a client that has hung up may take to read its replies.
const lingering = 5 * time.Second

// forget ends all that the server knows of a connection which receives nothing
// more. What it has yet to send is sent.
func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c.id)
	delete(s.dirty, c)
	s.silence(c)
	s.unwatch(c)
	s.stopWaiting(c)
	c.multi = nil
	c.end()
	_ = c.net.SetWriteDeadline(time.Now().Add(lingering))
	c.flush()
}

// batch bounds how many commands of one client run before others have a turn.
const batch = 128

// receive runs the commands that have come in. False ends the connection.
func (s *Server) receive(c *conn, in *requests) bool {
	commands := make([][]string, 0, 8)
	for {
		commands = commands[:0]
		limit := batch
		if in.unknown = s.isUnknown(c); in.unknown {
			limit = 1 // the next command may say who it is
		}
		var err error
		for len(commands) < limit {
			var args []string
			if args, err = in.next(); args == nil {
				break
			}
			commands = append(commands, args)
		}
		if !s.run(c, commands, err) {
			return false
		}
		if len(commands) < limit {
			return true
		}
	}
}

func (s *Server) isUnknown(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mustAuthenticate(c)
}

// run runs commands of a client, and then answers what could not be understood.
// False ends the connection.
func (s *Server) run(c *conn, commands [][]string, failed error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, args := range commands {
		c.pending = append(c.pending, args)
		for _, arg := range args {
			c.pendingBytes += len(arg) + argOverhead
		}
	}
	s.drain(c)
	if failed != nil && !c.ending {
		// A blocked client's last commands are lost with it.
		c.error("ERR " + failed.Error())
		c.end()
	}
	if c.pendingBytes > maxPending {
		s.log.Warn("closing a client that sends too much while it is blocked", "id", c.id, "addr", c.addr)
		c.end()
	}
	ok := !c.ending
	s.settle()
	return ok
}

// drain runs a client's pending commands until it is blocked. While its script runs,
// whoever runs that goes on with them.
func (s *Server) drain(c *conn) {
	if s.script.client == c {
		return
	}
	for len(c.pending) > 0 && c.waiting == nil && !c.ending && !s.ending {
		args := c.pending[0]
		c.pending[0] = nil
		c.pending = c.pending[1:]
		for _, arg := range args {
			c.pendingBytes -= len(arg) + argOverhead
		}
		s.execute(c, args)
		s.serveBlocked()
	}
	if len(c.pending) == 0 {
		c.pending, c.pendingBytes = nil, 0
	}
	s.dirty[c] = struct{}{}
}

// settle resumes the clients that are not blocked any more and sends all replies.
func (s *Server) settle() {
	for len(s.resumable) > 0 && !s.script.busy {
		c := s.resumable[0]
		s.resumable = s.resumable[1:]
		s.drain(c)
	}
	s.flush()
}

// flush sends what there is to send.
func (s *Server) flush() {
	for c := range s.dirty {
		c.flush()
	}
	clear(s.dirty)
}
