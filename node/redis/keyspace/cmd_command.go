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

// CommandDoc documents a command.
type CommandDoc struct {
	*Command
	Group string
}

// CommandDocs lists every command by name.
func CommandDocs() []CommandDoc {
	docs := make([]CommandDoc, len(listed))
	for i, c := range listed {
		docs[i] = CommandDoc{c.Command, c.group}
	}
	return docs
}

func commandOf(_ *Keyspace, args []string) reply.Reply {
	if len(args) == 1 {
		return commandInfo(nil)
	}
	switch strings.ToLower(args[1]) {
	case "count":
		return reply.OfInt(int64(len(listed)))
	case "info":
		return commandInfo(args[2:])
	case "docs":
		return commandDocs(args[2:])
	case "list":
		return commandList(args[2:])
	}
	return Help("command")
}

func commandInfo(names []string) reply.Reply {
	out := []reply.Reply{}
	if len(names) == 0 {
		for _, c := range listed {
			out = append(out, c.info())
		}
	}
	for _, name := range names {
		c, ok := Lookup(name)
		if !ok {
			out = append(out, reply.Reply{})
			continue
		}
		out = append(out, listedCommand{c, groupOf(c)}.info())
	}
	return reply.OfArray(out...)
}

func groupOf(c *Command) string {
	for _, l := range listed {
		if l.Command == c {
			return l.group
		}
	}
	return ""
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
func (c listedCommand) info() reply.Reply {
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
	categories = append(categories, reply.OfStatus("@"+strings.ReplaceAll(c.group, "-", "")))
	keys := c.keys
	if c.Is(PubSub) {
		keys = noKeys
	}
	return reply.OfArray(
		reply.OfBulk(c.name), reply.OfInt(int64(c.arity)), reply.OfArray(orEmpty(flags)...),
		reply.OfInt(int64(keys.first)), reply.OfInt(int64(keys.last)), reply.OfInt(int64(keys.step)),
		reply.OfArray(categories...), emptyArray, emptyArray, emptyArray,
	)
}

func orEmpty(items []reply.Reply) []reply.Reply {
	if items == nil {
		return []reply.Reply{}
	}
	return items
}

// commandDocs answers COMMAND DOCS: names and their docs in turn; unknown names are left out.
func commandDocs(names []string) reply.Reply {
	out := []reply.Reply{}
	add := func(c listedCommand) {
		out = append(out, reply.OfBulk(c.name), reply.OfArray(
			reply.OfBulk("summary"), reply.OfBulk(c.summary),
			reply.OfBulk("group"), reply.OfBulk(c.group),
			reply.OfBulk("arity"), reply.OfInt(int64(c.arity)),
		))
	}
	if len(names) == 0 {
		for _, c := range listed {
			add(c)
		}
	}
	for _, name := range names {
		if c, ok := Lookup(name); ok {
			add(listedCommand{c, groupOf(c)})
		}
	}
	return reply.OfArray(out...)
}

// commandList answers COMMAND LIST, with FILTERBY PATTERN if asked to.
func commandList(options []string) reply.Reply {
	wanted := func(string) bool { return true }
	switch {
	case len(options) == 0:
	case len(options) != 3 || !strings.EqualFold(options[0], "filterby"):
		return errSyntax
	case strings.EqualFold(options[1], "pattern"):
		pattern := strings.ToLower(options[2])
		wanted = func(name string) bool { return Match(pattern, name) }
	case strings.EqualFold(options[1], "module"):
		wanted = func(string) bool { return false }
	default:
		return errSyntax
	}
	out := []reply.Reply{}
	for _, c := range listed {
		names := []string{c.name}
		for _, sub := range slices.Sorted(maps.Keys(subcommands[c.name])) {
			names = append(names, c.name+"|"+sub)
		}
		for _, name := range names {
			if wanted(name) {
				out = append(out, reply.OfBulk(name))
			}
		}
	}
	return reply.OfArray(out...)
}
