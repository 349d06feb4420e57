package redis

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

// The newer servers that a node can be. It answers programs some commands that they have and Redis 7.0 has
// not, those that locks use; scripts do not get them. They are as the documentation of both products says:
// there is no such server here to compare with.
const (
	Redis84  = "redis 8.4"
	Valkey90 = "valkey 9.0"
)

// newerCommands are answered by the versions that they name.
var newerCommands = []struct {
	versions []string
	match    func(args []string) bool
	do       func(n *Node, args []string) reply.Reply
}{
	{[]string{Redis84, Valkey90}, isSetIfEqual, (*Node).setIfEqual},
	{[]string{Redis84}, named("delex"), (*Node).delex},
	{[]string{Valkey90}, named("delifeq"), (*Node).delIfEqual},
}

// Be makes the node a newer server.
func (n *Node) Be(version string) { n.version = version }

// newer is what does a command that only the node's version has, and that writes; nil: it is none.
func (n *Node) newer(args []string) func(*Node, []string) reply.Reply {
	for _, c := range newerCommands {
		if slices.Contains(c.versions, n.version) && c.match(args) {
			return c.do
		}
	}
	return nil
}

func named(name string) func(args []string) bool {
	return func(args []string) bool { return len(args) > 0 && strings.EqualFold(args[0], name) }
}

// SET key value IFEQ other …: only if the key holds the other value.
func isSetIfEqual(args []string) bool {
	return len(args) >= 5 && strings.EqualFold(args[0], "set") && strings.EqualFold(args[3], "ifeq")
}

func (n *Node) setIfEqual(args []string) reply.Reply {
	for _, option := range args[5:] {
		if strings.EqualFold(option, "nx") || strings.EqualFold(option, "xx") {
			return reply.OfError("ERR syntax error")
		}
	}
	if other, same := n.holds(args[1], args[4], reply.Reply{}); !same {
		return other
	}
	return n.keys.Do(slices.Concat(args[:3], args[5:]))
}

// delex is DELEX key [IFEQ value]. Without a condition it is DEL.
func (n *Node) delex(args []string) reply.Reply {
	switch {
	case len(args) == 2:
		return n.keys.Do([]string{"DEL", args[1]})
	case len(args) == 4 && strings.EqualFold(args[2], "ifeq"):
		return n.delete(args[1], args[3])
	case len(args) < 2 || len(args) == 3 || len(args) > 4:
		return reply.OfError("ERR wrong number of arguments for 'delex' command")
	}
	return reply.OfError("REFUSED DELEX with " + strings.ToUpper(args[2]) + ": the embedded Redis does not have it")
}

// delIfEqual is DELIFEQ key value.
func (n *Node) delIfEqual(args []string) reply.Reply {
	if len(args) != 3 {
		return reply.OfError("ERR wrong number of arguments for 'delifeq' command")
	}
	return n.delete(args[1], args[2])
}

// delete deletes a key that holds the value.
func (n *Node) delete(key, value string) reply.Reply {
	if other, same := n.holds(key, value, reply.OfInt(0)); !same {
		return other
	}
	return n.keys.Do([]string{"DEL", key})
}

// holds tells whether a key holds the value. If not, other is the answer: the error of GET, or the one that is given.
func (n *Node) holds(key, value string, not reply.Reply) (other reply.Reply, same bool) {
	got := n.keys.Do([]string{"GET", key})
	if got.IsError() {
		return got, false
	}
	return not, got.Kind == reply.Bulk && got.Str == value
}
