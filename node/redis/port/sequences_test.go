package port_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
	"lockstep/node/sample"
)

// contest is a sequence's servers: the embedded one, and a real one to agree with.
type contest struct {
	server    string // as a Difference names it
	excuses   *conversations.Excuses
	ourConn   [2]*wire
	theirConn [2]*wire
}

func newContest(tb testing.TB, server string) *contest {
	tb.Helper()
	c := &contest{server: server, excuses: conversations.ExcusesFor(conversations.Scripts, conversations.Commands, conversations.Port)}
	ours, theirs := open(tb, port.Real), openReal(tb, server)
	for i := range c.ourConn {
		c.ourConn[i], c.theirConn[i] = dial(tb, ours), dial(tb, theirs)
	}
	return c
}

// play sends a sequence to a server that holds nothing, and returns the replies.
func play(conns [2]*wire, steps []step) []reply.Reply {
	conns[1].do("RESET")
	conns[0].pipeline([]string{"RESET"}, []string{"FLUSHALL"})
	var replies []reply.Reply
	for len(steps) > 0 {
		var run [][]string
		for _, s := range steps {
			if s.client != steps[0].client {
				break
			}
			run = append(run, s.args)
		}
		replies = append(replies, conns[steps[0].client].pipeline(run...)...)
		steps = steps[len(run):]
	}
	return replies
}

// difference plays a sequence on both servers. It tells at which step they first
// disagree, with nothing to excuse it; what they hold in the end is a step too.
func (c *contest) difference(steps []step) string {
	got, want := play(c.ourConn, steps), play(c.theirConn, steps)
	queues := [2][][]string{}
	for i, s := range steps {
		problem, certain := c.compare(s, &queues[s.client], got[i], want[i])
		if problem != "" {
			return fmt.Sprintf("step %d, %s\n%s", i, s, problem)
		}
		if !certain {
			return "" // an excused difference may have changed the keys, too
		}
	}
	return c.compareKeys()
}

// compare looks at the replies to one step. What the client has queued is its
// transaction so far.
func (c *contest) compare(s step, queue *[][]string, got, want reply.Reply) (problem string, certain bool) {
	switch name := strings.ToLower(s.args[0]); {
	case want.Equal(reply.OfStatus("QUEUED")):
		*queue = append(*queue, s.args)
	case name == "exec" && want.Kind == reply.Array && len(want.Elems) == len(*queue) && got.Kind == reply.Array && len(got.Elems) == len(*queue):
		for i, args := range *queue {
			if problem, certain := c.compareReply(args, got.Elems[i], want.Elems[i]); problem != "" || !certain {
				return problem, certain
			}
		}
		*queue = nil
		return "", true
	case name == "exec", name == "discard", name == "reset":
		*queue = nil
	}
	return c.compareReply(s.args, got, want)
}

func (c *contest) compareReply(args []string, got, want reply.Reply) (problem string, certain bool) {
	asked := args
	if strings.HasPrefix(strings.ToLower(args[0]), "eval") && len(args) > 3 {
		asked = args[3:]
	}
	got, want = withoutID(args, got), withoutID(args, want)
	if conversations.Agree(asked, got, want) {
		return "", true
	}
	x := conversations.Exchange{Server: c.server, Sent: strings.Join(args, " "), Theirs: want.String(), Ours: got.String()}
	if d := c.excuses.Excuse(x); d != nil {
		c, known := keyspace.Lookup(asked[0])
		changesNothing := known && c.Is(keyspace.ReadOnly) || d.Common != nil || got.IsError() && want.IsError()
		return "", changesNothing && got.Kind != reply.Status && want.Kind != reply.Status
	}
	return fmt.Sprintf("%q\n embedded %s\n %-8s %s", args, got, c.server, want), true
}

// withoutID takes out what HELLO says of this connection and this version.
func withoutID(args []string, r reply.Reply) reply.Reply {
	if strings.EqualFold(args[0], "hello") && len(r.Elems) == 14 {
		r.Elems = slices.Concat(r.Elems[4:6], r.Elems[8:])
	}
	return r
}

// compareKeys compares what the servers hold.
func (c *contest) compareKeys() string {
	c.ourConn[0].do("RESET")
	c.theirConn[0].do("RESET")
	for db := range 2 {
		names, problem := c.ask([]string{"SELECT", strconv.Itoa(db)}, []string{"KEYS", "*"})
		var asks, reads [][]string
		for _, name := range names[1].Elems {
			asks = append(asks, []string{"TYPE", name.Str}, []string{"PTTL", name.Str})
		}
		var kinds []reply.Reply
		if problem == "" {
			kinds, problem = c.ask(asks...)
		}
		for i, name := range names[1].Elems {
			if problem == "" {
				reads = append(reads, contents[kinds[2*i].Str](name.Str))
			}
		}
		if problem == "" {
			_, problem = c.ask(reads...)
		}
		if problem != "" {
			return "in the end: " + problem
		}
	}
	return ""
}

// ask compares what both servers answer, and returns the real one's.
func (c *contest) ask(commands ...[]string) (answers []reply.Reply, problem string) {
	got, want := c.ourConn[0].pipeline(commands...), c.theirConn[0].pipeline(commands...)
	for i, args := range commands {
		if problem == "" {
			problem, _ = c.compareReply(args, got[i], want[i])
		}
	}
	return want, problem
}

// contents are the commands that show what a key of a type holds.
var contents = map[string]func(key string) []string{
	"string": func(key string) []string { return []string{"GET", key} },
	"hash":   func(key string) []string { return []string{"HGETALL", key} },
	"list":   func(key string) []string { return []string{"LRANGE", key, "0", "-1"} },
	"set":    func(key string) []string { return []string{"SMEMBERS", key} },
	"zset":   func(key string) []string { return []string{"ZRANGE", key, "0", "-1", "WITHSCORES"} },
	"stream": func(key string) []string { return []string{"XRANGE", key, "-", "+"} },
}

// shrink leaves out what a difference does not need.
func (c *contest) shrink(steps []step) []step {
	for i := range slices.Backward(steps) {
		less := slices.Delete(slices.Clone(steps), i, i+1)
		if c.difference(less) != "" {
			steps = less
		}
	}
	return steps
}

func (c *contest) judge(t *testing.T, steps []step) {
	t.Helper()
	for i := range c.ourConn {
		c.ourConn[i].tb, c.theirConn[i].tb = t, t
	}
	if c.difference(steps) == "" {
		return
	}
	steps = c.shrink(steps)
	var said strings.Builder
	for i, s := range steps {
		fmt.Fprintf(&said, "%3d %s\n", i, s)
	}
	t.Errorf("%s%s", said.String(), c.difference(steps))
}

// TestSequencesAsServers compares all replies to generated sequences of commands,
// and the keys that they leave, with both servers.
func TestSequencesAsServers(t *testing.T) {
	for _, server := range []string{"Redis", "Valkey"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			c := newContest(t, server)
			for _, seed := range sample.Sequences.Seeds(t) {
				c.judge(t, sequence(seed, sample.CommandsInSequence))
			}
		})
	}
}

// FuzzSequences compares sequences of any seed with Redis.
func FuzzSequences(f *testing.F) {
	c := newContest(f, "Redis")
	f.Add(sample.Sequences.All, uint8(sample.CommandsInSequence))
	f.Add(sample.Sequences.All+1, uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, length uint8) { c.judge(t, sequence(seed, int(length))) })
}
