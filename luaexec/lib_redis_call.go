package luaexec

import (
	"strconv"
	"strings"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine/reply"
	"lockstep/node/redis/portable"
	"lockstep/node/redis/keyspace"
)

// What redis.call answers before it runs a command.
const (
	noArgumentsText = "ERR Please specify at least one argument for this redis lib call"
	badArgumentText = "ERR Lua redis lib command arguments must be strings or integers"
	unknownText     = "ERR Unknown Redis command called from script"
	arityText       = "ERR Wrong number of args calling Redis command from script"
	notAllowedText  = "ERR This Redis command is not allowed from script"
	readOnlyText    = "ERR Write commands are not allowed from read-only scripts."
	deniedText      = "ERR The user executing the script can't run this command or subcommand"
)

// denied are the commands that a lesson's script may not call.
var denied = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range portable.Denied() {
		names[name] = true
	}
	return names
}()

var errOutOfMemory = reply.OfError("OOM command not allowed when used memory > 'maxmemory'.")

// Commands that a script is treated specially with.
var (
	flushAllCommand, _ = keyspace.Lookup("flushall")
	pubsubCommand, _   = keyspace.Lookup("pubsub")
	selectCommand, _   = keyspace.Lookup("select")
)

// knownCommand remembers what a name was looked up to. Names are mostly
// constants of a script, so that their address tells them apart.
type knownCommand struct {
	name    string
	command *keyspace.Command
	denied  bool // in lessons
}

func (s *state) lookup(name string) knownCommand {
	at := uintptr(unsafe.Pointer(unsafe.StringData(name)))
	known := &s.commands[(at>>4)%uintptr(len(s.commands))]
	if known.command != nil && len(known.name) == len(name) && unsafe.StringData(known.name) == unsafe.StringData(name) {
		return *known
	}
	c, ok := keyspace.Lookup(name)
	found := knownCommand{name, c, denied[strings.ToLower(name)]}
	if ok {
		*known = found
	}
	return found
}

// call is redis.call: an error ends the script.
func (s *state) call(L *lua.LState) int {
	r := s.command(L)
	if r.Kind == reply.Error {
		L.Error(errorTable(L, r.Str), 0)
	}
	L.Push(s.toLua(L, r))
	return 1
}

// pcall is redis.pcall: an error is a table with an err field.
func (s *state) pcall(L *lua.LState) int {
	L.Push(s.toLua(L, s.command(L)))
	return 1
}

func (s *state) command(L *lua.LState) reply.Reply {
	n := L.GetTop()
	if n == 0 {
		return reply.OfError(noArgumentsText)
	}
	args := s.args[:0]
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case lua.LString:
			args = append(args, string(v))
		case lua.LNumber:
			args = append(args, formatArgument(float64(v)))
		default:
			return reply.OfError(badArgumentText)
		}
	}
	s.args = args
	known := s.lookup(args[0])
	c := known.command
	switch {
	case c == nil && known.denied && s.node.lesson:
		return reply.OfError(deniedText)
	case c == nil || !c.Knows(args):
		return reply.OfError(unknownText)
	case !c.Takes(args):
		return reply.OfError(arityText)
	case c.Is(keyspace.NoScript):
		return reply.OfError(notAllowedText)
	case known.denied && s.node.lesson:
		return reply.OfError(deniedText)
	}
	var r reply.Reply
	if c.Is(keyspace.DenyOOM | keyspace.Slow) {
		keys := s.node.keys
		used := keys.Used()
		r = s.perform(c, args)
		if cost := c.Work(keys, args) + max(keys.Used()-used, 0)/bytesPerInstruction; cost > 0 {
			charge(L, cost)
		}
	} else {
		r = s.perform(c, args)
	}
	if len(r.Elems) > 8 {
		charge(L, values(r))
	}
	return r
}

func (s *state) perform(c *keyspace.Command, args []string) reply.Reply {
	if s.special {
		return s.specially(c, args)
	}
	return c.Run(s.node.keys, args)
}

// values is how many values a reply has.
func values(r reply.Reply) int64 {
	n := int64(len(r.Elems))
	for _, e := range r.Elems {
		if len(e.Elems) > 0 {
			n += values(e)
		}
	}
	return n
}

// specially runs a command where the script may not do all that scripts may, sees
// replies as RESP3 has them, or can select another database. Channels are those
// of the server: messages are left where the script began.
func (s *state) specially(c *keyspace.Command, args []string) reply.Reply {
	switch {
	case s.readOnly && c.Is(keyspace.Write|keyspace.PubSub) && c != pubsubCommand:
		return reply.OfError(readOnlyText)
	case s.full && !s.dirty && c.Is(keyspace.DenyOOM):
		return errOutOfMemory
	}
	s.dirty = s.dirty || c.Is(keyspace.Write)
	n := s.node
	var r reply.Reply
	switch {
	case c.Is(keyspace.PubSub):
		r = c.Run(s.home, args)
	case c == selectCommand && n.databases != nil:
		r = n.selectDatabase(args)
	case c == flushAllCommand && n.databases != nil:
		r = n.flushAll(args)
	default:
		r = c.Run(n.keys, args)
	}
	if s.resp3 {
		return c.InRESP3(args, r)
	}
	return r
}

// selectDatabase changes the database until the script ends.
func (n *Node) selectDatabase(args []string) reply.Reply {
	db, err := strconv.Atoi(args[1])
	if err != nil || strconv.Itoa(db) != args[1] {
		return selectCommand.Run(n.keys, args) // which says what is wrong
	}
	k, ok := n.databases(db)
	if !ok {
		return reply.OfError("ERR DB index is out of range")
	}
	n.keys = k
	return reply.OK
}

func (n *Node) flushAll(args []string) reply.Reply {
	r := flushAllCommand.Run(n.keys, args)
	for db := 0; ; db++ {
		k, ok := n.databases(db)
		if !ok {
			return r
		}
		flushAllCommand.Run(k, args)
	}
}
