package lessons

import (
	"strconv"
	"time"

	"lockstep/engine"
)

// Given is a key that is there at the start, on one node; or a statement that a server of
// SQL has done before it.
type Given struct {
	Node      string
	Key       engine.Key // its deadline is by the clock of the start
	Statement string     // empty: it is a key
}

// Commands make the key, or do the statement, at the start.
func (g Given) Commands() []engine.Op {
	if g.Statement != "" {
		return []engine.Op{{Args: []string{g.Statement}}}
	}
	k := g.Key
	if k.Type == engine.ZnodeKey {
		return []engine.Op{{Args: []string{"create", k.Name, k.Text}}}
	}
	args := []string{makes[k.Type], k.Name}
	if k.Type == engine.StringKey {
		args = append(args, k.Text)
	}
	for _, it := range k.Items {
		switch k.Type {
		case engine.HashKey:
			args = append(args, it.Name, it.Value)
		case engine.ZSetKey:
			args = append(args, it.Value, it.Name)
		default:
			args = append(args, it.Name+it.Value)
		}
	}
	ops := []engine.Op{{Args: args}}
	if k.Deadline != engine.NoDeadline {
		ops = append(ops, engine.Op{Args: []string{"PEXPIRE", k.Name, strconv.FormatInt(int64(k.Deadline/time.Millisecond), 10)}})
	}
	return ops
}

// makes is the command that makes a key of each type that can be given.
var makes = map[engine.KeyType]string{
	engine.StringKey: "SET", engine.HashKey: "HSET", engine.ListKey: "RPUSH", engine.SetKey: "SADD", engine.ZSetKey: "ZADD",
}

// given is what a node has done before the start. What its leader was given has reached a replica.
func (l *Lesson) given(n Node) []engine.Op {
	var ops []engine.Op
	for _, g := range l.Given {
		if g.Node == n.Name || g.Node == n.ReplicaOf {
			ops = append(ops, g.Commands()...)
		}
	}
	return ops
}
