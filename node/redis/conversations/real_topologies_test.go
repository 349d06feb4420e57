package conversations_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/cluster"
	"lockstep/node/redis/conversations"
)

// These tests compare the embedded nodes with what really are a replica and a cluster.

// listening is a real server on a port of its own, where other servers find it.
type listening struct {
	*goredis.Client
	port string
}

func listen(t *testing.T, binary string, args ...string) listening {
	t.Helper()
	port := freePort(t)
	opts, err := goredis.ParseURL(conversations.StartServer(t, binary, append([]string{"--port", port, "--bind", "127.0.0.1"}, args...)...))
	if err != nil {
		t.Fatal(err)
	}
	opts.Protocol, opts.MaxRetries = 2, -1
	s := listening{goredis.NewClient(opts), port}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// must is the reply to a command that cannot fail.
func (s listening) must(t *testing.T, words string) string {
	t.Helper()
	r := s.ask(t.Context(), engine.Op{Args: strings.Fields(words)})
	if r.IsError() {
		t.Fatalf("%s: %s", words, r)
	}
	return r.Str
}

// until asks until the answer is there. In between the server waits for a replica that it has not.
func (s listening) until(t *testing.T, words, answer string) {
	t.Helper()
	for !strings.Contains(s.must(t, words), answer) {
		s.must(t, "WAIT 9 20")
	}
}

// ask is the raw reply to an op.
func (s listening) ask(ctx context.Context, op engine.Op) reply.Reply {
	words := sent(op)
	args := make([]any, len(words))
	for i, w := range words {
		args[i] = w
	}
	pipe := s.Pipeline() // on one connection
	if op.Asking {
		pipe.Do(ctx, "ASKING")
	}
	answer := pipe.Do(ctx, args...)
	_, _ = pipe.Exec(ctx) // each answer has its error
	got, err := answer.Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return reply.OfError(err.Error())
	}
	return replyFrom(got)
}

// sent is an op as a client sends it.
func sent(op engine.Op) []string {
	if op.Script == nil {
		return op.Args
	}
	return append(append([]string{"EVAL", op.Script.Source, fmt.Sprint(len(op.Keys))}, op.Keys...), op.Args...)
}

func replyFrom(v any) reply.Reply {
	switch v := v.(type) {
	case string:
		return reply.OfBulk(v)
	case int64:
		return reply.OfInt(v)
	case int:
		return reply.OfInt(int64(v))
	case error:
		return reply.OfError(v.Error())
	case []any:
		elems := make([]reply.Reply, len(v))
		for i, e := range v {
			elems[i] = replyFrom(e)
		}
		return reply.OfArray(elems...)
	}
	return reply.Reply{}
}

// shown is a reply as both clients tell it: statuses are texts.
func shown(r reply.Reply) string { return strings.Trim(r.String(), `"`) }

func scriptOp(source string, words string) engine.Op {
	keys, args, _ := strings.Cut(words, ",")
	return engine.Op{Script: &engine.Script{Name: "s", Source: source}, Keys: strings.Fields(keys), Args: strings.Fields(args)}
}

func commandOp(words string) engine.Op { return engine.Op{Args: strings.Fields(words)} }

// flagged is a script that says of itself that it may write.
const (
	flagged    = "#!lua\nreturn redis.call('get', KEYS[1])"
	flaggedSHA = "c6f6d07ae057879e18c39f3c2bffc90c0327aedf"
)

// loadsFlagged has a server keep it: a replica is not sent scripts.
var loadsFlagged = engine.Op{Args: []string{"SCRIPT", "LOAD", flagged}}

// held is how a server comes to what it holds before it is asked.
func held() []engine.Op {
	ops := []engine.Op{loadsFlagged}
	for _, words := range []string{"SET k v", "SET n 1", "RPUSH q a b", "HSET h f v"} {
		ops = append(ops, commandOp(words))
	}
	return ops
}

