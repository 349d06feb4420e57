package redis

import (
	"embed"
	"strconv"
	"time"

	"lockstep/engine"
	"lockstep/node"
)

//go:embed template
var template embed.FS

// Kind is that of nodes that do not say theirs.
var Kind = node.Kind{
	Name:     "redis",
	Like:     "Redis 7.0",
	New:      func(time.Duration) engine.Node { return NewNode() },
	Give:     Give,
	Text:     engine.StringKey,
	Keys:     []string{"version", "min-replicas-to-write", "min-replicas-max-lag"},
	Versions: []string{Redis84, Valkey90},
	Template: template,
	Called:   node.Words{En: "Redis", Zh: "Redis"},
	Holds:    node.Words{En: "Keyspace", Zh: "Redis 中的 key"},
	Real:     node.Real{Engine: "redis", Name: "Redis"},
}

// makes is the command that makes a key of each type that can be given.
var makes = map[engine.KeyType]string{
	engine.StringKey: "SET", engine.HashKey: "HSET", engine.ListKey: "RPUSH", engine.SetKey: "SADD", engine.ZSetKey: "ZADD",
}

// Give makes a key. Its deadline is a span from now.
func Give(k engine.Key) []engine.Op {
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
