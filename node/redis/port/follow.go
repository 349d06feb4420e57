package port

import (
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// Done is what one client had the server do, for whoever follows it.
type Done struct {
	Kind    DoneKind
	At      engine.Instant // by the server's clock
	Client  Peer
	Args    []string   // of the command
	Queue   [][]string // of EXEC: what it ran
	Reply   reply.Reply
	Keys    []KeyNow // of database 0 that were written, deleted, or found to be expired since the last Done
	Flushed bool     // all keys were deleted before those of Keys were written
	Found   []KeyNow // of a script: the keys that it was given, before it ran
	Heard   []Heard  // messages that went out
}

// DoneKind says what a Done tells of.
type DoneKind uint8

// The kinds.
const (
	Ran      DoneKind = iota // a command ran
	Waits                    // a command waits for a key
	Answered                 // a command that waited got its reply
	HungUp                   // a client has gone
)

// Peer is a client.
type Peer struct {
	ID       int64
	Name     string // that it gave itself
	Addr     string
	Database int
}

// KeyNow is a key as it has become.
type KeyNow struct {
	Name string
	Key  *engine.Key // nil: it is gone. Its deadline is by the server's clock
}

// Heard is a message that a client was sent.
type Heard struct {
	Peer             Peer
	Channel, Payload string
}

// MostItems bounds what is looked at of a large value each time that it changes.
const MostItems = 100

// follower is who follows the server, and what happened since it was told last.
type follower struct {
	tell    func(Done)
	holds   func(Done) bool
	replies []reply.Reply // to the running command
	changed []string
	known   map[string]struct{} // the same
	flushed bool
	heard   []Heard
}

// Follow has all that clients do told, and asks of each request before it is performed
// whether it is to be held back. It does both with the server locked: they must be quick, and
// may not ask the server for anything. It is for servers that do not serve yet.
func (s *Server) Follow(tell func(Done), holds func(Done) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follower = &follower{tell: tell, holds: holds, known: map[string]struct{}{}}
}

// change adds a key to those of the next Done, once.
func (f *follower) change(key string) {
	if _, known := f.known[key]; !known {
		f.known[key] = struct{}{}
		f.changed = append(f.changed, key)
	}
}

// flush notes that all keys are gone.
func (f *follower) flush() {
	clear(f.known)
	f.changed, f.flushed = nil, true
}

func (c *conn) peer() Peer { return Peer{ID: c.id, Name: c.name, Addr: c.addr, Database: c.db} }

// tellOf tells of something that a client did.
func (s *Server) tellOf(c *conn, d Done) {
	f := s.follower
	d.At, d.Client = s.clock.now, c.peer()
	d.Flushed = f.flushed
	for _, name := range f.changed {
		d.Keys = append(d.Keys, s.keyNow(name))
	}
	d.Heard = f.heard
	clear(f.known)
	f.changed, f.flushed, f.heard, f.replies = nil, false, nil, nil
	f.tell(d)
}

// keyNow is a key of database 0.
func (s *Server) keyNow(name string) KeyNow { return KeyIn(s.data.at(0), name) }

// KeyIn is a key of a keyspace. Of a value with more than MostItems items it has none.
func KeyIn(k *keyspace.Keyspace, name string) KeyNow {
	now := KeyNow{Name: name}
	if key, ok := k.Key(name, MostItems); ok {
		now.Key = &key
	}
	return now
}

// foundBy is what a script is about to find.
func (s *Server) foundBy(c *conn, args []string) (found []KeyNow) {
	if c.db != 0 || c.multi != nil || !strings.HasPrefix(strings.ToLower(args[0]), "eval") {
		return nil
	}
	k, unknown := keyspace.Find(args)
	if unknown.IsError() {
		return nil
	}
	s.lookAtClock()
	for _, i := range k.KeyPositions(args) {
		found = append(found, s.keyNow(args[i]))
	}
	return found
}

// executeFollowed runs a command and tells of it.
func (s *Server) executeFollowed(c *conn, args []string) {
	f, queued := s.follower, c.multi
	f.replies = nil
	d := Done{Kind: Ran, Args: args, Found: s.foundBy(c, args)}
	s.execute(c, args)
	if s.isPostponed(c) {
		return
	}
	switch {
	case c.waiting != nil:
		d.Kind = Waits
	case strings.EqualFold(args[0], "exec") && queued != nil && !queued.failed:
		d.Queue = queued.commands()
		if len(f.replies) == len(queued.queue) {
			d.Reply = reply.OfArray(f.replies...)
		}
	case len(f.replies) > 0:
		d.Reply = f.replies[0]
	}
	s.tellOf(c, d)
}

// holdBack keeps a request until LetGo, if whoever follows wants that. What MULTI queues has
// no effect yet: EXEC is asked about, with the queue.
func (s *Server) holdBack(c *conn, args []string) bool {
	isExec := strings.EqualFold(args[0], "exec")
	if s.follower == nil || c.letGo || s.mustAuthenticate(c) || c.multi != nil && !isExec {
		return false
	}
	s.lookAtClock()
	d := Done{At: s.clock.now, Client: c.peer(), Args: args}
	if isExec {
		d.Queue = c.multi.commands()
	}
	if !s.follower.holds(d) {
		return false
	}
	c.postponed, c.held = args, true
	return true
}

// LetGo has the held requests of connections performed, in this order. A connection that
// has gone has none any more: it is not performed, as Redis does during CLIENT PAUSE.
func (s *Server) LetGo(connections ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range connections {
		if c := s.conns[id]; c != nil && c.held {
			c.held, c.letGo = false, true
			s.resumable = append(s.resumable, c)
		}
	}
	s.resumeAndFlush()
}
