//go:build unix

package port

import (
	"errors"
	"syscall"
)

// writeNow sends as much as the network takes at once, and never waits for it.
func (c *conn) writeNow(b []byte) (n int, err error) {
	socket, ok := c.net.(syscall.Conn)
	if !ok {
		return c.net.Write(b)
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, err
	}
	closed := raw.Write(func(file uintptr) bool {
		n, err = syscall.Write(int(file), b)
		return true
	})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
		return 0, closed
	}
	return max(n, 0), errors.Join(closed, err)
}
