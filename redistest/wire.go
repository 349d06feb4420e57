package redistest

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"lockstep/node/redis/port"
)

// wire is a connection between a process and a server. What is written waits until the run
// performs it; nothing ever waits for room.
type wire struct {
	process  *Process
	server   *server
	local    *port.Local
	addr     addr      // by which it was called
	number   int       // in the order of connections to the server
	requests int       // there have been
	waits    bool      // its last request has no reply yet
	held     bool      // as CLIENT PAUSE holds it up, and it may change something
	then     *step     // what is to happen once that reply is there; nil: nothing. Until then the reply is late
	stays    bool      // others may notice when it is closed: it has blocked, listened or tracked
	queued   footprint // of what it has watched and queued since WATCH or MULTI; nil: nothing
	queues   bool      // since MULTI

	mu     sync.Mutex
	out    []byte // the beginning of a request
	in     []byte // has arrived, and is to be read
	late   []byte // will arrive when the process goes on
	paused bool   // what arrives is late
	slow   bool   // the same, but its timeouts are not
	breaks bool   // once all that is on its way has been performed: nothing arrives any more
	err    error  // nothing arrives any more
	closed bool   // by the process
	readBy time.Time
	wake   chan struct{} // a reader looks again
}

func (r *run) connect(p *Process, name string) (net.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.called(name)
	s.dialed = true
	r.trail.touch(p.object(), true)
	r.trail.touch(whole(s), false) // CLIENT KILL may find it there
	if s.away || s.spare {
		if !s.refused[p] {
			r.tell(fmt.Sprintf("%s: %s refuses the connection", p.Name, s.name))
			s.refused[p] = true
		}
		r.bores()
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: addr(name), Err: syscall.ECONNREFUSED}
	}
	s.connections++
	w := &wire{process: p, server: s, addr: addr(name), number: s.connections, wake: make(chan struct{}, 1)}
	w.local = s.redis.Local(w.hear, w.hungUp)
	s.conns = append(s.conns, w)
	return w, nil
}

// hungUp takes notice that the server has closed the connection, as CLIENT KILL does, or knows that it is closed.
func (w *wire) hungUp() {
	w.waits = false
	w.process.run.trail.touch(w.process.object(), true)
	w.end(io.EOF)
}

// hear takes what the server sends.
func (w *wire) hear(b []byte) {
	w.process.run.reply.heard(w, b)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.err != nil, w.breaks:
		return
	case w.paused, w.slow, w.then != nil && (len(w.late) > 0 || !isPush(b)):
		w.late = append(w.late, b...)
		return
	}
	w.in = append(w.in, b...)
	w.look()
}

// isPush tells whether a server says something that answers no request, though one may wait on the same connection.
func isPush(b []byte) bool { return len(b) > 0 && b[0] == '>' }

// breakOff has nothing arrive any more; who reads does not learn of it before end.
func (w *wire) breakOff() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, io.EOF)
}

func (w *wire) isBroken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err == io.EOF //nolint:errorlint // it is our own
}

// setBreaks has nothing arrive any more, which who reads learns in the end.
func (w *wire) setBreaks() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.breaks = true
}

func (w *wire) isBreaking() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.breaks
}

// end makes reads fail once everything has been read.
func (w *wire) end(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
	w.look()
}

// setThen says what is to happen once the reply to the last request is there.
func (w *wire) setThen(s *step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.then = s
}

// isAnswered tells whether something is late.
func (w *wire) isAnswered() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.late) > 0
}

// isLateFor tells whether something arrives once the process is not paused any more, or else its network not slow.
func (w *wire) isLateFor(pause bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.late) > 0 && !w.closed && (pause && !w.slow || !pause && !w.paused && !w.server.silent)
}

// lose ends what arrives, without what is late, though its server may hang.
func (w *wire) lose() {
	w.mu.Lock()
	w.late, w.slow = nil, w.process.slow
	w.mu.Unlock()
	w.end(io.EOF)
}

// look has who reads look again.
func (w *wire) look() {
	if !w.process.run.reply.holdsBack(w) {
		w.wakeUp()
	}
}

func (w *wire) wakeUp() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// setPaused has what arrives wait, or lets it in.
func (w *wire) setPaused(paused bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = paused
	w.letIn()
}

// setSlow does the same.
func (w *wire) setSlow(slow bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slow = slow
	w.letIn()
}

// letIn has what is late arrive, unless it is to wait; w.mu is held.
func (w *wire) letIn() {
	if !w.paused && !w.slow {
		w.in = append(w.in, w.late...)
		w.late = nil
		w.look()
	}
}

func (w *wire) Read(b []byte) (int, error) {
	for {
		n, timeout, err := w.take(b)
		if n > 0 || err != nil {
			return n, err
		}
		select {
		case <-w.wake:
		case <-timeout:
		}
	}
}

// take reads what is there, or says for how long to wait for more.
func (w *wire) take(b []byte) (n int, timeout <-chan time.Time, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.in) > 0 {
		n = copy(b, w.in)
		w.in = w.in[n:]
		return n, nil, nil
	}
	if w.paused {
		return 0, nil, nil // neither an end nor a timeout is seen
	}
	if w.knowsItsEnd() {
		return 0, nil, w.err
	}
	if !w.readBy.IsZero() {
		left := time.Until(w.readBy)
		if left < 0 {
			return 0, nil, os.ErrDeadlineExceeded
		}
		timeout = time.After(left + 1) // a context's deadline, of which it often is made, comes first
	}
	return 0, timeout, nil
}

func (w *wire) Write(b []byte) (int, error) {
	w.process.run.halt()
	request, commands, err := w.written(b)
	if request != nil {
		w.process.run.arrive(w, request, commands)
	}
	return len(b), err
}

// written is what has been written since the last request, once it is one.
func (w *wire) written(b []byte) (request []byte, commands [][]string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.knowsItsEnd() {
		return nil, nil, net.ErrClosed
	}
	if w.err != nil {
		return nil, nil, nil // nobody is there to hear it
	}
	w.out = append(w.out, b...)
	commands, complete := port.Commands(w.out)
	if !complete {
		return nil, nil, nil
	}
	request, w.out = w.out, nil
	return request, commands, nil
}

// Close is the process's. The server learns of it after what is still on its way, and as late as of a request if a reply is
// awaited: that may still be given to it, and to nobody else.
func (w *wire) Close() error {
	w.setClosed()
	w.end(net.ErrClosed)
	w.process.run.trail.touch(w.process.object(), true)
	w.process.run.trail.touch(whole(w.server), w.stays)
	if !w.process.run.isOnItsWay(w) {
		w.process.run.hangUp(w)
	}
	return nil
}

// setClosed has nobody read any more.
func (w *wire) setClosed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// knowsItsEnd tells whether the process may know that nothing arrives any more: what a slow network brings comes
// first; w.mu is held.
func (w *wire) knowsItsEnd() bool { return w.err != nil && (w.closed || !w.slow) }

func (w *wire) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

func (w *wire) SetReadDeadline(t time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.readBy = t
	w.look()
	return nil
}

func (w *wire) SetDeadline(t time.Time) error    { return w.SetReadDeadline(t) }
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
func (w *wire) LocalAddr() net.Addr              { return addr(w.process.Name) }
func (w *wire) RemoteAddr() net.Addr             { return w.addr }

type addr string

func (addr) Network() string  { return "tcp" }
func (a addr) String() string { return string(a) }
