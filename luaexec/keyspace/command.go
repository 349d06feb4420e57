package keyspace

import (
	"fmt"
	"strings"

	"lockstep/engine/reply"
)

// Flag says what kind of command a command is.
type Flag uint8

// The flags of Redis that matter here.
const (
	Write    Flag = 1 << iota // changes keys
	ReadOnly                  // reads keys
	PubSub                    // works on channels; counts as a write in a script
	NoScript                  // a script may not call it
)

// Command is one row of the command table.
type Command struct {
	name  string // in lower case, as Redis's messages have it
	arity int    // number of arguments, the name included; -n means n or more
	flags Flag
	keys  span
	run   func(k *Keyspace, args []string) reply.Reply
}

// span says which arguments are keys (of a PubSub command: channels): first to
// last in steps; a negative last counts from the end; the zero span is none.
type span struct{ first, last, step int }

var (
	noKeys   = span{}
	oneKey   = span{1, 1, 1}
	twoKeys  = span{1, 2, 1}
	allKeys  = span{1, -1, 1}
	keyPairs = span{1, -1, 2}
)

// commands finds a command by its name in lower and in upper case.
var commands = tabulate(
	stringCommands, hashCommands, listCommands, setCommands, zsetCommands,
	keyCommands, expireCommands, pubsubCommands, serverCommands, connectionCommands,
)

func tabulate(families ...[]Command) map[string]*Command {
	table := map[string]*Command{}
	for _, family := range families {
		for i := range family {
			c := &family[i]
			if table[c.name] != nil {
				panic("keyspace: two commands are named " + c.name)
			}
			table[c.name] = c
			table[strings.ToUpper(c.name)] = c
		}
	}
	return table
}

// Lookup finds a command by its name in any letter case.
func Lookup(name string) (*Command, bool) {
	if c := commands[name]; c != nil {
		return c, true
	}
	var lower [32]byte
	if len(name) > len(lower) {
		return nil, false
	}
	for i := range len(name) {
		b := name[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		lower[i] = b
	}
	c := commands[string(lower[:len(name)])]
	return c, c != nil
}

// Name is the command's name in lower case.
func (c *Command) Name() string { return c.name }

// Is tells whether the command has any of the flags.
func (c *Command) Is(f Flag) bool { return c.flags&f != 0 }

// TakesArgs tells whether n arguments, the name included, are enough and not
// too many.
func (c *Command) TakesArgs(n int) bool { return n == c.arity || c.arity < 0 && n >= -c.arity }

// Call runs the command atomically; args[0] is its name. What goes wrong is an
// error reply, and then nothing has changed.
func (c *Command) Call(k *Keyspace, args []string) reply.Reply {
	if !c.TakesArgs(len(args)) {
		return wrongArity(c.name)
	}
	return c.run(k, args)
}

// KeyPositions lists the indexes in args that are names of keys.
func (c *Command) KeyPositions(args []string) []int {
	if c.Is(PubSub) {
		return nil
	}
	return c.keys.positions(len(args))
}

// ChannelPositions lists the indexes in args that are names of channels.
func (c *Command) ChannelPositions(args []string) []int {
	if !c.Is(PubSub) {
		return nil
	}
	return c.keys.positions(len(args))
}

func (s span) positions(n int) []int {
	if s.step == 0 {
		return nil
	}
	last := s.last
	if last < 0 {
		last += n
	}
	var at []int
	for i := s.first; i <= last && i < n; i += s.step {
		at = append(at, i)
	}
	return at
}

// Do looks a command up and runs it.
func (k *Keyspace) Do(args []string) reply.Reply {
	if len(args) == 0 {
		return reply.OfError("ERR unknown command '', with args beginning with: ")
	}
	c, ok := Lookup(args[0])
	if !ok {
		return unknownCommand(args)
	}
	return c.Call(k, args)
}

// unknownCommand is Redis's message, cut where Redis cuts it.
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
	return reply.OfError(strings.NewReplacer("\r", " ", "\n", " ").Replace(text))
}

// firstBytes is what C's %.*s prints.
func firstBytes(s string, n int) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	return s[:min(n, len(s))]
}
