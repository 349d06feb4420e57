package redisexec

import (
	"regexp"
	"strings"

	"lockstep/luaexec/keyspace"
)

// literalName finds calls whose first argument is a name written into the
// script. One that something is appended to may still be made from KEYS.
var literalName = regexp.MustCompile(`redis\s*\.\s*p?call\s*\(\s*['"](\w+)['"]\s*,\s*(?:'([^']*)'|"([^"]*)")(\s*\.\.)?`)

var luaComment = regexp.MustCompile(`--[^\n]*`)

// outside tells, before it is too late, that a script names a key or a channel
// by itself: on a shared server that name is not the session's.
func (n *Node) outside(source string) *Error {
	if n.server.Private() || source == "" {
		return nil
	}
	for _, m := range literalName.FindAllStringSubmatch(luaComment.ReplaceAllString(source, ""), -1) {
		args := []string{m[1], m[2] + m[3], ""}
		command, ok := keyspace.Lookup(args[0])
		if !ok || m[4] != "" || len(command.KeyPositions(args))+len(command.ChannelPositions(args)) == 0 {
			continue
		}
		return n.server.problem(Outside,
			strings.ToUpper(args[0])+" in the script names \""+args[1]+"\" by itself, and on a shared server that name is everybody's",
			"pass it in KEYS, or run the lesson on a server of its own (without --redis-url)", nil)
	}
	return nil
}
