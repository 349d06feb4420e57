package port

import (
	"fmt"
	"strings"
	"time"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

var debugCommands = []command{
	{"debug", movesClock, debugCommand},
}

// debugCommand is DEBUG ADVANCE, which moves a virtual clock: Redis has none.
func debugCommand(s *Server, c *conn, args []string) {
	if !strings.EqualFold(args[1], "advance") || len(args) != 3 {
		c.reply(keyspace.UnknownOrArity("DEBUG", args[1]))
		return
	}
	ms, ok := keyspace.ParseInt(args[2])
	switch limit := int64(maxAdvance / time.Millisecond); {
	case s.clock.kind != Virtual:
		c.error("ERR the clock is real, and only a virtual one can be moved: start the server with --clock virtual")
	case !ok || ms < 0 || ms > limit:
		c.error(fmt.Sprintf("ERR the clock moves by a number of milliseconds from 0 to %d", limit))
	case s.clock.now > 2*maxAdvance-time.Duration(ms)*time.Millisecond:
		c.error("ERR the clock has come to its end: restart the server")
	default:
		s.advance(time.Duration(ms) * time.Millisecond)
		c.reply(reply.OfInt(s.clock.date().UnixMilli()))
	}
}
