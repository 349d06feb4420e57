package port

import (
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

type pause struct {
	mode    pauseMode
	until   engine.Instant // of the server's clock
	waiting []*conn        // clients whose command waits for the end, in the order in which they came
}

type pauseMode uint8

const (
	notPaused pauseMode = iota
	writesPaused
	allPaused
)

func clientPause(s *Server, c *conn, args []string) {
	mode := allPaused
	if len(args) > 4 {
		c.reply(keyspace.UnknownOrArity("CLIENT", args[1]))
		return
	}
	if len(args) == 4 {
		switch strings.ToLower(args[3]) {
		case "write":
			mode = writesPaused
		case "all":
		default:
			c.error("ERR CLIENT PAUSE mode must be WRITE or ALL")
			return
		}
	}
	ms, ok := keyspace.ParseInt(args[2])
	switch {
	case !ok:
		c.error("ERR timeout is not an integer or out of range")
		return
	case ms < 0:
		c.error("ERR timeout is negative")
		return
	}
	// A second pause may prolong the first and widen it, but not end it.
	s.pause.mode = max(s.pause.mode, mode)
	s.pause.until = max(s.pause.until, s.clock.now+time.Duration(min(ms, int64(maxAdvance/time.Millisecond)))*time.Millisecond)
	s.wakeCron()
	c.reply(reply.OK)
}

func clientUnpause(s *Server, c *conn, _ []string) {
	s.unpause()
	c.reply(reply.OK)
}

// unpause lets all go on whose commands wait.
func (s *Server) unpause() {
	s.resumable = append(s.resumable, s.pause.waiting...)
	s.pause = pause{}
}

// endPause is unpause once the time has come.
func (s *Server) endPause() {
	if s.pause.mode != notPaused && s.pause.until <= s.clock.now {
		s.unpause()
	}
}

// postpone keeps a command for the end of the pause, if it has to wait for that.
func (s *Server) postpone(c *conn, k call) bool {
	switch {
	case s.pause.mode == notPaused, c.onlooker, k.is(movesClock) && s.clock.kind == Virtual:
		return false
	case s.pause.mode == writesPaused && !s.mayWrite(c, k):
		return false
	}
	c.postponed = k.args
	s.pause.waiting = append(s.pause.waiting, c)
	return true
}

// isPostponed tells whether a command of the client waits for the end of a pause, or is held.
func (s *Server) isPostponed(c *conn) bool {
	return c.postponed != nil && (c.held || s.pause.mode != notPaused)
}

// mayWrite tells whether Redis would send a command to replicas.
func (s *Server) mayWrite(c *conn, k call) bool {
	switch k.name() {
	case "exec":
		if c.multi != nil {
			for _, queued := range c.multi.queue {
				if s.mayWrite(c, queued) {
					return true
				}
			}
		}
		return false
	case "eval", "evalsha":
		return !s.data.node.OnlyReads(k.args)
	case "publish", "spublish":
		return true
	}
	return k.data != nil && k.data.Is(keyspace.Write) && !k.data.Is(keyspace.Container)
}

// next is the next command of a client, one that had to wait first of all.
func (c *conn) next() ([]string, error) {
	if args := c.postponed; args != nil {
		c.postponed = nil
		return args, nil
	}
	return c.in.next()
}
