package port

import (
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

var serverCommands = []command{
	{"flushall", 0, flushAll},
	{"info", 0, info},
	{"role", 0, role},
	{"shutdown", noMulti | whileBusy, shutdown},
	{"wait", 0, wait},
}

func role(_ *Server, c *conn, _ []string) {
	c.reply(reply.OfArray(reply.OfBulk("master"), reply.OfInt(0), reply.OfArray([]reply.Reply{}...)))
}

// flushAll empties all databases; FLUSHDB, which empties one, is the keyspace's.
func flushAll(s *Server, c *conn, args []string) {
	args = append([]string{"flushdb"}, args[1:]...)
	var r reply.Reply
	for db := range maxDatabases {
		r = s.data.do(db, args)
	}
	c.reply(r)
}

// shutdown ends the server. There is nothing to save.
func shutdown(s *Server, c *conn, args []string) {
	saves := true
	for _, option := range args[1:] {
		switch strings.ToLower(option) {
		case "nosave":
			saves = false
		case "save", "now", "force":
		case "abort":
			c.error("ERR No shutdown in progress.")
			return
		default:
			c.error(syntaxError)
			return
		}
	}
	if saves && s.script.busy {
		c.error(busyError)
		return
	}
	s.log.Info("a client asked for the end", "addr", c.addr)
	s.end()
}

// wait answers at once: there are no replicas to wait for.
func wait(_ *Server, c *conn, args []string) {
	_, ok1 := keyspace.ParseInt(args[1])
	timeout, ok2 := keyspace.ParseInt(args[2])
	switch {
	case !ok1:
		c.error("ERR value is not an integer or out of range")
	case !ok2:
		c.error("ERR timeout is not an integer or out of range")
	case timeout < 0:
		c.error("ERR timeout is negative")
	default:
		c.reply(reply.OfInt(0))
	}
}
