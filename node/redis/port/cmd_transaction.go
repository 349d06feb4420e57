package port

import (
	"slices"

	"lockstep/engine/reply"
)

var transactionCommands = []command{
	{"discard", immediate | whileBusy, discard},
	{"exec", immediate, exec},
	{"multi", immediate | whileBusy, multi},
	{"unwatch", whileBusy, unwatch},
	{"watch", immediate | whileBusy, watchKeys},
}

// transaction is what a client has queued since MULTI.
type transaction struct {
	queue  []call
	bytes  int  // of the queue
	failed bool // a command was refused: EXEC runs nothing
}

// commands are those in the queue, if it will run.
func (t *transaction) commands() (all [][]string) {
	if t == nil || t.failed {
		return nil
	}
	for _, k := range t.queue {
		all = append(all, k.args)
	}
	return all
}

func multi(_ *Server, c *conn, _ []string) {
	if c.multi != nil {
		c.error("ERR MULTI calls can not be nested")
		return
	}
	c.multi = &transaction{}
	c.reply(reply.OK)
}

func discard(s *Server, c *conn, _ []string) {
	if c.multi == nil {
		c.error("ERR DISCARD without MULTI")
		return
	}
	s.leaveMulti(c)
	c.reply(reply.OK)
}

// leaveMulti forgets what is queued and watched.
func (s *Server) leaveMulti(c *conn) {
	c.multi = nil
	s.unwatch(c)
}

func exec(s *Server, c *conn, _ []string) {
	t := c.multi
	if t == nil {
		c.error("ERR EXEC without MULTI")
		return
	}
	changed, refused := s.mustFail(c), s.elsewhere(t.commands()...)
	s.leaveMulti(c)
	switch {
	case t.failed:
		c.error("EXECABORT Transaction discarded because of previous errors.")
		return
	case changed:
		c.append(func(b []byte) []byte { return appendNil(b, c.proto, '*') })
		return
	case refused.IsError():
		c.reply(refused)
		return
	}
	c.append(func(b []byte) []byte { return appendHeader(b, '*', int64(len(t.queue))) })
	c.multi = t // so that nothing blocks
	for _, k := range t.queue {
		s.call(c, k)
	}
	if c.multi == t {
		c.multi = nil
	}
}

func watchKeys(s *Server, c *conn, args []string) {
	if c.multi != nil {
		c.error("ERR WATCH inside MULTI is not allowed")
		return
	}
	for _, key := range args[1:] {
		s.watch(c, key)
	}
	c.reply(reply.OK)
}

func unwatch(s *Server, c *conn, _ []string) {
	s.unwatch(c)
	c.reply(reply.OK)
}

// watch makes a client's next EXEC depend on a key.
func (s *Server) watch(c *conn, key string) {
	at := databaseKey{c.db, key}
	if slices.Contains(s.watchers[at], c) {
		return
	}
	s.data.at(at.db).Has(key) // or it could expire, which is a change, although it has done so before
	s.watchers[at] = append(s.watchers[at], c)
	c.watched = append(c.watched, at)
	c.names += nameBytes(key)
}

// unwatch ends what watch began, for all keys of a client.
func (s *Server) unwatch(c *conn) {
	for _, at := range c.watched {
		s.watchers[at] = slices.DeleteFunc(s.watchers[at], func(other *conn) bool { return other == c })
		if len(s.watchers[at]) == 0 {
			delete(s.watchers, at)
		}
		c.names -= nameBytes(at.key)
	}
	c.watched, c.touched = nil, false
}

// mustFail tells whether a key that the client watches has changed since.
func (s *Server) mustFail(c *conn) bool {
	for _, at := range c.watched {
		s.data.at(at.db).Has(at.key) // a key that has expired has changed
	}
	return c.touched
}
