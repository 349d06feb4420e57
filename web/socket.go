package web

import (
	"compress/flate"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/player"
)

// Limits of a socket.
const (
	maxQueued    = 24      // waiting commands; the client is not read while there are as many
	smallCommand = 4 << 10 // bytes; of larger commands, one at a time waits or runs
	readLimit    = player.MaxMessage
	writeLimit   = 5 * time.Second
	deflateMin   = 1 << 10 // bytes below which a message is not worth compressing

	// Each side notices within ten seconds that the other is gone: the server by unanswered pings, and the
	// page, which sees no pings, by missing heartbeats.
	beatEvery      = 3 * time.Second
	maxMissedBeats = 3
)

var upgrader = websocket.Upgrader{
	CheckOrigin:       sameOrigin,
	EnableCompression: true,
	Error: func(w http.ResponseWriter, r *http.Request, status int, reason error) {
		if !sameOrigin(r) {
			http.Error(w, "This page belongs to "+r.Header.Get("Origin")+", and only the playground's own pages at "+
				r.Host+" may open a session.", http.StatusForbidden)
			return
		}
		http.Error(w, reason.Error(), status)
	},
}

// sameOrigin refuses pages of other sites. Browsers always send an Origin; programs send none.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

// socket serves one learner's connection, with three goroutines: this one owns the session, one reads, one
// writes. When it returns, the seat is free and the session closed.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	if s.sockets.isClosing() {
		s.comeBack(w)
		return
	}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	defer ws.Close()
	_ = ws.SetCompressionLevel(flate.DefaultCompression) // cannot fail; a step is a sixth smaller than at gorilla's default
	address := addressOf(r)
	seat := s.visitors.takeSeat(address)
	if seat == nil {
		s.refuse(ws, player.CodeFull, preferred(r))
		return
	}
	defer s.visitors.freeSeat(seat)
	// The request's context ends with the upgrade.
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	closed, ok := s.sockets.open(cancel)
	if !ok {
		sayGoodbye(ws)
		return
	}
	defer closed()
	c := &connection{
		server: s, ws: ws, address: address, seat: seat, session: s.newSession(),
		commands: make(chan []byte, maxQueued), large: make(chan struct{}, 1), out: make(chan []byte, 1),
	}
	defer func() { s.end(c.session) }()
	written := make(chan struct{})
	go func() { defer close(written); defer cancel(); c.write(ctx) }()
	go func() { defer cancel(); c.read(ctx) }()
	lost, moves := c.run(ctx)
	if moves {
		c.finish(ctx, written)
	}
	cancel()
	<-written
	switch {
	case lost != "":
		s.refuse(ws, lost, c.session.Lang())
	case moves:
		closeWith(ws, websocket.CloseServiceRestart)
	default:
		sayGoodbye(ws)
	}
}

// sayGoodbye closes a socket with the code for a server that shuts down.
func sayGoodbye(ws *websocket.Conn) { closeWith(ws, websocket.CloseGoingAway) }

func closeWith(ws *websocket.Conn, code int) {
	message := websocket.FormatCloseMessage(code, "")
	_ = ws.WriteControl(websocket.CloseMessage, message, time.Now().Add(time.Second))
}

// refuse tells the page why it has no session, or no longer one. It sends a message, because a page cannot
// see the reason of a failed upgrade.
func (s *Server) refuse(ws *websocket.Conn, why player.Code, lang lessons.Lang) {
	words, reason := fact.Of("server-full"), refusedFull
	if why == player.CodeIdle {
		words, reason = fact.Of("seat-taken"), refusedIdle
	}
	s.measures.refused.WithLabelValues(reason).Inc()
	_ = ws.SetWriteDeadline(time.Now().Add(writeLimit))
	_ = ws.WriteMessage(websocket.TextMessage, player.NewRefusal(lang, why, words).Encode())
	_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseTryAgainLater, string(why)), time.Now().Add(time.Second))
}

type connection struct {
	server   *Server
	ws       *websocket.Conn
	address  string
	seat     *seat
	commands chan []byte
	large    chan struct{} // taken while a large command waits or runs
	out      chan []byte

	// Of the goroutine of run alone.
	session  *player.Session
	pos      int  // of the last frame that was sent
	searches bool // counted in the metric of searches
}

// read queues commands. A full queue blocks it, and so slows the client down.
func (c *connection) read(ctx context.Context) {
	c.ws.SetReadLimit(readLimit)
	heard := func(string) error { return c.ws.SetReadDeadline(time.Now().Add(maxMissedBeats * c.server.beat)) }
	c.ws.SetPongHandler(heard)
	for {
		_ = heard("")
		data, err := c.message()
		if err != nil {
			return // gone, silent, or a message beyond the limit
		}
		if len(data) > smallCommand {
			select {
			case c.large <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
		select {
		case c.commands <- data:
		case <-ctx.Done():
			return
		}
	}
}

// message reads one message of at most readLimit bytes. gorilla's own limit counts compressed bytes.
func (c *connection) message() ([]byte, error) {
	_, r, err := c.ws.NextReader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, readLimit+1))
	if err == nil && len(data) > readLimit {
		_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseMessageTooBig, ""), time.Now().Add(time.Second))
		return nil, websocket.ErrReadLimit
	}
	return data, err
}

