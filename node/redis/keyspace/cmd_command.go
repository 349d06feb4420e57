package keyspace

import (
	"maps"
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var commandCommands = []Command{
	{"command", -1, Container, noKeys, commandOf, "List and describe commands: COUNT, DOCS, INFO, LIST"},
}

// CommandDocs lists every command by name.
func CommandDocs() []CommandDoc { return slices.Clone(listed) }

func commandOf(_ *Keyspace, args []string) reply.Reply {
	sub, names := "info", args[1:]
	if len(args) > 1 {
		sub, names = strings.ToLower(args[1]), args[2:]
	}
	out := []reply.Reply{}
	switch sub {
	case "count":
		return reply.OfInt(int64(len(listed)))
	case "info":
		for _, c := range chosen(names) {
			out = append(out, c.info())
		}
	case "docs":
		for _, c := range chosen(names) {
			if c.Command != nil {
				out = append(out, reply.OfBulk(c.name), c.doc())
			}
		}
	case "list":
		return commandList(names)
	default:
		return Help("command")
	}
	return reply.OfArray(out...)
}

// chosen are the commands of these names, or all if there are none; without a command where a name is unknown.
func chosen(names []string) []CommandDoc {
	if len(names) == 0 {
		return listed
	}
	docs := make([]CommandDoc, len(names))
	for i, name := range names {
		c, _ := Lookup(name)
		at := slices.IndexFunc(listed, func(l CommandDoc) bool { return l.Command == c })
		if docs[i].Command = c; at >= 0 {
			docs[i] = listed[at]
		}
	}
	return docs
}

// flagNames are the flags as COMMAND INFO names them.
var flagNames = []struct {
	flag Flag
	name string
}{
	{Write, "write"},
	{ReadOnly, "readonly"},
	{DenyOOM, "denyoom"},
	{PubSub, "pubsub"},
	{NoScript, "noscript"},
	{Blocking, "blocking"},
}

// info is a row of COMMAND INFO: name, arity, flags, first key, last key, step,
// categories, and three lists that are empty here.
func (c CommandDoc) info() reply.Reply {
	if c.Command == nil {
		return nothing
	}
	var flags, categories []reply.Reply
	for _, f := range flagNames {
		if c.Is(f.flag) {
			flags = append(flags, reply.OfStatus(f.name))
		}
	}
	if c.keys.more != noMore {
		flags = append(flags, reply.OfStatus("movablekeys"))
	}
	switch {
	case c.Is(Write):
		categories = append(categories, reply.OfStatus("@write"))
	case c.Is(ReadOnly):
		categories = append(categories, reply.OfStatus("@read"))
	}
	categories = append(categories, reply.OfStatus("@"+strings.ReplaceAll(c.Group, "-", "")))
	keys := c.keys
	if c.Is(PubSub) {
		keys = noKeys
	}
	return reply.OfArray(
		reply.OfBulk(c.name), reply.OfInt(int64(c.arity)), reply.OfArray(flags...),
		reply.OfInt(int64(keys.first)), reply.OfInt(int64(keys.last)), reply.OfInt(int64(keys.step)),
		reply.OfArray(categories...), emptyArray, emptyArray, emptyArray,
	)
}

func (c CommandDoc) doc() reply.Reply {
	return reply.OfArray(
		reply.OfBulk("summary"), reply.OfBulk(c.summary),
		reply.OfBulk("group"), reply.OfBulk(c.Group),
		reply.OfBulk("arity"), reply.OfInt(int64(c.arity)),
	)
}

func commandList(options []string) reply.Reply {
	if len(options) > 0 {
		return errSyntax
	}
	var names []string
	for _, c := range listed {
		names = append(names, c.name)
		for _, sub := range slices.Sorted(maps.Keys(subcommands[c.name])) {
			names = append(names, c.name+"|"+sub)
		}
	}
	return reply.OfBulks(names)
}
