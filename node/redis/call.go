package redis

import (
	"cmp"
	"strings"
	"sync"

	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/node/redis/cluster"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/portable"
)

// What redis.call answers in place of a command.
const (
	unknownText    = "ERR Unknown Redis command called from script"
	arityText      = "ERR Wrong number of args calling Redis command from script"
	notAllowedText = "ERR This Redis command is not allowed from script"
	readOnlyText   = "ERR Write commands are not allowed from read-only scripts."
	deniedText     = "ERR The user executing the script can't run this command or subcommand"
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

// runner runs scripts, and the commands that they call, on the node whose turn it is.
type runner struct {
	machine *luaexec.Machine
	node    *Node

	// Of the running script.
	source   string             // as its author wrote it
	home     *keyspace.Keyspace // where it began, whatever it selects
	special  bool               // its commands do not simply run
	readOnly bool
	full     bool // there was no memory left when it began
	oneSlot  bool // all its keys must have one slot: it has flags, and not the one that lets it use several in a cluster
	slot     int  // of its keys so far; below 0: it has used none
	dirty    bool // it has called a command that writes
}

// runners is shared by all nodes of the process: a machine costs far more than a node.
var runners = sync.Pool{New: func() any {
	r := &runner{}
	r.machine = luaexec.NewMachine(r)
	return r
}}

func (n *Node) run(p *luaexec.Program, i invocation) reply.Reply {
	r, ok := runners.Get().(*runner)
	if !ok {
		panic("redis: the pool holds something that is not a runner")
	}
	r.node, r.home, n.running = n, n.keys, r
	r.source = cmp.Or(i.written, p.Source)
	r.readOnly, r.dirty = i.readOnly, false
	r.full = p.Flags&luaexec.AllowOOM == 0 && n.keys.Full()
	r.special = r.readOnly || r.full || n.databases != nil || n.member.InCluster()
	r.oneSlot, r.slot = n.member.InCluster() && p.Flags&(luaexec.Declared|luaexec.CrossSlots) == luaexec.Declared, -1
	if r.oneSlot && len(i.keys) > 0 {
		r.slot = cluster.Slot(i.keys[0])
	}
	answer, healthy := r.machine.Run(p, luaexec.Invocation{
		Keys: i.keys, Args: i.args,
		Budget: n.budget, Guard: n.guard, Random: &n.random,
	})
	n.keys = r.home
	r.node, r.home, n.running = nil, nil, nil
	if healthy {
		runners.Put(r)
	}
	return answer
}

// Call implements luaexec.Host.
func (r *runner) Call(args []string) (answer reply.Reply, cost int64) {
	if answer, cost = r.answer(args); answer.IsError() {
		r.node.keys.Refuse(args, answer)
	}
	return answer, cost
}

// Lacks implements luaexec.Host.
func (r *runner) Lacks(global, message string) {
	r.node.keys.Refuse([]string{global}, reply.OfError("ERR "+message))
}

func (r *runner) answer(args []string) (answer reply.Reply, cost int64) {
	c, known := keyspace.Lookup(args[0])
	isDenied := r.node.lesson && denied[strings.ToLower(args[0])]
	switch {
	case !known && isDenied:
		return reply.OfError(deniedText), 0
	case !known || !c.Knows(args):
		return reply.OfError(unknownText), 0
	case !c.Takes(args):
		return reply.OfError(arityText), 0
	case c.Is(keyspace.NoScript):
		return reply.OfError(notAllowedText), 0
	case isDenied && !(portable.IsOfClock(c.Name()) && portable.LooksAtClock(r.source)):
		return reply.OfError(deniedText), 0
	}
	if !c.Is(keyspace.DenyOOM | keyspace.Slow) {
		return r.perform(c, args), 0
	}
	keys := r.node.keys
	used := keys.Used()
	answer = r.perform(c, args)
	return answer, c.Work(keys, args) + max(keys.Used()-used, 0)/luaexec.BytesPerInstruction
}

func (r *runner) perform(c *keyspace.Command, args []string) reply.Reply {
	if !r.special {
		return c.Run(r.node.keys, args)
	}
	return r.specially(c, args)
}

// specially runs a command where the script may not do all that scripts may, or can
// select another database. Channels are those of the server: messages are left where
// the script began.
func (r *runner) specially(c *keyspace.Command, args []string) reply.Reply {
	switch {
	case r.readOnly && c.Is(keyspace.Write|keyspace.PubSub) && c != pubsubCommand:
		return reply.OfError(readOnlyText)
	case r.full && !r.dirty && c.Is(keyspace.DenyOOM):
		return errOutOfMemory
	}
	r.dirty = r.dirty || c.Is(keyspace.Write)
	n := r.node
	if n.member.InCluster() {
		if refused := r.elsewhere(args); refused.IsError() {
			return refused
		}
	}
	switch {
	case c.Is(keyspace.PubSub):
		return c.Run(r.home, args)
	case c == selectCommand && n.databases != nil:
		return n.selectDatabase(args)
	case c == flushAllCommand && n.databases != nil:
		return n.flushAll(args)
	}
	return c.Run(n.keys, args)
}

// elsewhere is what a script of a cluster's member is told that uses keys of other members, or of several slots.
// In a transaction a real server counts the keys of all its commands among those of a script with flags; here each script has its own.
func (r *runner) elsewhere(args []string) reply.Reply {
	if foreign, refused := r.node.member.RefuseInside(args, r.node.asking, r.node.has); refused {
		return foreign
	}
	keys := keyspace.KeysOf(args)
	if !r.oneSlot || len(keys) == 0 {
		return reply.Reply{}
	}
	if slot := cluster.Slot(keys[0]); r.slot >= 0 && r.slot != slot {
		return reply.OfError("ERR Script attempted to access keys that do not hash to the same slot")
	}
	r.slot = cluster.Slot(keys[0])
	return reply.Reply{}
}

// selectDatabase changes the database until the script ends.
func (n *Node) selectDatabase(args []string) reply.Reply {
	db, ok := keyspace.ParseInt(args[1])
	if !ok {
		return selectCommand.Run(n.keys, args) // which says what is wrong
	}
	k, ok := n.databases(int(db))
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
