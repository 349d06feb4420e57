package keyspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/reply"
)

// Flag is a property of a command.
type Flag uint16

// The flags of Redis that matter here.
const (
	Write     Flag = 1 << iota // changes keys
	ReadOnly                   // reads keys
	PubSub                     // works on channels; counts as a write in a script
	NoScript                   // a script may not call it
	DenyOOM                    // may need memory, and is refused when there is none left
	Blocking                   // may wait on a connection; here it answers at once
	Global                     // works on keys or channels that are not among its arguments
	NilArray                   // answers nil as a null array: RESP2 has two kinds of nil
	Container                  // needs a subcommand
	Absent                     // not implemented: scripts get the error that they may not call it
	Slow                       // goes through everything that its keys hold, even for a short reply
)

// Command is one row of the command table.
type Command struct {
	name    string // in lower case, as Redis's messages have it
	arity   int    // number of arguments, the name included; -n means n or more
	flags   Flag
	keys    keySpec
	run     func(k *Keyspace, args []string) reply.Reply
	summary string
}

// families are all rows by group, with the group names of COMMAND DOCS.
var families = []struct {
	group string
	rows  []Command
}{
	{"cluster", clusterCommands},
	{"connection", connectionCommands},
	{"generic", keyCommands},
	{"generic", expireCommands},
	{"hash", hashCommands},
	{"list", listCommands},
	{"list", listAtCommands},
	{"list", listMoveCommands},
	{"list", listBlockingCommands},
	{"pubsub", pubsubCommands},
	{"scripting", scriptingCommands},
	{"server", serverCommands},
	{"server", commandCommands},
	{"set", setCommands},
	{"sorted-set", zsetCommands},
	{"sorted-set", zsetPopCommands},
	{"stream", streamCommands},
	{"stream", streamReadCommands},
	{"string", stringCommands},
	{"transactions", transactionCommands},
}

var (
	// commands finds a command by its name in lower and, as most clients send it, in upper case.
	commands map[string]*Command
	// listed is every command by name.
	listed []CommandDoc
)

// CommandDoc documents a command.
type CommandDoc struct {
	*Command
	Group string
}

// COMMAND reads the table that contains it, so the table is built only after all rows are
// initialized.
func init() {
	commands = map[string]*Command{}
	for _, f := range families {
		for i := range f.rows {
			c := &f.rows[i]
			if commands[c.name] != nil {
				panic("keyspace: two commands are named " + c.name)
			}
			commands[c.name] = c
			commands[strings.ToUpper(c.name)] = c
			if !c.Is(Absent) {
				listed = append(listed, CommandDoc{c, f.group})
			}
		}
	}
	slices.SortStableFunc(listed, func(a, b CommandDoc) int { return cmp.Compare(a.name, b.name) })
}

// Lookup finds a command by its name in any letter case.
func Lookup(name string) (*Command, bool) {
	c := commands[name]
	if c == nil {
		c = commands[strings.ToLower(name)]
	}
	return c, c != nil
}

// Name is the command's name in lower case.
func (c *Command) Name() string { return c.name }

// Is tells whether the command has any of the flags.
func (c *Command) Is(f Flag) bool { return c.flags&f != 0 }

// Summary says in a few words what the command does.
func (c *Command) Summary() string { return c.summary }

// KeyPositions lists the indexes in args that are names of keys.
func (c *Command) KeyPositions(args []string) []int {
	if c.Is(PubSub) {
		return nil
	}
	return c.keys.positions(args)
}

// ChannelPositions lists the indexes in args that are names of channels.
func (c *Command) ChannelPositions(args []string) []int {
	if !c.Is(PubSub) {
		return nil
	}
	return c.keys.positions(args)
}

// KeysOf are the keys that a command names; none if it is not in order.
func KeysOf(args []string) (keys []string) {
	c, failed := Find(args)
	if failed.IsError() {
		return nil
	}
	for _, i := range c.KeyPositions(args) {
		keys = append(keys, args[i])
	}
	return keys
}

// Do runs the command that args call, atomically. A failure is an error reply, and then nothing has
// changed.
func (k *Keyspace) Do(args []string) reply.Reply {
	c, failed := Find(args)
	switch {
	case failed.IsError():
		return failed
	case c.Is(DenyOOM) && k.Full():
		return errOutOfMemory
	}
	return c.Run(k, args)
}

// unknownCommand is the error of Redis, with arguments cut at the same length.
func unknownCommand(args []string) reply.Reply {
	const limit = 128
	var given strings.Builder
	for _, arg := range args[1:] {
		if given.Len() >= limit {
			break
		}
		fmt.Fprintf(&given, "'%s' ", firstBytes(arg, limit-given.Len()))
	}
	text := fmt.Sprintf("ERR unknown command '%s', with args beginning with: %s",
		firstBytes(args[0], limit), given.String())
	return reply.OfError(reply.OneLine(text))
}

// firstBytes is what C's %.*s prints.
func firstBytes(s string, n int) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	return s[:min(n, len(s))]
}

// NilIsArray tells whether nil in the reply to these arguments is an array: RESP2
// writes it *-1 instead of $-1.
func (c *Command) NilIsArray(args []string) bool {
	popsOne := len(args) == 2 && (c.name == "lpop" || c.name == "rpop")
	return c.Is(NilArray) && !popsOne
}

// Places says which arguments are keys: First to Last in steps of Step, where a
// negative Last counts from the end.
type Places struct{ First, Last, Step int }

// Writes yields the commands that change keys, in the order of the command table.
// Commands whose keys depend on their arguments, such as EVAL, are left out.
func Writes(yield func(name string, keys Places) bool) {
	for _, f := range families {
		for _, c := range f.rows {
			if c.flags&Write != 0 && c.keys.first > 0 && !yield(c.name, Places{c.keys.first, c.keys.last, c.keys.step}) {
				return
			}
		}
	}
}

// bytesPerStep estimates how many bytes of a value a slow command processes in the time of
// one script instruction.
const bytesPerStep = 64

// Work estimates the cost of a command that has just run, in script instructions: nearly
// none, unless it is Slow.
func (c *Command) Work(k *Keyspace, args []string) int64 {
	switch {
	case !c.Is(Slow):
		return 0
	case c.keys == noKeys:
		return int64(k.Len())
	}
	bytes := int64(0)
	for _, at := range c.keys.positions(args) {
		if e := k.find(args[at]); e != nil {
			bytes += e.bytes()
		}
	}
	return bytes / bytesPerStep
}

// option is one that takes no value: its name, and where it is noted.
type option struct {
	name string
	on   *bool
}

// note notes an argument if it is one of these options; false: it is none.
func note(arg string, known []option) bool {
	for _, o := range known {
		if strings.EqualFold(arg, o.name) {
			*o.on = true
			return true
		}
	}
	return false
}

// Run is Do for a caller that has already checked the number of arguments and whether the
// keyspace is full.
func (c *Command) Run(k *Keyspace, args []string) reply.Reply {
	if k.notifications != nil {
		k.asEvent(cmp.Or(events[c.name], c.name))
	}
	r := c.run(k, args)
	if k.observer != nil {
		k.observer.Ran(c, args)
	}
	return r
}
