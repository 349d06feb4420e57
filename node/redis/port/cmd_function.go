package port

import (
	"strings"

	"lockstep/engine/reply"
)

// functionCommands answer as a server does that has no libraries of functions:
// clients and their tests look for some, and flush what they have not loaded.
var functionCommands = []command{
	{"fcall", 0, noFunction},
	{"fcall_ro", 0, noFunction},
	{"function|delete", 0, func(_ *Server, c *conn, _ []string) { c.error("ERR Library not found") }},
	{"function|flush", 0, functionFlush},
	{"function|help", 0, helpOn("function")},
	{"function|kill", 0, func(_ *Server, c *conn, _ []string) { c.error(notBusyError) }},
	{"function|list", 0, functionList},
	{"function|stats", 0, functionStats},
}

func noFunction(_ *Server, c *conn, _ []string) { c.error("ERR Function not found") }

func functionFlush(_ *Server, c *conn, args []string) {
	switch {
	case len(args) > 3:
		c.error("ERR unknown subcommand or wrong number of arguments for '" + cut(args[1], 128) + "'. Try FUNCTION HELP.")
	case len(args) == 3 && !strings.EqualFold(args[2], "sync") && !strings.EqualFold(args[2], "async"):
		c.error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
	default:
		c.reply(reply.OK)
	}
}

func functionList(_ *Server, c *conn, args []string) {
	withCode, named := false, false
	for i := 2; i < len(args); i++ {
		switch {
		case !withCode && strings.EqualFold(args[i], "withcode"):
			withCode = true
		case named || !strings.EqualFold(args[i], "libraryname"):
			c.error("ERR Unknown argument " + args[i])
			return
		case i+1 == len(args):
			c.error("ERR library name argument was not given")
			return
		default:
			named = true
			i++
		}
	}
	emptyList(nil, c, nil)
}

func functionStats(_ *Server, c *conn, _ []string) {
	c.reply(reply.OfMap(
		reply.OfBulk("running_script"), reply.Reply{},
		reply.OfBulk("engines"), reply.OfMap(reply.OfBulk("LUA"), reply.OfMap(
			reply.OfBulk("libraries_count"), reply.OfInt(0), reply.OfBulk("functions_count"), reply.OfInt(0),
		)),
	))
}
