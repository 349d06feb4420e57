package port

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// maxPending bounds, in bytes, what a client sends while it is blocked.
const maxPending = 2 * maxRequest

// conn is one client. All but out needs the server's lock.
type conn struct {
	server *Server
	net    net.Conn
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
	lastActive    time.Time
	lastCommand   string

	names          int                    // bytes that its watched keys and its channels take
	softLimitSince time.Time              // since when its output is over the soft limit
	waiting        *waiter                // nil: not blocked
	postponed      []string               // a command that waits for the end of a pause, or is held
	held           bool                   // until LetGo
	letGo          bool                   // the postponed command was held, and is not any more
	multi          *transaction           // nil: not in MULTI
	tracking       *trackingOptions       // nil: it has no cache that the server knows of
	watched        []databaseKey          // until EXEC
	touched        bool                   // one of them has changed
	channels       [3]map[string]struct{} // by kind of subscription
	dirty          bool                   // is among those that have something to send
	ending         bool                   // runs no more commands
	onlooker       bool                   // for somebody outside: other clients do not notice it
	alone          bool                   // has no turns: who holds it decides when others come
	turnOver       bool                   // has commands that have not run
}

// output is what a connection has yet to send. Whoever adds to it never waits for
// the network: what does not leave at once is sent by a goroutine that then ends.
type output struct {
	all     *atomic.Int64 // bytes of all connections
	mu      sync.Mutex
	full    [][]byte // before buf: a single slice would be copied to grow
	buf     []byte
	size    int // of all
	sending bool
	end     bool // close the connection once all is sent
	broken  bool // nothing can be sent any more
}

// append adds to the output without sending it yet.
func (c *conn) append(add func(b []byte) []byte) {
	c.server.markDirty(c)
	if c.out.add(add); c.tooMuch() {
		c.server.evictClients()
	}
}

// add is append for who has checked nothing.
func (o *output) add(add func(b []byte) []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken || o.end {
		return
	}
	if len(o.buf) >= chunk {
		o.full, o.buf = append(o.full, o.buf), nil
	}
	before := len(o.buf)
	o.buf = add(o.buf)
	o.grow(len(o.buf) - before)
}

// grow counts bytes that are added, or taken away.
func (o *output) grow(by int) {
	o.size += by
	o.all.Add(int64(by))
}

// flush sends a chunk of what was appended, and the rest in the background: the server waits meanwhile.
func (c *conn) flush() {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	for left := chunk; left > 0 && o.size > 0 && !o.sending; {
		part := o.next()
		if !c.alone {
			part = part[:min(len(part), left)]
			left -= len(part)
		}
		n, err := c.writeNow(part)
		if o.sent(n, err); n < len(part) {
			break
		}
	}
	switch {
	case o.broken, o.end && o.size == 0:
		_ = c.net.Close()
	case o.size > 0 && !o.sending:
		o.sending = true
		c.server.goroutines.Go(c.send)
	}
}

// end closes the connection once all is sent.
func (c *conn) end() {
	c.ending = true
	c.server.markDirty(c)
	c.out.mu.Lock()
	c.out.end = true
	c.out.mu.Unlock()
}

// kept bounds the room that an idle connection keeps for its next reply.
const kept = 4 << 10

// next is what is to be sent first.
func (o *output) next() []byte {
	if len(o.full) > 0 {
		return o.full[0]
	}
	return o.buf
}

// sent takes n bytes off the front.
func (o *output) sent(n int, err error) {
	rest := o.next()[min(n, len(o.next())):]
	o.grow(-min(n, o.size)) // which is 0 once it is given up
	switch {
	case err != nil || o.broken:
		o.fail()
	case len(o.full) > 0 && len(rest) == 0:
		o.full = o.full[1:]
	case len(o.full) > 0:
		o.full[0] = rest
	case len(rest) > 0:
		o.buf = rest
	case cap(o.buf) > kept:
		o.buf = nil
	default:
		o.buf = o.buf[:0]
	}
}

// fail gives up what has not been sent.
func (o *output) fail() {
	o.grow(-o.size)
	o.broken, o.full, o.buf = true, nil, nil
}

const (
	received = 16 << 10 // is how many bytes are received at once
	chunk    = 64 << 10 // is about how many are sent at once
)

// send writes until there is nothing left.
func (c *conn) send() {
	o := &c.out
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.size > 0 && !o.broken {
		part := o.next()
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
	return c.out.size
}
