package resp

import (
	"net"
	"sync"
	"time"
)

// Bounds on what a connection may wait to send, in bytes. A subscriber cannot be
// told to slow down, so it has less.
const (
	maxOutput           = 256 << 20
	maxSubscriberOutput = 32 << 20
)

// maxPending bounds, in bytes, the commands that a client sends while it is blocked.
const maxPending = maxRequest

// conn is one client. Its reader cuts requests without the server's lock; all
// else but out needs it.
type conn struct {
	server *Server
	net    net.Conn
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

	pending      [][]string // commands received and not yet run
	pendingBytes int
	waiting      *waiter                // nil: not blocked
	multi        *transaction           // nil: not in MULTI
	watched      map[databaseKey]uint64 // by version
	channels     [3]map[string]struct{} // by kind of subscription
	ending       bool                   // runs no more commands
}

// replyMode is what CLIENT REPLY was told.
type replyMode uint8

const (
	replyOn replyMode = iota
	replyOff
	replySkipNext // the next command's reply
	replySkip     // this command's reply
)

// output is what a connection has yet to send. Whoever adds to it never waits
// for the network: a goroutine sends what is there and ends.
type output struct {
	mu      sync.Mutex
	buf     []byte
	spare   []byte // for reuse
	sending bool
	end     bool // close the connection once all is sent
	broken  bool // nothing can be sent any more
}

// append adds to the output without sending it yet.
func (c *conn) append(add func(b []byte) []byte) {
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
		o.broken, o.buf = true, nil
		_ = c.net.Close()
	}
}

// write sends what was appended, in the background if need be.
func (c *conn) flush() {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sending || o.broken || len(o.buf) == 0 && !o.end {
		return
	}
	o.sending = true
	c.server.goroutines.Go(c.send)
}

// end closes the connection once all is sent.
func (c *conn) end() {
	c.ending = true
	c.pending = nil
	c.out.mu.Lock()
	c.out.end = true
	c.out.mu.Unlock()
}

// kept bounds the room that an idle connection keeps for its next reply.
const kept = 64 << 10

// send writes until there is nothing left.
func (c *conn) send() {
	o := &c.out
	o.mu.Lock()
	for len(o.buf) > 0 && !o.broken {
		sent := o.buf
		o.buf, o.spare = o.spare[:0], nil
		o.mu.Unlock()
		_, err := c.net.Write(sent)
		o.mu.Lock()
		if cap(sent) <= kept {
			o.spare = sent
		}
		o.broken = o.broken || err != nil
	}
	o.sending = false
	if o.broken || o.end {
		o.buf = nil
		_ = c.net.Close()
	}
	o.mu.Unlock()
}

// read receives commands until the connection ends.
func (c *conn) read() {
	in := &requests{}
	for {
		n, err := c.net.Read(in.room())
		if n > 0 {
			in.received(n)
			if !c.server.receive(c, in) {
				break
			}
		}
		if err != nil {
			break
		}
	}
	c.server.forget(c)
}

// unsent is how many bytes wait to be sent.
func (c *conn) unsent() int {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return len(c.out.buf)
}
