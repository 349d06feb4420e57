package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/port"
)

// Bounds of the connection that reads.
const (
	mostReads   = 200 // keys in a second
	burst       = 40
	mostValue   = 16 << 10        // bytes of a value, as MEMORY USAGE tells them
	patience    = 2 * time.Second // for an answer
	retryReader = 5 * time.Second
)

var errBusy = errors.New("too much was read in this second")

// reader reads keys on a connection of its own: by commands that read, at a bounded rate, one pipeline at a time.
type reader struct {
	to    Upstream
	state *state

	mu    sync.Mutex
	conn  net.Conn // nil: there is none
	in    *bufio.Reader
	room  float64   // how many keys may be read at once, at the time since
	since time.Time // of the last read
	tried time.Time // of the last failure
	never bool      // the user may not read, so nothing is tried again

	inCluster bool   // the Redis is a node of one
	run       string // the run_id of the Redis: another one after each start
}

// awayError is that of a Redis that does not answer.
type awayError struct{ error }

// looked is a key as it was read.
type looked struct {
	port.KeyNow

	partly bool // its value is too large to be read, or of a kind that is not
}

func newReader(to Upstream, s *state) *reader { return &reader{to: to, state: s, room: burst} }

// may tells whether it is worth while to ask for keys: the user may read, and the last failure is retryReader ago.
func (r *reader) may() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.never && time.Since(r.tried) > retryReader
}

func (r *reader) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hangUp()
}

func (r *reader) hangUp() {
	if r.conn != nil {
		_ = r.conn.Close()
		r.conn = nil
	}
}

// read reads keys, in the order of their names. The error is errBusy if none may be read now, and errOtherwise if one
// changed its type meanwhile; after any other one, nothing is read for retryReader.
func (r *reader) read(ctx context.Context, names []string) (found []looked, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.never || time.Since(r.tried) < retryReader:
		return nil, errBusy
	case !r.takeRoom(len(names)):
		return nil, errBusy
	}
	switch found, err = r.readKeys(ctx, names); {
	case err == nil:
		r.state.with(func(s *state) { s.notRead = "" })
	case !errors.Is(err, errOtherwise):
		r.failed(err)
	}
	return found, err
}

// reach connects, so that whoever looks at the page knows at once what cannot be read.
func (r *reader) reach(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.connect(ctx)
	if err != nil {
		r.failed(err)
	}
	return err
}

func (r *reader) failed(err error) {
	r.hangUp()
	r.tried = time.Now()
	r.state.with(func(s *state) { s.notRead, s.away = err.Error(), errors.As(err, new(awayError)) })
}

// takeRoom takes the right to read so many keys: mostReads a second, and burst at once. False: there is none left now.
func (r *reader) takeRoom(keys int) bool {
	now := time.Now()
	r.room = min(burst, r.room+now.Sub(r.since).Seconds()*mostReads)
	r.since = now
	if r.room < float64(keys) {
		return false
	}
	r.room -= float64(keys)
	return true
}

// errOtherwise: a key became another type between two questions.
var errOtherwise = errors.New("a key has changed meanwhile")

func (r *reader) readKeys(ctx context.Context, names []string) ([]looked, error) {
	if err := r.connect(ctx); err != nil {
		return nil, err
	}
	var ask [][]string
	for _, k := range names {
		ask = append(ask, []string{"TYPE", k}, []string{"PTTL", k}, []string{"MEMORY", "USAGE", k})
	}
	outlines, err := r.ask(ask)
	if err != nil {
		return nil, err
	}
	at := now()
	ask = nil
	found := make([]looked, len(names))
	var values []int
	for i, name := range names {
		kind, ttl, size := outlines[3*i], outlines[3*i+1], outlines[3*i+2]
		found[i].Name = name
		if err := r.refused(kind.Reply, ttl.Reply); err != nil {
			return nil, err
		}
		if kind.Str == "none" {
			continue
		}
		k := &engine.Key{Name: name, Type: engine.KeyType(kind.Str), Deadline: engine.NoDeadline}
		if ttl.Int >= 0 {
			k.Deadline = at + time.Duration(ttl.Int)*time.Millisecond
		}
		found[i].Key = k
		switch value := reading(k); {
		case value == nil:
			found[i].partly = true
		case size.Kind == reply.Int && size.Int <= mostOf(k.Type):
			ask, values = append(ask, value), append(values, i)
		default:
			found[i].unread(size.Reply)
		}
	}
	answers, err := r.ask(ask)
	if err != nil {
		return nil, err
	}
	for n, i := range values {
		if answers[n].cut {
			found[i].unread(outlines[3*i+2].Reply)
			continue
		}
		if err := fill(found[i].Key, answers[n].Reply); err != nil {
			return nil, errors.Join(err, r.refused(answers[n].Reply))
		}
	}
	return found, nil
}

