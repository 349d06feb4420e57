package port

import (
	"errors"
	"io"
	"syscall"
)

// arrivals reads what clients send in the order in which it reaches the machine, as
// Redis does. A goroutine for each connection would not: of those for which something
// has come, Go wakes the last one first, so that a PUBLISH could overtake the
// SUBSCRIBE that was sent before it on another connection.
type arrivals struct {
	server *Server
	epoll  int
	wake   [2]int // a pipe: closing its second end wakes the reader

	// The server's lock is held for these.
	reader  int                  // which goroutine it is that reads
	reading bool                 // it runs what it has read
	came    []syscall.EpollEvent // has not been read yet
}

func (a *arrivals) open(s *Server) (err error) {
	a.server = s
	if a.epoll, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if err = syscall.Pipe2(a.wake[:], syscall.O_CLOEXEC); err != nil {
		return err
	}
	s.goroutines.Go(func() { a.read(0) })
	return a.control(syscall.EPOLL_CTL_ADD, a.wake[0], 0)
}

// end wakes the reader, and close is for when it has ended.
func (a *arrivals) end() { _ = syscall.Close(a.wake[1]) }

func (a *arrivals) close() {
	_ = syscall.Close(a.wake[0])
	_ = syscall.Close(a.epoll)
}

// control begins or ends to wait for a file, whose events carry an id. An event says
// that more has come than before: files that stay readable would keep their places.
func (a *arrivals) control(how, file int, id int64) error {
	const edge = 1 << 31 // syscall.EPOLLET, which is negative
	events := uint32(syscall.EPOLLIN | syscall.EPOLLRDHUP | edge)
	return syscall.EpollCtl(a.epoll, how, file, &syscall.EpollEvent{Events: events, Fd: int32(id), Pad: int32(id >> 32)})
}

func (a *arrivals) controlConn(how int, c *conn) (err error) {
	closed := c.raw.Control(func(file uintptr) { err = a.control(how, int(file), c.id) })
	return errors.Join(closed, err)
}

func (a *arrivals) add(c *conn) (err error) {
	socket, ok := c.net.(syscall.Conn)
	if !ok {
		return errors.ErrUnsupported
	}
	if c.raw, err = socket.SyscallConn(); err != nil {
		return err
	}
	return a.controlConn(syscall.EPOLL_CTL_ADD, c)
}

func (a *arrivals) remove(c *conn) {
	if c.raw != nil {
		_ = a.controlConn(syscall.EPOLL_CTL_DEL, c)
	}
}

// handOver starts another reader when the script that this one runs takes long.
func (a *arrivals) handOver() {
	if a.reading {
		a.reader++
		a.reading = false
		me := a.reader
		a.server.goroutines.Go(func() { a.read(me) })
	}
}

func (a *arrivals) read(me int) {
	s := a.server
	events, room := make([]syscall.EpollEvent, 128), make([]byte, chunk)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(a.came) > 0 && a.reader == me && !s.ending {
			e := a.came[0]
			a.came = a.came[1:]
			a.reading = true
			a.take(e, room)
		}
		if a.reader != me || s.ending {
			return
		}
		a.reading, a.came = false, nil
		s.mu.Unlock()
		n, err := syscall.EpollWait(a.epoll, events, -1)
		s.mu.Lock()
		if err != nil && !errors.Is(err, syscall.EINTR) {
			s.log.Error("clients cannot be waited for", "error", err)
			s.end()
		}
		a.came = events[:max(n, 0)]
	}
}

// take reads from a connection that has something.
func (a *arrivals) take(e syscall.EpollEvent, room []byte) {
	c := a.server.conns[int64(uint32(e.Fd))|int64(e.Pad)<<32]
	if c == nil {
		return
	}
	n, err := now(c.raw.Read, syscall.Read, room)
	if n == 0 && err == nil {
		err = io.EOF
	}
	a.server.receive(c, room[:max(n, 0)], err)
	if n == len(room) || n > 0 && e.Events&(syscall.EPOLLRDHUP|syscall.EPOLLHUP) != 0 {
		_ = a.controlConn(syscall.EPOLL_CTL_MOD, c) // there is more, for when it is its turn again
	}
}

// writeNow writes as much as does not have to wait for the network.
func (c *conn) writeNow(b []byte) (int, error) {
	if c.raw == nil {
		return c.net.Write(b)
	}
	n, err := now(c.raw.Write, syscall.Write, b)
	return max(n, 0), err
}

// now does what does not have to wait, or nothing, which is -1.
func now(with func(func(uintptr) bool) error, do func(int, []byte) (int, error), b []byte) (n int, err error) {
	failed := with(func(file uintptr) bool {
		n, err = do(int(file), b)
		return true
	})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
		return -1, failed
	}
	return n, errors.Join(failed, err)
}