// readsAndWrites is what clients may send to a server that takes no writes.
func readsAndWrites() []engine.Op {
	ops := []engine.Op{
		scriptOp("return redis.call('get', KEYS[1])", "k"),
		scriptOp("return redis.call('set', KEYS[1], 'w')", "k"),
		scriptOp("return redis.pcall('set', KEYS[1], 'w')", "k"),
		scriptOp("local r = redis.pcall('set', KEYS[1], 'w') return type(r)", "k"),
		scriptOp("redis.call('get', KEYS[1])\nredis.call('pexpire', KEYS[1], 100)", "k"),
		scriptOp("return redis.call('nosuch')", ""),
		scriptOp("error('broken')", ""),
		scriptOp("return redis.call('lpop', KEYS[1], 'x')", "q"),
		scriptOp("return redis.call('hincrby', KEYS[1], 'f', 1)", "k"),
		scriptOp(flagged, "k"),
		{Args: []string{"EVALSHA", flaggedSHA, "1", "k"}},
		{Args: []string{"EVAL_RO", flagged, "1", "k"}},
		scriptOp("#!lua flags=no-writes\nreturn redis.call('get', KEYS[1])", "k"),
		scriptOp("#!lua flags=no-writes\nreturn redis.call('set', KEYS[1], 'w')", "k"),
		{Args: []string{"EVAL", "return redis.call('del', KEYS[1])", "1", "k"}},
		{Args: []string{"EVAL_RO", "return redis.call('get', KEYS[1])", "1", "k"}},
		{Args: []string{"EVAL_RO", "return redis.call('del', KEYS[1])", "1", "k"}},
		{Args: []string{"EVALSHA", strings.Repeat("0", 40), "0"}},
	}
	for words := range strings.SplitSeq("GET k|SET k w|SET k|set k w px 10|GET|NOSUCH k|DEL k|DEL none|PEXPIRE k 10|PTTL k|INCR n|LRANGE q 0 -1|LPOP q|LPOP none|BLPOP q 0|BLPOP none 0|BLPOP q|"+
		"RPUSH k a|HGETALL h|HINCRBY h f 1|GETEX k|GETDEL k|PUBLISH ch m|TYPE k|EXISTS k|BLMOVE q r LEFT LEFT 0|XADD x * f v|XADD x 1-1 f v|WAIT 1 10", "|") {
		ops = append(ops, commandOp(words))
	}
	return ops
}

// TestAsARealReplica compares what a replica answers.
func TestAsARealReplica(t *testing.T) {
	for name, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		t.Run(name, func(t *testing.T) {
			primary, replica := listen(t, binary, "--repl-diskless-sync-delay", "0"), listen(t, binary)
			node := redis.NewNode()
			for _, op := range held() {
				primary.ask(t.Context(), op)
				if _, err := node.Exec(t.Context(), op); err != nil {
					t.Fatal(err)
				}
			}
			replica.must(t, "REPLICAOF 127.0.0.1 "+primary.port)
			primary.until(t, "INFO replication", "state=online")
			primary.must(t, "WAIT 1 10000")
			replica.ask(t.Context(), loadsFlagged)
			ops := readsAndWrites()
			differs := map[string]bool{ // as the comment of package real tells
				"return redis.call('publish', KEYS[1], 'm')":  true,
				"return redis.pcall('set', KEYS[1], 'w').err": true,
			}
			for source := range differs {
				ops = append(ops, scriptOp(source, "k"))
			}
			for _, op := range ops {
				op.ReadOnly = true
				want := replica.ask(t.Context(), op)
				got, err := answerAsReplica(t.Context(), node, op)
				if err != nil || alike(name, op, shown(want), shown(got)) == differs[source(op)] {
					t.Errorf("%q %v: a replica answers\n%s\nand the embedded node\n%s, %v", source(op), op.Args, shown(want), shown(got), err)
				}
			}
		})
	}
}

// TestAsARealPrimaryThatHearsTooFew compares what a primary with min-replicas-to-write answers that hears no replica.
func TestAsARealPrimaryThatHearsTooFew(t *testing.T) {
	for name, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		t.Run(name, func(t *testing.T) {
			primary, node := listen(t, binary), redis.NewNode()
			for _, op := range held() {
				primary.ask(t.Context(), op)
				if _, err := node.Exec(t.Context(), op); err != nil {
					t.Fatal(err)
				}
			}
			primary.must(t, "CONFIG SET min-replicas-to-write 1")
			for _, op := range readsAndWrites() {
				if op.Script == nil && op.Args[0] == "WAIT" {
					continue // the engine answers it
				}
				want := primary.ask(t.Context(), op)
				op.ReadOnly, op.TooFew = true, true
				res, err := node.Exec(t.Context(), op)
				if err != nil || !alike(name, op, shown(want), shown(res.Reply)) {
					t.Errorf("%q %v: it answers\n%s\nand the embedded node\n%s, %v", source(op), op.Args, shown(want), shown(res.Reply), err)
				}
			}
		})
	}
}

