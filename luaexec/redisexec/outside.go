package redisexec

import (
	"regexp"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/luaexec/keyspace"
	"lockstep/luaexec/portable"
)

// literalName finds calls whose first argument is a name written into the
// script. One that something is appended to may still be made from KEYS.
var literalName = regexp.MustCompile(`redis\s*\.\s*p?call\s*\(\s*['"](\w+)['"]\s*,\s*(?:'([^']*)'|"([^"]*)")(\s*\.\.)?`)

// calledCommand finds the command that a call names.
var calledCommand = regexp.MustCompile(`redis\s*\.\s*p?call\s*\(\s*['"](\w+)['"]`)

var luaComment = regexp.MustCompile(`--[^\n]*`)

// outside tells, before it is too late, that a script names a key or a channel
// by itself: on a shared server that name is not the session's.
func (n *Node) outside(source string) *Error {
	if n.server.Private() || source == "" {
		return nil
	}
	if what, line := portable.Spelled(source); line > 0 {
		return n.spelled(what, line)
	}
	code := luaComment.ReplaceAllString(source, "")
	for _, m := range calledCommand.FindAllStringSubmatch(code, -1) {
		if err := n.everybodys(m[1]); err != nil {
			return err
		}
	}
	for _, m := range literalName.FindAllStringSubmatch(code, -1) {
		args := []string{m[1], m[2] + m[3], ""}
		command, ok := keyspace.Lookup(args[0])
		if !ok || m[4] != "" || len(command.KeyPositions(args))+len(command.ChannelPositions(args)) == 0 {
			continue
		}
		return n.server.problem(fact.Of("name-in-script", strings.ToUpper(args[0]), args[1]))
	}
	return nil
}

// spelled tells that a script looks at the letters of a name, which has a prefix here.
func (n *Node) spelled(what string, line int) *Error {
	return n.server.problem(fact.Of("letters-of-a-name", line, what))
}

// everybodys tells that a command works on all keys of the server, where on a shared one
// those of others are among them, or in another database, where nobody looks.
func (n *Node) everybodys(name string) *Error {
	command, ok := keyspace.Lookup(name)
	if n.server.Private() || !ok || !command.Is(keyspace.Global) && command.Name() != "copy" {
		return nil
	}
	return n.server.problem(fact.Of("all-keys", strings.ToUpper(name)))
}

// outsideName is how a server says that a name in a script is not the session's: Redis
// 7.0 and Valkey.
var outsideName = regexp.MustCompile(`can't access at least one of the (keys|channels)|ACL failure in script: No permissions to access a (key|channel)`)

// strayedTo tells that a script has used a name that is not the session's, and was told
// so by a server where such a name would be somebody else's.
func (n *Node) strayedTo(r reply.Reply) bool {
	return !n.server.Private() && r.IsError() && outsideName.MatchString(r.Str)
}