// unread marks a key as one whose value was not read, and gives a string its size to show.
func (k *looked) unread(size reply.Reply) {
	k.partly = true
	if k.Key.Type == engine.StringKey {
		k.Key.Text = "(not read)"
		if size.Kind == reply.Int {
			k.Key.Text = fmt.Sprintf("(%d bytes, not read)", size.Int)
		}
	}
}

// mostOf is how large a value may be to be read.
func mostOf(kind engine.KeyType) int64 {
	if kind == engine.StringKey {
		return mostArg
	}
	return mostValue
}

// reading is what reads the value of a key, nil: a stream, whose groups cannot be told, or what is not known.
func reading(k *engine.Key) []string {
	switch k.Type {
	case engine.StringKey:
		return []string{"GETRANGE", k.Name, "0", strconv.Itoa(mostArg - 1)}
	case engine.HashKey:
		return []string{"HGETALL", k.Name}
	case engine.ListKey:
		return []string{"LRANGE", k.Name, "0", strconv.Itoa(port.MostItems - 1)}
	case engine.SetKey:
		return []string{"SMEMBERS", k.Name}
	case engine.ZSetKey:
		return []string{"ZRANGE", k.Name, "0", strconv.Itoa(port.MostItems - 1), "WITHSCORES"}
	case engine.StreamKey, engine.RowKey, engine.ZnodeKey:
	}
	return nil
}

// fill gives a key its value.
func fill(k *engine.Key, value reply.Reply) error {
	if value.IsError() {
		return errOtherwise
	}
	redis.Fill(k, value.Texts())
	if k.Type != engine.StringKey && len(k.Items) == 0 {
		return errOtherwise // it has gone meanwhile
	}
	return nil
}

// refused is the first error among answers; nil: there is none. If the user may not read, it sets never.
func (r *reader) refused(answers ...reply.Reply) error {
	for _, a := range answers {
		if strings.HasPrefix(a.Str, "MOVED ") || strings.HasPrefix(a.Str, "ASK ") {
			return errOtherwise
		}
		if a.IsError() {
			r.never = strings.HasPrefix(a.Str, "NOPERM") || strings.HasPrefix(a.Str, "NOAUTH")
			return errors.New(a.Str)
		}
	}
	return nil
}

// connect makes the connection, and says who it is.
func (r *reader) connect(ctx context.Context) error {
	if r.conn != nil {
		return nil
	}
	conn, err := r.to.dial(ctx)
	if err != nil {
		return awayError{err}
	}
	r.conn, r.in = conn, bufio.NewReaderSize(conn, room)
	hello := [][]string{{"CLIENT", "SETNAME", "lockstep-attach"}, {"INFO", "server"}}
	if r.to.Password != "" {
		auth := []string{"AUTH", r.to.Password}
		if r.to.User != "" {
			auth = []string{"AUTH", r.to.User, r.to.Password}
		}
		hello = append([][]string{auth}, hello...)
	}
	answers, err := r.ask(hello)
	if err != nil {
		return err
	}
	if r.to.Password != "" && answers[0].IsError() {
		r.never = true
		return errors.New(answers[0].Str)
	}
	info := answers[len(answers)-1].Str
	if strings.Contains(info, "redis_mode:cluster") {
		r.inCluster = true
		r.state.with(func(s *state) { s.nodes = max(s.nodes, 1) })
	}
	_, run, _ := strings.Cut(info, "\r\nrun_id:")
	run, _, _ = strings.Cut(run, "\r\n")
	if r.run != "" && run != r.run {
		r.state.with(func(s *state) { s.restarted = true })
	}
	r.run = run
	return nil
}

// ask sends a pipeline and hears all its replies.
func (r *reader) ask(commands [][]string) (answers []answer, err error) {
	if len(commands) == 0 {
		return nil, nil
	}
	if err := r.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, awayError{err}
	}
	if _, err := r.conn.Write(port.Encode(commands...)); err != nil {
		return nil, awayError{err}
	}
	in := &replies{}
	for len(answers) < len(commands) {
		if _, err := r.in.Peek(1); err != nil {
			return nil, awayError{err}
		}
		some, _ := r.in.Peek(r.in.Buffered())
		n, a, ok, err := in.next(some)
		if err != nil {
			return nil, err
		}
		_, _ = r.in.Discard(n)
		if ok && !a.push {
			answers = append(answers, a)
		}
	}
	return answers, nil
}
