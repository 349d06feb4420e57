package proxy

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// room is how many bytes of a connection are read at once, each way. No more of a stream is kept in memory.
const room = 16 << 10

// passAnswers sends the client what the server says, and listens afterwards, so that nobody waits for it.
func (t *tap) passAnswers(server io.Reader, client io.Writer) {
	b := make([]byte, room)
	in := &replies{}
	nodes := &readdressing{tap: t}
	for {
		n, err := server.Read(b)
		if n > 0 && t.proxy.cluster {
			if _, err := client.Write(nodes.next(b[:n])); err != nil {
				return
			}
		} else if n > 0 {
			if _, err := client.Write(b[:n]); err != nil {
				return
			}
			t.hear(in, b[:n])
		}
		if err != nil {
			return
		}
	}
}

// hear finds the replies in what the server has said.
func (t *tap) hear(in *replies, b []byte) {
	for len(b) > 0 && !t.isBlind() {
		n, a, ok, err := in.next(b)
		b = b[n:]
		switch {
		case err != nil:
			t.giveUp()
		case ok:
			t.received(a)
		}
	}
}

func (t *tap) isBlind() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.blind
}

func (t *tap) giveUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.blind {
		t.lose()
	}
}

// outbound is what a client has sent and is still to be sent on: b[sent:end], of which the commands up to
// parsed are known.
type outbound struct {
	b                 [room]byte
	sent, parsed, end int
	begins            int // where the command begins that lacks its end; below sent: some of it has been sent
	in                requests
}

// passRequests sends the server what the client says. True: the client has said all and may still listen.
func (t *tap) passRequests(client net.Conn, server io.Writer) (half bool) {
	o := &outbound{}
	for {
		n, err := client.Read(o.b[o.end:])
		o.end += n
		if !t.sendCommands(o, client, server) {
			return false
		}
		if err != nil {
			o.flush(server, o.end)
			return errors.Is(err, io.EOF)
		}
	}
}

// sendCommands sends on what has come. Without rules it goes first and is listened to afterwards. With them, the
// beginning of a command waits for its end, if there is room for it. False: a connection has ended.
func (t *tap) sendCommands(o *outbound, client net.Conn, server io.Writer) bool {
	if !t.proxy.recorder.MayHold() && !t.proxy.cluster { // whoever readdresses a reply must know its request
		t.setAhead(true)
		defer t.setAhead(false)
		if !o.send(server, o.end) {
			return false
		}
	}
	for o.parsed < o.end {
		if t.isBlind() {
			o.parsed = o.end
			o.begins = o.end
			break
		}
		n, q, err := o.in.next(o.b[o.parsed:o.end])
		o.parsed += n
		if err != nil {
			t.giveUp()
			continue
		}
		if q == nil {
			continue
		}
		var waits func(letGo <-chan struct{}) bool
		if o.begins >= o.sent {
			waits = func(letGo <-chan struct{}) bool { return o.flush(server, o.begins) && o.wait(client, letGo, t.gone) }
		}
		if !t.request(q, waits) {
			return false
		}
		o.begins = o.parsed
	}
	to := o.end
	if o.begins >= o.sent && o.end-o.begins < room && t.proxy.recorder.MayHold() {
		to = o.begins
	}
	return o.flush(server, to)
}

// setAhead notes whether the server may know of requests that are not listened to yet.
func (t *tap) setAhead(is bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ahead = is; !is {
		t.caught.Broadcast()
	}
}

// send sends what is before a place and has not been sent.
func (o *outbound) send(server io.Writer, to int) bool {
	if to <= o.sent {
		return true
	}
	_, err := server.Write(o.b[o.sent:to])
	o.sent = to
	return err == nil
}

// flush sends what is before a place and has not been sent, and moves the rest to the front.
func (o *outbound) flush(server io.Writer, to int) bool {
	if !o.send(server, to) {
		return false
	}
	copy(o.b[:], o.b[o.sent:o.end])
	o.parsed, o.end, o.begins = o.parsed-o.sent, o.end-o.sent, o.begins-o.sent
	o.sent = 0
	return true
}

// wait reads on while a request is held, to see whether the client hangs up. False: it has, or was hung up on.
func (o *outbound) wait(client net.Conn, letGo, gone <-chan struct{}) bool {
	for {
		if o.end == len(o.b) { // it sends more than there is room for: nobody can see whether it is there
			select {
			case <-letGo:
				return true
			case <-gone:
				return false
			}
		}
		type read struct {
			n   int
			err error
		}
		came := make(chan read, 1)
		go func() {
			n, err := client.Read(o.b[o.end:])
			came <- read{n, err}
		}()
		select {
		case <-letGo:
			_ = client.SetReadDeadline(time.Unix(1, 0))
			got := <-came
			_ = client.SetReadDeadline(time.Time{})
			o.end += got.n
			return got.err == nil || errors.Is(got.err, os.ErrDeadlineExceeded)
		case got := <-came:
			if o.end += got.n; got.err != nil {
				return false
			}
		}
	}
}
