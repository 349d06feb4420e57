//go:build !unix

package port

// writeNow sends nothing to a socket: whether the network would make it wait is not known.
func (c *conn) writeNow(b []byte) (int, error) {
	if _, local := c.net.(localConn); local {
		return c.net.Write(b)
	}
	return 0, nil
}
