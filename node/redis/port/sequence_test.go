package port_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"lockstep/node/redis/conversations"
	"lockstep/node/redis/keyspace"
)

// step is a command that one of a sequence's clients sends.
type step struct {
	client int
	args   []string
}

func (s step) String() string { return fmt.Sprintf("%c: %q", 'A'+s.client, s.args) }

// sequence makes what two clients say in turns: commands, scripts that call them,
// transactions, and some nonsense.
func sequence(seed uint64, length int) []step {
	r := rand.New(rand.NewPCG(seed, 12))
	var steps []step
	var inMulti [2]bool
	client := 0
	if seed%2 == 1 {
		steps = append(steps, step{0, []string{"HELLO", "3"}}, step{1, []string{"HELLO", "3"}})
	}
	for range length {
		if r.IntN(8) == 0 {
			client = 1 - client
		}
		args := anyStep(r, inMulti[client])
		switch strings.ToLower(args[0]) {
		case "multi":
			inMulti[client] = true
		case "exec", "discard", "reset":
			inMulti[client] = false
		}
		steps = append(steps, step{client, args})
	}
	for client := range inMulti {
		steps = append(steps, step{client, []string{"EXEC"}})
	}
	return steps
}

func anyStep(r *rand.Rand, inMulti bool) []string {
	pick := func(from ...string) []string { return strings.Fields(from[r.IntN(len(from))]) }
	key := func() string { return conversations.Keys[r.IntN(len(conversations.Keys))] }
	switch n := r.IntN(100); {
	case n < 10:
		args := conversations.Command(r)
		script := []string{"return redis.call(", "return redis.pcall(", "redis.call("}[r.IntN(3)]
		for i := range args {
			script += fmt.Sprintf("ARGV[%d], ", i+1)
		}
		script = strings.TrimSuffix(script, ", ") + ")"
		return append([]string{pick("EVAL", "EVAL", "EVAL_RO", "eval")[0], script, "0"}, args...)
	case n < 14 && !inMulti:
		return []string{"WATCH", key(), key()}
	case n < 19 && !inMulti:
		return []string{"MULTI"}
	case n < 23, inMulti && n < 30:
		return pick("EXEC", "EXEC", "EXEC", "EXEC", "DISCARD", "UNWATCH")
	case n < 25:
		return pick("SELECT 0", "SELECT 1", "SELECT 0", "SELECT 0", "SELECT 16", "SELECT x")
	case n < 28:
		return pick("HELLO", "HELLO 2", "HELLO 3", "HELLO 4", "CLIENT SETNAME me", "CLIENT GETNAME", "CLIENT nosuch", "RESET", "WAIT 0 0", "WAIT x 0", "ROLE", "SCRIPT EXISTS x", "SCRIPT LOAD", "SCRIPT nosuch",
			"BLPOP l1 x", "BRPOP l1 l2 -1", "BLMOVE l1 l2 LEFT RIGHT 1e300", "BLMPOP x 1 l1 LEFT", "BLMPOP 0 0 l1 LEFT", "BZPOPMIN z1 -0.5", "BZMPOP inf 1 z1 MIN", "BZMPOP x 1 z1 MID",
			"SPOP t1 100", "SPOP t2 100", "SPOP t1 0", "SPOP t1 -1", "SPOP l1",
			"EVALSHA x 0", "EVAL return 1", "EVAL return -1", "CONFIG GET nosuch", "DBSIZE", "FLUSHDB", "NOSUCH a b", "PUBSUB SHARDNUMSUB c")
	case n < 32:
		return nonsense(r)
	case inMulti && n < 40: // where nothing blocks
		return pick("BLPOP l1 l2 0", "BRPOP l1 0", "BLMOVE l1 l2 LEFT RIGHT 0", "BRPOPLPUSH l1 l2 0", "BLMPOP 0 2 l1 l2 LEFT COUNT 2",
			"BZPOPMIN z1 z2 0", "BZPOPMAX z1 0", "BZMPOP 0 1 z1 MIN", "XREAD BLOCK 0 STREAMS x1 0", "XREAD COUNT 1 BLOCK 0 STREAMS x1 x2 $ 5")
	}
	return conversations.Command(r)
}

// unlike are commands that leave what they do to chance, or give keys so little
// time that the clock decides.
var unlike = []string{"spop", "expire", "pexpire", "setex", "psetex", "getex"}

// nonsense is any command that works on keys, with anything for arguments.
func nonsense(r *rand.Rand) []string {
	words := strings.Fields("key key int val score end lex id small cond COUNT LIMIT MAXLEN ~ NX GET WITHSCORES MATCH REV BYSCORE 0 1 2")
	all := keyspace.CommandDocs()
	for {
		c := all[r.IntN(len(all))]
		if !c.Is(keyspace.Write|keyspace.ReadOnly) || c.Is(keyspace.Blocking|keyspace.NoScript) || slices.Contains(unlike, c.Name()) {
			continue
		}
		args := []string{c.Name()}
		for range r.IntN(7) {
			args = append(args, conversations.Argument(r, words[r.IntN(len(words))]))
		}
		return args
	}
}
