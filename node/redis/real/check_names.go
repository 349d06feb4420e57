package real

import (
	"regexp"
	"strings"

	"lockstep/engine/fact"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/portable"
)

// literalName finds calls whose first argument is a name written into the
// script. One that something is appended to may still be made from KEYS.
var literalName = regexp.MustCompile(`redis\s*\.\s*p?call\s*\(\s*['"](\w+)['"]\s*,\s*(?:'([^']*)'|"([^"]*)")(\s*\.\.)?`)

var calledCommand = regexp.MustCompile(`redis\s*\.\s*p?call\s*\(\s*['"](\w+)['"]`)

var luaComment = regexp.MustCompile(`--[^\n]*`)

// checkNames refuses a script that names a key, a channel or the log by itself: on a shared server
// that name is not the session's.
func (n *Node) checkNames(source string) *Error {
	if n.server.Private() || source == "" {
		return nil
	}
	if what, line := portable.Spelled(source); line > 0 {
		return n.server.problem(fact.Of("letters-of-a-name", line, what))
	}
	if line := portable.Logs(source); line > 0 {
		return n.server.problem(fact.Of("servers-log", line))
	}
	code := luaComment.ReplaceAllString(source, "")
	for _, m := range calledCommand.FindAllStringSubmatch(code, -1) {
		if err := n.refuseGlobal(m[1]); err != nil {
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

// refuseGlobal refuses commands on all keys of a shared server, where others have keys too.
func (n *Node) refuseGlobal(name string) *Error {
	command, ok := keyspace.Lookup(name)
	if n.server.Private() || !ok || !command.Is(keyspace.Global) {
		return nil
	}
	return n.server.problem(fact.Of("all-keys", strings.ToUpper(name)))
}

// outsideName is how a server says that a name in a script is not the session's: Redis
// 7.0 and Valkey.
var outsideName = regexp.MustCompile(`can't access at least one of the (keys|channels)|ACL failure in script: No permissions to access a (key|channel)`)
