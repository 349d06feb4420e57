package redistest

import (
	"errors"
	"net"
	"sync"
	"syscall"
)

// SyscallConn is for those who peek at a connection before they use it again: go-redis does, and has another one instead of one
// that the server has ended. Whoever could not would fail where they succeed elsewhere.
func (w *wire) SyscallConn() (syscall.RawConn, error) { return socket{w}, nil }

// socket is what a connection seems to be to who peeks at it.
type socket struct{ wire *wire }

// Read has somebody look at a socket that has as much to read as the connection, or nobody where there is nothing.
func (s socket) Read(look func(fd uintptr) bool) error {
	s.wire.mu.Lock()
	defer s.wire.mu.Unlock()
	switch {
	case len(s.wire.in) > 0 && unread() != nil:
		return unread().Control(func(fd uintptr) { look(fd) })
	case len(s.wire.in) == 0 && s.wire.knowsItsEnd():
		return s.wire.err
	default:
		return nil
	}
}

// Control has nothing to change.
func (socket) Control(func(fd uintptr)) error { return errors.ErrUnsupported }

// Write would go past the schedule.
func (socket) Write(func(fd uintptr) bool) error { return errors.ErrUnsupported }

// unread is a socket with something to read in it, for whoever peeks; nil: this machine gives none.
var unread = sync.OnceValue(func() syscall.RawConn {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil
	}
	_, _ = conn.WriteTo([]byte{'>'}, conn.LocalAddr())
	raw, _ := conn.SyscallConn()
	return raw
})
