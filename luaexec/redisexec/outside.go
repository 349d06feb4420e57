package redisexec

import (
	"regexp"
	"strings"

	"lockstep/luaexec/keyspace"
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
		return n.server.problem(Outside,
			strings.ToUpper(args[0])+" in the script names \""+args[1]+"\" by itself, and on a shared server that name is everybody's",
			"pass it in KEYS, or run the lesson on a server of its own (without --redis-url)", nil).
			inChinese("脚本里的 " + strings.ToUpper(args[0]) + " 直接写出了名字 \"" + args[1] +
				"\"，而在共用的服务器上这个名字属于所有人：请通过 KEYS 传入，或让课程使用自己的服务器（不带 --redis-url）")
	}
	return nil
}

// everybodys tells that a command works on all keys of the server: on a shared one
// those of others are among them.
func (n *Node) everybodys(name string) *Error {
	command, ok := keyspace.Lookup(name)
	if n.server.Private() || !ok || !command.Is(keyspace.Global) {
		return nil
	}
	return n.server.problem(Outside,
		strings.ToUpper(name)+" works on every key of the server, and on a shared one those of others are among them",
		"name the keys that are meant, or run the lesson on a server of its own (without --redis-url)", nil).
		inChinese(strings.ToUpper(name) + " 会作用于服务器上所有的键，而共用的服务器上也有别人的键：" +
			"请写明具体的键，或让课程使用自己的服务器（不带 --redis-url）")
}