// TestARealPrimaryMissesASilentReplica has a replica fall silent: its primary takes writes at first, then it does not.
func TestARealPrimaryMissesASilentReplica(t *testing.T) {
	for name, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		t.Run(name, func(t *testing.T) {
			primary := listen(t, binary, "--repl-diskless-sync-delay", "0", "--min-replicas-to-write", "1", "--min-replicas-max-lag", "2")
			replica := listen(t, binary, "--enable-debug-command", "yes")
			set := engine.Op{Args: []string{"SET", "k", "v"}}
			if r := primary.ask(t.Context(), set); !strings.HasPrefix(r.Str, "NOREPLICAS ") {
				t.Errorf("without a replica it answers %s", r)
			}
			replica.must(t, "REPLICAOF 127.0.0.1 "+primary.port)
			primary.until(t, "INFO replication", "state=online")
			primary.until(t, "INFO replication", "min_slaves_good_slaves:1")
			asleep := make(chan reply.Reply)
			go func() { asleep <- replica.ask(t.Context(), engine.Op{Args: []string{"DEBUG", "SLEEP", "30"}}) }()
			if r := primary.ask(t.Context(), set); r.IsError() {
				t.Errorf("when it has just heard of a replica it answers %s", r)
			}
			for began := time.Now(); ; {
				r := primary.ask(t.Context(), set)
				if strings.HasPrefix(r.Str, "NOREPLICAS ") {
					if after := time.Since(began); after < 500*time.Millisecond {
						t.Errorf("it misses the replica after %s", after)
					}
					break
				}
				if time.Since(began) > 20*time.Second {
					t.Fatalf("after 20 s it still answers %s", r)
				}
				primary.must(t, "WAIT 9 20")
			}
		})
	}
}

// TestAsARealPrimaryThatFollows compares what those are told who wait in a primary that becomes a replica.
func TestAsARealPrimaryThatFollows(t *testing.T) {
	for name, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		t.Run(name, func(t *testing.T) {
			primary := listen(t, binary)
			blocks := engine.Op{Args: []string{"BLPOP", "q", "0"}}
			told := make(chan reply.Reply)
			go func() { told <- primary.ask(t.Context(), blocks) }()
			primary.until(t, "INFO clients", "blocked_clients:1")
			primary.must(t, "REPLICAOF 127.0.0.1 1")
			want := <-told
			node := redis.NewNode()
			if _, err := node.Exec(t.Context(), blocks); err != nil {
				t.Fatal(err)
			}
			effects, err := node.Follow(t.Context())
			if err != nil || len(effects.Answered) != 1 || shown(effects.Answered[0].Reply) != shown(want) {
				t.Errorf("it is told %s, and in the embedded node %v, %v", shown(want), effects.Answered, err)
			}
		})
	}
}

// alike compares what a real server and the embedded node answer, as Redis or Valkey do.
func alike(server string, op engine.Op, want, got string) bool {
	if server == "Valkey" && len(op.Args) > 0 && op.Args[0] == "WAIT" { // it leaves its ancestor unmentioned
		want = strings.Replace(want, "note that if", "note that since Redis 4.0 if", 1)
	}
	if _, where, names := strings.Cut(want, " in script attempted to access keys that don't hash to the same slot"); server == "Valkey" && names {
		want = "(error) ERR Script attempted to access a non local key in a cluster node" + where // as Redis 7.0 says of these, too
	}
	return got == want || excuse(strings.ToLower(server))(source(op)+strings.Join(op.Args, " "), got, want)
}

// answerAsReplica asks a node that follows another; WAIT is the engine's to answer.
func answerAsReplica(ctx context.Context, n engine.Node, op engine.Op) (reply.Reply, error) {
	if op.Script != nil || op.Args[0] != "WAIT" {
		res, err := n.Exec(ctx, op)
		return res.Reply, err
	}
	w, err := replicated(ctx, n)
	if err != nil {
		return reply.Reply{}, err
	}
	step, err := w.Apply(ctx, engine.Choice{Kind: engine.Run, Target: "A"})
	return *step.Reply, err
}

