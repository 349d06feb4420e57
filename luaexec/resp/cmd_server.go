package resp

import (
	"strings"

	"lockstep/engine/reply"
)

var serverCommands = []command{
	{"acl", -2, 0, nil},
	{"acl|whoami", 2, 0, aclWhoAmI},
	{"cluster", -2, 0, cluster},
	{"flushall", -1, 0, flushAll},
	{"info", -1, 0, info},
	{"latency", -2, 0, nil},
	{"latency|history", 3, 0, emptyList},
	{"latency|latest", 2, 0, emptyList},
	{"latency|reset", -2, 0, latencyReset},
	{"memory", -2, 0, nil},
	{"memory|usage", -3, 0, memoryUsage},
	{"role", 1, 0, role},
	{"shutdown", -1, noMulti, shutdown},
	{"slowlog", -2, 0, nil},
	{"slowlog|get", -2, 0, emptyList},
	{"slowlog|len", 2, 0, latencyReset},
	{"slowlog|reset", 2, 0, slowlogReset},
	{"wait", 3, 0, wait},
}

func aclWhoAmI(_ *Server, c *conn, _ []string) { c.reply(reply.OfBulk("default")) }

func cluster(_ *Server, c *conn, _ []string) {
	c.error("ERR This instance has cluster support disabled")
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

// What nothing is recorded for is empty.
func emptyList(_ *Server, c *conn, _ []string) { c.reply(reply.OfArray([]reply.Reply{}...)) }

func latencyReset(_ *Server, c *conn, _ []string) { c.reply(reply.OfInt(0)) }

func slowlogReset(_ *Server, c *conn, _ []string) { c.reply(reply.OK) }

func memoryUsage(s *Server, c *conn, args []string) {
	for i := 3; i < len(args); i += 2 {
		if i+1 == len(args) || !strings.EqualFold(args[i], "samples") {
			c.error(syntaxError)
			return
		}
		if n, ok := parseInt(args[i+1]); !ok {
			c.error("ERR value is not an integer or out of range")
			return
		} else if n < 0 {
			c.error(syntaxError)
			return
		}
	}
	bytes, ok := s.data.at(c.db).Size(args[2])
	if !ok {
		c.reply(reply.Reply{})
		return
	}
	c.reply(reply.OfInt(bytes))
}

func role(_ *Server, c *conn, _ []string) {
	c.reply(reply.OfArray(reply.OfBulk("master"), reply.OfInt(0), reply.OfArray([]reply.Reply{}...)))
}

// shutdown ends the server. There is nothing to save.
func shutdown(s *Server, c *conn, args []string) {
	for _, option := range args[1:] {
		switch lower(option) {
		case "nosave", "save", "now", "force":
		case "abort":
			c.error("ERR No shutdown in progress.")
			return
		default:
			c.error(syntaxError)
			return
		}
	}
	s.log.Info("a client asked for the end", "addr", c.addr)
	s.end()
}

// wait answers at once: there are no replicas to wait for.
func wait(_ *Server, c *conn, args []string) {
	_, ok1 := parseInt(args[1])
	timeout, ok2 := parseInt(args[2])
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
