package real

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/reply"
)

// wire is a connection for steps. go-redis would not do: Valkey 8.0 passes on the line breaks in an
// error of a script, and behind a line break a script can forge the replies that follow its own. So a
// wire reads up to an end that no script can know, and takes the bytes apart only then.
type wire struct {
	conn net.Conn
	used time.Time // when it was last known to be open
}

// openWire connects, says who is calling and chooses the database.
func openWire(ctx context.Context, opts redis.Options) (*wire, error) {
	opts.DialTimeout = dialLimit
	conn, err := redis.NewDialer(&opts)(ctx, opts.Network, opts.Addr)
	if err != nil {
		return nil, err
	}
	w := &wire{conn: conn, used: time.Now()}
	if err := w.greet(ctx, opts); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *wire) greet(ctx context.Context, opts redis.Options) error {
	var greetings [][]string
	switch {
	case opts.Password != "" && opts.Username != "":
		greetings = append(greetings, []string{"AUTH", opts.Username, opts.Password})
	case opts.Password != "":
		greetings = append(greetings, []string{"AUTH", opts.Password})
	}
	if opts.DB != 0 {
		greetings = append(greetings, []string{"SELECT", strconv.Itoa(opts.DB)})
	}
	for _, g := range greetings {
		raw, err := w.roundTrip(ctx, [][]string{g}, func(sent []byte) bool { return bytes.HasSuffix(sent, []byte("\r\n")) })
		if err != nil {
			return err
		}
		r, err := parseReply(raw)
		if err == nil && r.IsError() {
			err = errors.New(r.Str)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *wire) close() {
	if w != nil {
		_ = w.conn.Close()
	}
}

// idleLimit is how long a connection may rest before it is looked at again: a
// server may close those that do nothing.
const idleLimit = time.Second

// open tells whether the connection can be used: the server has not closed it, and has sent nothing
// unasked.
func (w *wire) open() bool {
	if w == nil {
		return false
	}
	if time.Since(w.used) < idleLimit {
		return true
	}
	_ = w.conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := w.conn.Read(make([]byte, 1))
	timeout, ok := err.(net.Error) //nolint:errorlint // a connection gives its errors unwrapped
	return ok && timeout.Timeout()
}

// recheck has open test the connection before its next use, even if it was used just now.
func (w *wire) recheck() {
	if w != nil {
		w.used = time.Time{}
	}
}

type transaction struct {
	queued  []reply.Reply // to MULTI and to each command: none of them has run then
	refused reply.Reply   // to EXEC, if nothing ran
	ran     []byte        // else the replies of the commands, one after the other, as they came
}

// transact runs commands in one transaction, in one round trip.
func (w *wire) transact(ctx context.Context, commands [][]string) (transaction, error) {
	end := "the end " + rand.Text()
	all := append([][]string{{"MULTI"}}, commands...)
	all = append(all, []string{"ECHO", end}, []string{"EXEC"})
	trailer := fmt.Appendf(nil, "$%d\r\n%s\r\n", len(end), end)
	raw, err := w.roundTrip(ctx, all, func(sent []byte) bool { return transactionIsOver(sent, len(all)-1, trailer) })
	if err != nil {
		return transaction{}, err
	}
	p := parser{rest: raw}
	var t transaction
	for range len(all) - 1 {
		r, err := p.next(0)
		if err != nil {
			return transaction{}, err
		}
		t.queued = append(t.queued, r)
		if t.queued[0].IsError() {
			return t, nil
		}
	}
	opening := fmt.Appendf(nil, "*%d\r\n", len(commands)+1)
	if body, ok := bytes.CutPrefix(p.rest, opening); ok {
		t.ran = bytes.TrimSuffix(body, trailer)
		return t, nil
	}
	t.refused, err = p.next(0)
	return t, err
}

// transactionIsOver tells whether sent is a whole answer: one line for each command before EXEC, then
// either an error or a null, or anything that ends with the trailer.
func transactionIsOver(sent []byte, lines int, trailer []byte) bool {
	for i := range lines {
		_, rest, ok := bytes.Cut(sent, []byte("\r\n"))
		if ok && i == 0 && sent[0] == '-' {
			return true // without MULTI what follows has no order that could be trusted
		}
		if sent = rest; !ok || len(sent) == 0 {
			return false
		}
	}
	if sent[0] == '-' || bytes.HasPrefix(sent, []byte("*-")) {
		return bytes.HasSuffix(sent, []byte("\r\n"))
	}
	return bytes.HasSuffix(sent, trailer)
}

// roundTrip sends commands and reads until what came is complete.
func (w *wire) roundTrip(ctx context.Context, commands [][]string, complete func(sent []byte) bool) ([]byte, error) {
	var out bytes.Buffer
	for _, args := range commands {
		fmt.Fprintf(&out, "*%d\r\n", len(args))
		for _, arg := range args {
			fmt.Fprintf(&out, "$%d\r\n%s\r\n", len(arg), arg)
		}
	}
	if err := w.expect(ctx); err != nil {
		return nil, err
	}
	if _, err := w.conn.Write(out.Bytes()); err != nil {
		return nil, err
	}
	var in []byte
	for {
		in = slices.Grow(in, 4096)
		n, err := w.conn.Read(in[len(in):cap(in)])
		in = in[:len(in)+n]
		switch {
		case complete(in):
			w.used = time.Now()
			return in, nil
		case len(in) > replyLimit:
			return nil, errTooBig
		case err != nil:
			return nil, err
		}
		if err := w.expect(ctx); err != nil {
			return nil, err
		}
	}
}

// expect gives the server its time to send something: one that is still sending a big
// answer, however slowly, has not stopped answering.
func (w *wire) expect(ctx context.Context) error {
	until := time.Now().Add(answerLimit)
	if earlier, ok := ctx.Deadline(); ok && earlier.Before(until) {
		until = earlier
	}
	return w.conn.SetDeadline(until)
}

// brokenLines is the text of an error reply with blanks for its line breaks, as other servers send
// it. raw must be this one reply; ok is false if it is no error.
func brokenLines(raw []byte) (text string, ok bool) {
	line, ended := strings.CutSuffix(string(raw), "\r\n")
	if !ended || !strings.HasPrefix(line, "-") {
		return "", false
	}
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(line[1:]), true
}
