package real

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// connection is one to a server. It sends nothing by itself: no ping, and nothing again.
type connection struct {
	socket net.Conn
	in     *bufio.Reader
	id     session
	sent   int32   // requests
	zxid   int64   // of the last write that it heard of
	events []event // that came meanwhile
}

// session is how a client calls its session.
type session struct {
	number   int64 // 0: it has none yet
	password string
}

// event is what a watch of a path ended with.
type event struct {
	kind int32
	path string
}

// What is asked of a server, by the numbers that ZooKeeper has for it.
const (
	opDelete      = 2
	opExists      = 3
	opGetData     = 4
	opSetData     = 5
	opGetChildren = 8
	opPing        = 11
	opCreate2     = 15
	opSetWatches  = 101
	opClose       = -11
)

// The numbers of what is no request of a client.
const (
	isEvent      = -1
	isPing       = -2
	isSetWatches = -8
)

// Limits, in real time and in bytes.
const (
	answerLimit = 10 * time.Second
	largest     = 4 << 20 // of an answer
	// endless is how long the server keeps a silent session, in milliseconds: 23 days.
	endless = 2_000_000_000
)

// noPassword is sent for a new session. The server answers with as many bytes.
var noPassword = string(make([]byte, 16))

// errExpired says that a session is over.
var errExpired = errors.New("the session has expired")

// connect opens a connection for a session, or for a new one.
func connect(ctx context.Context, address string, id session) (*connection, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	var d net.Dialer
	socket, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	c := &connection{socket: socket, in: bufio.NewReader(socket), id: id}
	if err := c.greet(); err != nil {
		c.hangUp()
		return nil, err
	}
	return c, nil
}

func (c *connection) greet() error {
	const version, seen = 0, 0
	hello := message{}.int(version).long(seen).int(endless).long(c.id.number).text(cmp.Or(c.id.password, noPassword)).bool(false)
	if err := c.write(hello); err != nil {
		return err
	}
	a, err := c.read()
	if err != nil {
		return err
	}
	a.int() // the version
	timeout := a.int()
	c.id = session{a.long(), a.text()}
	if err := a.err(); err != nil {
		return err
	}
	if timeout <= 0 {
		return errExpired
	}
	return nil
}

// hangUp cuts the line. The session stays.
func (c *connection) hangUp() { _ = c.socket.Close() }

// call asks for one thing. The code says why the server refuses it; 0: it does not.
func (c *connection) call(op int32, body message) (a *answer, code int32, err error) {
	id, err := c.send(op, body)
	if err != nil {
		return nil, 0, err
	}
	return c.receive(id)
}

// send asks without waiting.
func (c *connection) send(op int32, body message) (id int32, err error) {
	switch op {
	case opPing:
		id = isPing
	case opSetWatches:
		id = isSetWatches
	default:
		c.sent++
		id = c.sent
	}
	return id, c.write(append(message{}.int(id).int(op), body...))
}

// receive reads until the answer to a request, which come in their order. What else comes is
// kept as events.
func (c *connection) receive(id int32) (*answer, int32, error) {
	for {
		a, err := c.read()
		if err != nil {
			return nil, 0, err
		}
		of, zxid, code := a.int(), a.long(), a.int()
		if of == isEvent {
			kind := a.int()
			a.int() // the state of the connection
			c.events = append(c.events, event{kind, a.text()})
			if err := a.err(); err != nil {
				return nil, 0, err
			}
			continue
		}
		if err := a.err(); err != nil {
			return nil, 0, err
		}
		if of != id {
			return nil, 0, fmt.Errorf("the answer %d came for the request %d", of, id)
		}
		c.zxid = max(c.zxid, zxid)
		return a, code, nil
	}
}

func (c *connection) write(m message) error {
	if err := c.socket.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return err
	}
	_, err := c.socket.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(m))), m...))
	return err
}

func (c *connection) read() (*answer, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > largest {
		return nil, fmt.Errorf("an answer has %d bytes", size)
	}
	body := make([]byte, size)
	_, err := io.ReadFull(c.in, body)
	return &answer{rest: body}, err
}
