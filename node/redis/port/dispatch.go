package port

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// command is a command that works on a connection or on the whole server, rather
// than on the keys of one database. How many arguments it takes is in the row that
// the keyspace has of it.
type command struct {
	name  string // in lower case; "client|id" is a subcommand
	flags flag
	run   func(s *Server, c *conn, args []string)
}

// flag says when a command may run.
type flag uint8

const (
	anyone     flag = 1 << iota // before AUTH, too
	noMulti                     // not inside MULTI
	immediate                   // is not queued inside MULTI
	listen                      // also on a RESP2 connection that has subscriptions
	whileBusy                   // also while another client's script runs on and on
	movesClock                  // also while all clients pause, if the clock is virtual
	unlisted                    // no command of Redis: the keyspace has no row of it
)

var commands = tabulate(
	connectionCommands, clientCommands, transactionCommands, pubsubCommands,
	configCommands, scriptCommands, serverCommands, debugCommands, clusterCommands,
)

func tabulate(families ...[]command) map[string]*command {
	table := map[string]*command{}
	for _, family := range families {
		for i := range family {
			c := &family[i]
			if table[c.name] != nil {
				panic("port: two commands are named " + c.name)
			}
			table[c.name] = c
		}
	}
	return table
}

// call is a command with its arguments, found to be in order.
type call struct {
	own  *command          // nil: it is a command on keys
	data *keyspace.Command // its row; nil: it is unlisted
	args []string
}

func (k call) name() string {
	if k.own != nil {
		return k.own.name
	}
	return k.data.FullName(k.args)
}

func (k call) is(f flag) bool { return k.own != nil && k.own.flags&f != 0 }

// find looks a command up; the error reply says what is wrong with it.
func (s *Server) find(args []string) (k call, failed reply.Reply) {
	if s.isSentinel() && strings.ToLower(args[0]) == "sentinel" {
		return call{own: &sentinelCommand, args: args}, reply.Reply{}
	}
	if own := commands[strings.ToLower(args[0])]; own != nil && own.flags&unlisted != 0 {
		return call{own: own, args: args}, reply.Reply{}
	}
	data, failed := keyspace.Find(args)
	if failed.IsError() {
		return call{args: args}, failed
	}
	return call{own: commands[data.FullName(args)], data: data, args: args}, reply.Reply{}
}

func helpOn(name string) func(*Server, *conn, []string) {
	return func(_ *Server, c *conn, _ []string) { c.reply(keyspace.Help(name)) }
}

// execute runs one command of a client, or queues or refuses it.
func (s *Server) execute(c *conn, args []string) {
	s.lookAtClock()
	s.stats.commands++
	c.lastActive = s.clock.wall
	k, refused := s.find(args)
	if !refused.IsError() {
		c.lastCommand = k.name()
		refused = s.refuse(c, k)
	}
	quits := strings.EqualFold(args[0], "quit")
	if !quits && !refused.IsError() && s.postpone(c, k) {
		return
	}
	if quits {
		c.reply(reply.OK)
		c.end()
		return
	}
	defer c.forgetCaching(k)
	switch {
	case refused.IsError() && strings.EqualFold(args[0], "exec"):
		s.leaveMulti(c)
		c.error("EXECABORT Transaction discarded because of: " + strings.TrimPrefix(refused.Str, "ERR "))
	case refused.IsError():
		if c.multi != nil {
			c.multi.failed = true
		}
		c.reply(refused)
	case c.multi != nil && !k.is(immediate):
		c.multi.queue = append(c.multi.queue, k)
		c.multi.bytes += callBytes(args)
		c.reply(reply.OfStatus("QUEUED"))
	default:
		s.call(c, k)
	}
}

// mustAuthenticate tells whether a client must still say who it is.
func (s *Server) mustAuthenticate(c *conn) bool { return s.config.password != "" && !c.authenticated }

// refuse says why a client may not run a command now, if it may not.
func (s *Server) refuse(c *conn, k call) reply.Reply {
	switch {
	case s.mustAuthenticate(c) && !k.is(anyone):
		return reply.OfError("NOAUTH Authentication required.")
	case c.multi != nil && k.is(noMulti):
		return reply.OfError("ERR Command not allowed inside a transaction")
	case c.proto == resp2 && !k.is(listen) && c.subscriptions() > 0:
		return reply.OfError(fmt.Sprintf("ERR Can't execute '%s': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context", k.name()))
	case s.script.busy && !k.is(whileBusy):
		return reply.OfError(busyError)
	case s.isMember() && k.own == nil && k.data.Name() == "cluster":
		return reply.OfError(fmt.Sprintf("ERR the embedded Redis does not know '%s' of a cluster", k.name()))
	}
	return s.elsewhere(k.args)
}

// call runs a command. A fault in it is logged and costs only this command.
func (s *Server) call(c *conn, k call) {
	defer func() {
		if fault := recover(); fault != nil {
			s.log.Error("a command failed", "command", k.name(), "fault", fault, "stack", string(debug.Stack()))
			c.error(fmt.Sprintf("ERR internal error in '%s': this is a fault of the server, and it is in its log", k.name()))
		}
	}()
	if k.own != nil {
		k.own.run(s, c, k.args)
		return
	}
	s.script.client = c
	r := s.data.do(c.db, k.args)
	s.script = script{}
	s.deliver() // first, as one who publishes to himself hears it before the reply
	if r.Kind == reply.Nil && c.multi == nil {
		if timeout, blocks, _ := k.data.Timeout(k.args); blocks {
			s.block(c, k, timeout)
			return
		}
	}
	c.replyShaped(k, r)
}

// replyShaped answers with the reply of a command on keys, which RESP3 has maps,
// sets and doubles for, and RESP2 two kinds of nothing.
func (c *conn) replyShaped(k call, r reply.Reply) {
	if c.proto == resp3 {
		r = k.data.InRESP3(k.args, r)
	}
	if r.Kind == reply.Nil && k.data.NilIsArray(k.args) {
		c.append(func(b []byte) []byte { return appendNil(b, c.proto, '*') })
		return
	}
	c.reply(r)
}

func (c *conn) reply(r reply.Reply) {
	if f := c.server.follower; f != nil && c == c.server.running {
		f.replies = append(f.replies, r)
	}
	bytes := size(r)
	if limit := c.server.config.output[0].hard; limit > 0 && len(r.Elems) > 0 && bytes > limit {
		// A few bytes may ask for one value again and again.
		c.server.log.Warn("closing a client that asks for too large a reply", "id", c.id, "addr", c.addr, "bytes", bytes)
		c.server.kill(nil, c)
		return
	}
	c.append(func(b []byte) []byte {
		if bytes > chunk { // or its room would be taken several times, to grow
			b = slices.Grow(b, int(bytes))
		}
		return appendReply(b, c.proto, r)
	})
}

// size is about how many bytes a reply has.
func size(r reply.Reply) int64 {
	n := int64(len(r.Str)) + argOverhead
	for _, e := range r.Elems {
		n += size(e)
	}
	return n
}

func (c *conn) error(text string) { c.reply(reply.OfError(text)) }
