package resp

import (
	"net"
	"sync"
	"syscall"
	"time"
)

// Bounds on what a connection may wait to send, in bytes. A subscriber cannot be
// told to slow down, so it has less.
const (
	maxOutput           = 256 << 20
	maxSubscriberOutput = 32 << 20
)

// maxPending bounds, in bytes, what a client sends while it is blocked.
const maxPending = 2 * maxRequest

// conn is one client. All but out needs the server's lock.
type conn struct {
	server *Server
	net    net.Conn
	raw    syscall.RawConn // writes without waiting, where that is possible
	in     requests
	out    output

	id      int64
	addr    string
	laddr   string
	created time.Time

	proto         int
	name          string
	authenticated bool
	db            int
	replies       replyMode
	noEvict       bool
	lastActive    time.Time
	lastCommand   string

	waiting  *waiter                // nil: not blocked
	multi    *transaction           // nil: not in MULTI
	watched  map[databaseKey]uint64 // by version
	channels [3]map[string]struct{} // by kind of subscription
	dirty    bool                   // is among those that have something to send
	ending   bool                   // runs no more commands
}

// replyMode is what CLIENT REPLY was told.
type replyMode uint8

const (
	replyOn replyMode = iota
	replyOff
	replySkipNext // the next command's reply
	replySkip     // this command's reply
)

// output is what a connection has yet to send. Whoever adds to it never waits for
// the network: what does not leave at once is sent by a goroutine that then ends.
type output struct {
	mu      sync.Mutex
	buf     []byte
	sending bool
	end     bool // close the connection once all is sent
	broken  bool // nothing can be sent any more
}

// append adds to the output without sending it yet.
func (c *conn) append(add func(b []byte) []byte) {
	c.server.soil(c)
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken || o.end {
		return
	}
	o.buf = add(o.buf)
	limit := maxOutput
	if c.subscriptions() > 0 {
		limit = maxSubscriberOutput
	}
	if len(o.buf) > limit {
		c.server.log.Warn("closing a client that does not read its replies", "id", c.id, "addr", c.addr, "bytes", len(o.buf))
		o.broken, o.buf, c.ending = true, nil, true
	}
}

// flush sends what was appended, in the background if need be.
func (c *conn) flush() {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.buf) > 0 && !o.sending && !o.broken {
		o.sent(c.writeNow(o.buf))
	}
	switch {
	case o.broken, o.end && len(o.buf) == 0:
		_ = c.net.Close()
	case len(o.buf) > 0 && !o.sending:
		o.sending = true
		c.server.goroutines.Go(c.send)
	}
}

// end closes the connection once all is sent.
func (c *conn) end() {
	c.ending = true
	c.server.soil(c)
	c.out.mu.Lock()
	c.out.end = true
	c.out.mu.Unlock()
}

// kept bounds the room that an idle connection keeps for its next reply.
const kept = 4 << 10

// sent takes n bytes off the output.
func (o *output) sent(n int, err error) {
	switch {
	case err != nil:
		o.broken, o.buf = true, nil
	case n < len(o.buf):
		o.buf = o.buf[n:]
	case cap(o.buf) > kept:
		o.buf = nil
	default:
		o.buf = o.buf[:0]
	}
}

// chunk is how many bytes are received or sent at once.
const chunk = 64 << 10

// send writes until there is nothing left.
func (c *conn) send() {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.buf) > 0 && !o.broken {
		part := o.buf[:min(len(o.buf), chunk)]
		o.mu.Unlock()
		n, err := c.net.Write(part)
		o.mu.Lock()
		o.sent(n, err)
	}
	o.sending = false
	if o.broken || o.end {
		_ = c.net.Close()
	}
}

// unsent is how many bytes wait to be sent.
func (c *conn) unsent() int {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return len(c.out.buf)
}
