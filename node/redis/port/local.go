package port

import (
	"net"
	"time"

	"lockstep/node/redis/keyspace"
)

// Local is a client inside of this process, without a socket. What it sends is served at
// once, on the goroutine that sends it, so that whoever holds it decides in which order the
// commands of several clients run. Its server need not Serve.
type Local struct {
	server *Server
	conn   *conn
}

// Local connects a client. Its replies, and messages of its channels, go to heard, and
// hungUp is called when the server closes the connection: both with the server locked.
func (s *Server) Local(heard func([]byte), hungUp func()) *Local {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.connections++
	return &Local{s, s.connect(localConn{heard: heard, hungUp: hungUp}, "local", "local")}
}

// LooksOn has the client look at what there is for somebody outside: no CLIENT PAUSE holds it up, no CLIENT KILL ends it,
// and it is not counted.
func (l *Local) LooksOn() {
	l.server.mu.Lock()
	defer l.server.mu.Unlock()
	l.conn.onlooker = true
	l.server.stats.connections--
}

// Observe sets who is told of everything that happens to keys, with the server locked. It must be
// called before Serve.
func (s *Server) Observe(o keyspace.Observer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observer = o
}

// Send runs the commands in what the client has sent, as far as they are complete.
func (l *Local) Send(b []byte) {
	l.server.mu.Lock()
	defer l.server.mu.Unlock()
	l.server.clock.update()
	l.server.receive(l.conn, b, nil)
}

// Commands cuts what a client sends into commands. complete is false if the last command lacks its
// end. Of a broken protocol, what comes before the break is all: nobody reads on.
func Commands(b []byte) (commands [][]string, complete bool) {
	in := &requests{}
	in.feed(b)
	for {
		args, err := in.next()
		if args == nil || err != nil {
			return commands, err != nil || in.left == 0 && in.at == len(b)
		}
		commands = append(commands, args)
	}
}

// Encode is what a client sends for commands.
func Encode(commands ...[]string) (b []byte) {
	for _, args := range commands {
		b = appendHeader(b, '*', int64(len(args)))
		for _, a := range args {
			b = appendBulk(b, a)
		}
	}
	return b
}

// Close hangs up.
func (l *Local) Close() {
	l.server.mu.Lock()
	defer l.server.mu.Unlock()
	l.server.receive(l.conn, nil, net.ErrClosed)
}

// Due is how long it is until a key expires, a blocked client gives up or a pause of all clients ends, if any does.
func (s *Server) Due() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.update()
	at, due := s.blocked.next()
	for db := range s.data.keys {
		if next, ok := s.data.at(db).NextExpiry(); ok && (!due || next < at) {
			at, due = next, true
		}
	}
	if s.pause.mode != notPaused && (!due || s.pause.until < at) {
		at, due = s.pause.until, true
	}
	return max(at-s.clock.now, 0), due
}

// Tick does what is due: keys expire, blocked clients give up. A server that serves does so
// by itself.
func (s *Server) Tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.update()
	s.advance(0)
	s.resumeAndFlush()
}

// localConn stands for the socket that a local client does not have: nobody reads from it.
type localConn struct {
	net.Conn // nil

	heard  func([]byte)
	hungUp func()
}

func (l localConn) Write(b []byte) (int, error) {
	l.heard(b)
	return len(b), nil
}

func (l localConn) Close() error {
	l.hungUp()
	return nil
}

func (l localConn) SetWriteDeadline(time.Time) error { return nil }