func replicated(ctx context.Context, n engine.Node) (*engine.World, error) {
	return engine.NewWorld(ctx, engine.Scenario{
		Resolution: time.Millisecond,
		Nodes:      []engine.NodeSpec{{Name: "m", Node: redis.NewNode()}, {Name: "r", Node: n, ReplicaOf: "m"}},
		Actors:     []engine.ActorSpec{{Name: "A", Process: "p", New: asks(engine.AwaitReplicas{Node: "r", Replicas: 1, Timeout: time.Second})}},
	})
}

func source(op engine.Op) string {
	if op.Script == nil {
		return ""
	}
	return op.Script.Source
}

// TestAsARealCluster compares what a member of a cluster answers, and the slots of keys.
func TestAsARealCluster(t *testing.T) {
	for name, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		t.Run(name, func(t *testing.T) {
			member := func(bus string) listening {
				return listen(t, binary, "--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-require-full-coverage", "no")
			}
			one := member(freePort(t))
			one.must(t, "CLUSTER ADDSLOTSRANGE 0 8000")
			bus := freePort(t)
			two := member(bus)
			two.must(t, "CLUSTER ADDSLOTSRANGE 8001 12500")
			one.must(t, "CLUSTER MEET 127.0.0.1 "+two.port+" "+bus)
			one.until(t, "CLUSTER NODES", " 8001-12500")
			one.until(t, "CLUSTER INFO", "cluster_state:ok")
			layout := cluster.Member{
				Name: "n1", Ranges: []cluster.Range{{Node: "n1", Last: 8000}, {Node: "n2", First: 8001, Last: 12500}},
				Moving: []cluster.Move{{Slot: cluster.Slot("stock"), From: "n1", To: "n2"}, {Slot: cluster.Slot("lock"), From: "n2", To: "n1"}},
			}
			one.must(t, "SET {stock}stays here")
			one.must(t, fmt.Sprintf("CLUSTER SETSLOT %d MIGRATING %s", cluster.Slot("stock"), two.must(t, "CLUSTER MYID")))
			one.must(t, fmt.Sprintf("CLUSTER SETSLOT %d IMPORTING %s", cluster.Slot("lock"), two.must(t, "CLUSTER MYID")))
			node := redis.NewNode()
			if _, err := node.Exec(t.Context(), commandOp("SET {stock}stays here")); err != nil {
				t.Fatal(err)
			}
			node.Join(layout)
			ops := []engine.Op{
				scriptOp("return redis.call('set', KEYS[1], 'w')", "bar"),
				scriptOp("return redis.call('set', KEYS[1], 'w')", "foo"),
				scriptOp("return 1", "bar foo"),
				scriptOp("return 1", "foo 123456789"),
				scriptOp("return 1", ""),
				{Args: []string{"EVAL", "return 1", "1", "foo"}},
				{Args: []string{"EVALSHA", strings.Repeat("0", 40), "1", "foo"}},
				{Args: []string{"EVALSHA", strings.Repeat("0", 40), "1", "bar"}},
			}
			for words := range strings.SplitSeq("GET bar|GET foo|GET 123456789|SET foo|GET|NOSUCH foo|MSET foo 1 bar 2|MSET {bar}1 a {bar}2 b|MGET {bar}1 {bar}2|MGET {bar}1 foo|DEL foo bar|DEL foo {foo}1|"+
				"EXISTS bar foo|PING|PUBLISH foo m|BLPOP foo 0|BLPOP foo bar 0|BLPOP {bar}none bar x|RENAME bar foo|RENAME foo {foo}1|XREAD STREAMS bar foo 0 0|"+
				"LMPOP 2 bar foo LEFT|BZMPOP 0 2 foo bar MIN|LMOVE bar foo LEFT LEFT|SCRIPT EXISTS a|HSET foo a|HSET {bar}h a b|XADD foo * a b|EVAL_RO x 1", "|") {
				ops = append(ops, commandOp(words))
			}
			for words := range strings.SplitSeq("GET {stock}stays|GET stock|SET stock here NX|MGET stock {stock}stays|MSET stock a {stock}new b|MGET {stock}a {stock}b|DEL stock {stock}stays|GET lock|MGET lock {lock}b|MSET lock a {lock}b c|PING|GET foo|GET bar", "|") {
				asking := commandOp(words)
				asking.Asking = true
				ops = append(ops, commandOp(words), asking)
			}
			asking := scriptOp("redis.call('set', KEYS[1], 1) redis.call('del', KEYS[1]) return redis.call('get', KEYS[1])", "lock")
			asking.Asking = true
			ops = append(
				ops, asking,
				scriptOp("return redis.call('get', ARGV[1])", "bar , foo"),
				scriptOp("return redis.pcall('set', ARGV[1], 1)", "bar , foo"),
				scriptOp("return redis.call('mget', KEYS[1], ARGV[1])", "bar , {bar}x"),
				scriptOp("return redis.call('mget', KEYS[1], ARGV[1])", "bar , b"),
				scriptOp("return redis.call('get', ARGV[1])", "bar , b"),
				scriptOp("return redis.call('del', ARGV[1], KEYS[1])", "bar , foo"),
				scriptOp("redis.call('publish', ARGV[1], 'm') return redis.call('exists', ARGV[1])", ", foo"),
				scriptOp("redis.call('set', KEYS[1], 1) return redis.call('get', ARGV[1])", "{stock}stays , stock"),
				scriptOp("redis.call('del', KEYS[1]) return redis.call('exists', KEYS[1])", "{stock}stays"),
				scriptOp("#!lua flags=no-cluster\nreturn 1", ""),
				scriptOp("#!lua\nreturn redis.call('get', ARGV[1])", "bar , b"),
				scriptOp("#!lua\nredis.call('get', ARGV[1]) return redis.call('get', ARGV[2])", ", bar {bar}x"),
				scriptOp("#!lua\nredis.call('get', ARGV[1]) return redis.call('get', ARGV[2])", ", bar b"),
				scriptOp("#!lua flags=allow-cross-slot-keys\nredis.call('get', ARGV[1]) return redis.call('get', ARGV[2])", ", bar b"),
			)
			for _, op := range ops {
				want := strings.ReplaceAll(shown(one.ask(t.Context(), op)), "127.0.0.1:"+two.port, "n2")
				op.From.Actor = "A"
				got, err := node.Exec(t.Context(), op)
				if err != nil || !alike(name, op, want, shown(got.Reply)) {
					t.Errorf("%q %v: a member answers\n%s\nand the embedded node\n%s, %v", source(op), op.Args, want, shown(got.Reply), err)
				}
			}
			for line := range strings.SplitSeq("GET bar|GET foo|SET foo 1;GET bar|MGET bar foo|PING|SET bar 1;GET {bar}1|SET bar 1;GET b|PING;GET b", "|") {
				var ops []engine.Op
				for words := range strings.SplitSeq(line, ";") {
					op := commandOp(words)
					op.From.Actor = "A"
					ops = append(ops, op)
				}
				want, err := realTransaction(one.port, ops...)
				got, aborts, _ := node.Abort(t.Context(), ops)
				if err != nil || aborts != strings.HasPrefix(want, "(error) ") || aborts && want != got.String() {
					t.Errorf("%s in a transaction: a member answers %s, %v, and the embedded node %v, %s", line, want, err, aborts, got)
				}
			}
			compareSlots(t, one)
		})
	}
}

// compareSlots asks a real server for the slots of keys that are drawn, with and without braces.
func compareSlots(t *testing.T, s listening) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	keys := make([]string, 5000)
	slots := make([]*goredis.IntCmd, len(keys))
	p := s.Pipeline()
	for i := range keys {
		key := make([]byte, r.IntN(12))
		for at := range key {
			key[at] = "{{}}ab\x00\xff"[r.IntN(8)]
		}
		keys[i] = string(key)
		slots[i] = p.ClusterKeySlot(t.Context(), keys[i])
	}
	if _, err := p.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		if got, want := int64(cluster.Slot(key)), slots[i].Val(); got != want {
			t.Errorf("%q has slot %d, want %d", key, got, want)
		}
	}
}
