package keyspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine/reply"
)

// subcommands are those of the Container commands, with their numbers of arguments in the
// form of arity: n, or -n for n or more, including both names. All except client|setinfo
// are in Redis 7.0.
var subcommands = map[string]map[string]int{
	"client": {
		"caching": 3, "getname": 2, "getredir": 2, "help": 2, "id": 2, "info": 2, "kill": -3, "list": -2,
		"pause": -3, "setinfo": 4, "setname": 3, "tracking": -3, "trackinginfo": 2, "unblock": -3, "unpause": 2,
	},
	"cluster": {
		"addslots": -3, "addslotsrange": -4, "bumpepoch": 2, "count-failure-reports": 3, "countkeysinslot": 3, "delslots": -3,
		"delslotsrange": -4, "failover": -2, "flushslots": 2, "forget": 3, "getkeysinslot": 4, "help": 2, "info": 2, "keyslot": 3,
		"links": 2, "meet": -4, "myid": 2, "nodes": 2, "replicas": 3, "replicate": 3, "reset": -2, "saveconfig": 2,
		"set-config-epoch": 3, "setslot": -4, "shards": 2, "slaves": 3, "slots": 2,
	},
	"command": {"count": 2, "docs": -2, "help": 2, "info": -2, "list": -2},
	"config":  {"get": -3, "help": 2, "resetstat": 2, "rewrite": 2, "set": -4},
	"pubsub":  {"channels": -2, "help": 2, "numpat": 2, "numsub": -2, "shardchannels": -2, "shardnumsub": -2},
	"script":  {"debug": 3, "exists": -3, "flush": -2, "help": 2, "kill": 2, "load": 3},
}

// subcommand finds the subcommand of args in the command's table; ok is false if there is
// none of that name.
func (c *Command) subcommand(args []string) (name string, arity int, ok bool) {
	name = strings.ToLower(args[1])
	arity, ok = subcommands[c.name][name]
	return name, arity, ok
}

// Knows is false if args, which begin with the command's name, name an unknown subcommand.
func (c *Command) Knows(args []string) bool {
	if !c.Is(Container) || len(args) == 1 {
		return true
	}
	_, _, ok := c.subcommand(args)
	return ok
}

// Takes tells whether the number of args, including the name, is right.
func (c *Command) Takes(args []string) bool {
	if !accepts(c.arity, len(args)) {
		return false
	}
	if !c.Is(Container) || len(args) == 1 {
		return true
	}
	_, arity, ok := c.subcommand(args)
	return ok && accepts(arity, len(args))
}

func accepts(arity, n int) bool { return n == arity || arity < 0 && n >= -arity }

// FullName is the command's name in lower case, followed by | and the name of the subcommand
// if there is one.
func (c *Command) FullName(args []string) string {
	if c.Is(Container) && len(args) > 1 {
		if sub, _, ok := c.subcommand(args); ok {
			return c.name + "|" + sub
		}
	}
	return c.name
}

// Find is the command that args call, or the error reply if they call none correctly.
func Find(args []string) (c *Command, failed reply.Reply) {
	if len(args) == 0 {
		return nil, reply.OfError("ERR unknown command '', with args beginning with: ")
	}
	c, ok := Lookup(args[0])
	switch {
	case !ok, c.Is(Absent):
		return nil, unknownCommand(args)
	case !c.Knows(args):
		return nil, unknownSubcommand(c.name, args[1])
	case !c.Takes(args):
		return nil, wrongArity(c.FullName(args))
	}
	return c, reply.Reply{}
}

// Help lists the subcommands of a command. Redis's own texts would name some that
// are not here.
func Help(name string) reply.Reply {
	lines := []reply.Reply{reply.OfStatus(strings.ToUpper(name) + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")}
	for _, sub := range slices.Sorted(maps.Keys(subcommands[name])) {
		n, bound := subcommands[name][sub], "exactly"
		if n < 0 {
			n, bound = -n, "at least"
		}
		lines = append(lines, reply.OfStatus(strings.ToUpper(sub)), reply.OfStatus(fmt.Sprintf("    Takes %s %d arguments.", bound, n-2)))
	}
	return reply.OfArray(lines...)
}