// write sends messages, and a ping with a heartbeat every beat. No other goroutine does.
func (c *connection) write(ctx context.Context) {
	beat := time.NewTicker(c.server.beat)
	defer beat.Stop()
	for {
		var data []byte
		select {
		case <-ctx.Done():
			return
		case next, more := <-c.out:
			if !more {
				return
			}
			data = next
		case <-beat.C:
			if c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeLimit)) != nil {
				return
			}
			data = heartbeat
		}
		_ = c.ws.SetWriteDeadline(time.Now().Add(writeLimit))
		c.ws.EnableWriteCompression(len(data) >= deflateMin)
		if c.ws.WriteMessage(websocket.TextMessage, data) != nil {
			return
		}
	}
}

var heartbeat = player.NewBeat().Encode()

// run performs commands and autoplay, one at a time, until the connection ends, its seat is lost or the learner
// moves to another server. lost is the reason for the second; empty and false: the connection has ended.
func (c *connection) run(ctx context.Context) (lost player.Code, moves bool) {
	if !c.send(ctx, []player.Message{player.NewHello(c.server.files.build)}) {
		return "", false
	}
	defer c.count(nil, false)
	leaves := c.server.departs()
	var due <-chan time.Time
	hz := 0.0
	rest := time.NewTimer(c.server.releaseAfter)
	defer rest.Stop()
	news := c.server.playground.Catalog.Now().Replaced()
	for {
		var answer []player.Message
		select {
		case <-ctx.Done():
			return "", false
		case lost := <-c.seat.lost:
			return lost, false
		case <-leaves.draining:
			leaves.announce()
			continue
		case <-leaves.due:
			return "", true
		case <-rest.C:
			if c.session.Hz() == 0 {
				c.server.logClosed(c.session.ReleaseNodes())
			}
			continue
		case <-news:
			news = c.server.playground.Catalog.Now().Replaced()
			answer = c.runGuarded(ctx, nil, c.session.Refresh)
		case data := <-c.commands:
			c.server.visitors.touch(c.seat)
			rest.Reset(c.server.releaseAfter)
			begun := time.Now()
			answer = c.runGuarded(ctx, data, func(ctx context.Context) []player.Message { return c.session.Handle(ctx, data) })
			if len(answer) > 0 { // else it says that a frame was drawn
				c.server.measures.commands.WithLabelValues("learner").Observe(time.Since(begun).Seconds())
			}
			if len(data) > smallCommand {
				<-c.large
			}
		case <-due:
			begun := time.Now()
			answer = c.runGuarded(ctx, nil, c.session.Advance)
			c.server.measures.commands.WithLabelValues("clock").Observe(time.Since(begun).Seconds())
		}
		c.count(answer, c.session.Searches())
		if !c.send(ctx, answer) {
			return "", false
		}
		if len(answer) > 0 && leaves.now(c) { // that a frame was drawn is no step
			return "", true
		}
		if now := c.session.Hz(); now != hz {
			hz, due = now, nil
			if hz > 0 {
				due = time.Tick(time.Duration(float64(time.Second) / hz))
			}
		}
	}
}

// count records what an answer shows: a move to another step, and whether the session searches.
func (c *connection) count(answer []player.Message, searches bool) {
	for _, m := range answer {
		if m.Frame != nil && m.Pos != c.pos {
			c.pos = m.Pos
			c.server.measures.steps.Inc()
		}
	}
	if searches != c.searches {
		c.searches = searches
		c.server.measures.searching.Add(float64(oneIf(searches)*2 - 1))
	}
}

func (c *connection) send(ctx context.Context, messages []player.Message) bool {
	for _, m := range messages {
		select {
		case c.out <- m.Encode():
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// runGuarded runs a command when it gets a turn. A panic ends no other session: this one is replaced, and the
// learner gets a message.
func (c *connection) runGuarded(ctx context.Context, command []byte, act func(context.Context) []player.Message) (out []player.Message) {
	done, err := c.server.takeTurn(ctx, c.address, c.seat, c.session.MayTakeLong(command), c.session.UsesServer(command))
	if err != nil {
		return nil // the learner has left
	}
	defer done()
	ctx, cancel := withCommandTimeout(ctx)
	defer cancel()
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		c.server.measures.panics.Inc()
		c.server.log.Error("a session panicked", "panic", p, "stack", string(debug.Stack()))
		out = []player.Message{player.NewRefusal(c.session.Lang(), player.CodeCrashed, somethingBroke)}
		c.replaceSession()
	}()
	return act(ctx)
}

// replaceSession begins a new session. Closing the one that panicked may panic too.
func (c *connection) replaceSession() {
	old := c.session
	c.session = c.server.newSession()
	defer func() {
		if p := recover(); p != nil {
			c.server.log.Error("a session panicked when it was closed", "panic", p)
		}
	}()
	if err := old.Close(); !errors.Is(err, context.Canceled) {
		c.server.logClosed(err)
	}
}
