package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/node/sample"
	"lockstep/node/sql"
	"lockstep/node/zookeeper"
)

// nodeWords are requests to nodes of a kind, an argument after each |, in which K, V, F, T and P stand for one of several.
var nodeWords = map[string]string{
	"redis": `set|K|V  set|K|V|px|T  set|K|V|nx  set|K|V|keepttl  get|K  del|K  incr|K  append|K|V  pexpire|K|T  pexpire|K|T|gt  pexpire|K|T|lt  pexpire|K|T|nx  persist|K  pttl|K
		hset|K|F|V  hdel|K|F  hgetall|K  hkeys|K  hincrby|K|F|1  hsetnx|K|F|V  hmget|K|f|g  rpush|K|V  lpush|K|V  lpop|K  lrange|K|0|-1  lmove|a|b|left|right  linsert|K|before|V|9  lrem|K|1|V  ltrim|K|0|1
		lpos|K|V  lset|K|0|V  lindex|K|0  sadd|K|V  srem|K|V  smembers|K  sismember|K|V  smove|a|b|V  scard|K  zadd|K|1|V  zadd|K|2|F  zadd|K|gt|V|2|F  zincrby|K|1|F  zrange|K|0|-1|withscores  zrem|K|V
		zpopmin|K  zrangebyscore|K|-inf|+inf  zscore|K|F  zcard|K  xadd|K|V-1|f|V  xadd|K|5-*|f|V  xadd|K|maxlen|1|7-*|f|1  xdel|K|5-0  xdel|K|5-1  xlen|K  xrange|K|-|+  xtrim|K|maxlen|1  xtrim|K|maxlen|70  xtrim|K|maxlen|~|1
		rename|a|b  renamenx|a|b  blpop|a|b|2  blpop|a|0  bzpopmin|a|1  blmove|a|b|left|left|1  publish|ch|V  subscribe|ch  unsubscribe|ch  getdel|K  getset|K|V  type|K  exists|a|b  flushall  script|flush
		evalsha|e0e1f9fabfc9d4800c877a703b823ac0578ff8db|0  eval|return 1|0  setex|K|1|V  msetnx|a|1|b|2  mset|a|V|b|V  incrbyfloat|K|1.5  getrange|K|0|0  strlen|K  getex|K|px|T  getex|K|persist  expire|K|1|xx
		eval|redis.call('set', KEYS[1], ARGV[1]) return redis.call('incr', KEYS[2])|2|a|b|V  eval|math.randomseed(2) return math.random(100)|0  eval|return cjson.encode(redis.call('hgetall', KEYS[1]))|1|K  eval|for i = 1, 70 do redis.call('xadd', KEYS[1], '5-*', 'f', 1) end|1|a  crash`,
	"sql": `BEGIN  BEGIN  COMMIT  ROLLBACK  UPDATE t SET a = V, b = F WHERE id = K  UPDATE t SET a = V, b = F WHERE id = K  UPDATE t SET a = V, b = F WHERE id = K  UPDATE t SET n = n + 1 WHERE id = K
		INSERT INTO t VALUES (K, V, F, 1)  INSERT IGNORE INTO t VALUES (K, V, F, 1)  DELETE FROM t WHERE id = K  SELECT * FROM t WHERE id = K  SELECT * FROM t WHERE id = K  SELECT * FROM t WHERE id = K FOR UPDATE
		SELECT * FROM t WHERE id = K LOCK IN SHARE MODE  SELECT * FROM t WHERE id = K FOR UPDATE NOWAIT  SELECT * FROM t WHERE id = K FOR UPDATE SKIP LOCKED  SELECT * FROM t WHERE a = V
		UPDATE t SET a = V WHERE id = K AND n > 0  SET TRANSACTION ISOLATION LEVEL READ COMMITTED  SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED  SET SESSION innodb_lock_wait_timeout = 2
		SET SESSION wait_timeout = 3  SET SESSION idle_transaction_timeout = 2  SELECT GET_LOCK('x', 0)  SELECT RELEASE_LOCK('x')  SELECT COUNT(*) FROM t  disconnect`,
	"zookeeper": `create|P|V  create|P|F  create|P|1|ephemeral  create|/a/|1|sequential  create|/b/q|1|sequential|ephemeral  delete|P  delete|P|0  delete|P|1  set|P|V  set|P|V|0  set|P|V|1  get|P  get|P|watch
		exists|P  exists|P|watch  children|/a  children|/b|watch  children|/|watch  pause  resume  cut  heal  crash`,
}

// newDrawnNode makes a node of a kind, and what may stand in its requests.
func newDrawnNode(ctx context.Context, t *testing.T, kind string) (engine.Forker, map[string][]string) {
	t.Helper()
	switch kind {
	case "sql":
		n := sql.NewNode()
		for _, s := range []string{
			"CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(9), b VARCHAR(9), n INT)", "INSERT INTO t VALUES (1, 'x', 'y', 0)", "INSERT INTO t VALUES (5, NULL, '', 1)",
		} {
			if _, err := n.Exec(ctx, engine.Op{Args: []string{s}}); err != nil {
				t.Fatal(err)
			}
		}
		texts := []string{"NULL", "'NULL'", "'a b'", "'a'", "'b'", "''", "'1'"}
		return n, map[string][]string{"K": {"1", "3", "5", "7"}, "V": texts, "F": texts}
	case "zookeeper":
		return zookeeper.NewNode(3 * time.Second), map[string][]string{"P": {"/a", "/b", "/a/x", "/a/y", "/b/x"}, "V": {"1", "2"}, "F": {""}}
	}
	return redis.NewNode(), map[string][]string{"K": {"a", "b"}, "V": {"1", "2", "x"}, "F": {"f", "g", "1"}, "T": {"500", "1000", "2000"}}
}

// drawnInput is what happens to a node: a request or a fault, or, with no actor, that time passes.
type drawnInput struct {
	actor string
	words []string
	span  time.Duration
}

func (i drawnInput) String() string {
	if i.actor == "" {
		return i.span.String()
	}
	return i.actor + " " + strings.Join(i.words, "|")
}

// drawnNode is a node, what happened to it, and the time there.
type drawnNode struct {
	engine.Forker
	now     engine.Instant
	history []drawnInput
}

func (n drawnNode) copied() drawnNode {
	return drawnNode{n.Fork().(engine.Forker), n.now, slices.Clone(n.history)}
}

// take has an input happen, and tells what comes of it, and whether that depends on the date.
func (n *drawnNode) take(ctx context.Context, i drawnInput) (result string, dated bool) {
	n.history = append(n.history, i)
	process := "of " + i.actor
	var r engine.Result
	var err error
	switch {
	case i.actor == "":
		n.now += i.span
		r.Effects, err = n.AdvanceTo(ctx, n.now)
	case i.words[0] == "disconnect":
		r.Effects, err = n.Forker.(engine.Connected).Disconnect(ctx, i.actor)
	case i.words[0] == "subscribe":
		err = n.Forker.(engine.Channels).Subscribe(ctx, process, i.words[1])
	case i.words[0] == "unsubscribe":
		err = n.Forker.(engine.Channels).Unsubscribe(ctx, process, i.words[1])
	case slices.Contains(drawnFaults, engine.ChoiceKind(i.words[0])):
		r.Effects, err = n.Fault(ctx, process, engine.ChoiceKind(i.words[0]))
	default:
		r, err = n.Exec(ctx, engine.Op{From: engine.Client{Actor: i.actor, Process: process}, Args: i.words})
	}
	for e := range r.Expired {
		r.Expired[e].At -= n.now
	}
	due, waits := n.NextDue()
	if !waits {
		due = n.now
	}
	return fmt.Sprintf("%+v %v, due in %v %v", r, err, due-n.now, waits), r.Dated
}

// moment tells nodes apart as a search does.
func (n *drawnNode) moment(ctx context.Context, t *testing.T) string {
	t.Helper()
	moment, err := (&witnessedNode{Forker: n.Forker, now: n.now}).moment(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

var letter = regexp.MustCompile(`\b[KVFTP]\b`)

var drawnFaults = []engine.ChoiceKind{engine.Pause, engine.Resume, engine.Cut, engine.Heal, engine.Crash}

// Nodes that a search takes for one do the same further on, whatever happened to them. TestOneDigestOfANodeIsOneFuture
// sees that of what the programs of lessons send; this is of requests that no lesson sends yet.
func TestNodesAtOneMomentGoAlike(t *testing.T) {
	const some, histories, inputs, further = 14, 60, 9, 6
	for kind, words := range nodeWords {
		t.Run(kind, func(t *testing.T) {
			ctx, met := t.Context(), 0
			for _, seed := range sample.RequestsOfNodes.Seeds(t) {
				all := strings.Split(strings.ReplaceAll(words, "\n\t\t", "  "), "  ")
				r := rand.New(rand.NewPCG(seed, 5))
				pick := func(of []string) string { return of[r.IntN(len(of))] }
				r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] }) // a few go together deeper
				begun, letters := newDrawnNode(ctx, t, kind)
				draw := func() drawnInput {
					if r.IntN(6) == 0 {
						return drawnInput{span: time.Duration(1+r.IntN(4)) * 500 * time.Millisecond}
					}
					text := letter.ReplaceAllStringFunc(pick(all[:some]), func(l string) string { return pick(letters[l]) })
					return drawnInput{actor: pick([]string{"A", "B", "C"}), words: strings.Split(text, "|")}
				}
				first, shortest := map[string]drawnNode{}, ""
				for range histories {
					n := drawnNode{Forker: begun}.copied()
					for range inputs {
						if _, dated := n.take(ctx, draw()); dated {
							break
						}
						moment := n.moment(ctx, t)
						other, known := first[moment]
						if !known {
							first[moment] = n.copied()
						}
						if !known || fmt.Sprint(other.history) == fmt.Sprint(n.history) {
							continue
						}
						met++
						for range 2 {
							if how := part(ctx, t, other.copied(), n.copied(), further, draw); how != "" && (shortest == "" || len(how) < len(shortest)) {
								shortest = how
							}
						}
					}
				}
				if shortest != "" {
					t.Errorf("seed %d: two histories lead to one moment, and then differ:\n%s", seed, shortest)
				}
			}
			t.Logf("%d pairs at one moment", met)
			if met == 0 {
				t.Error("no two histories led to one moment, so nothing was compared")
			}
		})
	}
}

// part has the same inputs happen to two nodes, and tells how they part, if they do.
func part(ctx context.Context, t *testing.T, a, b drawnNode, inputs int, draw func() drawnInput) string {
	t.Helper()
	before := fmt.Sprintf("%v\n%v", a.history, b.history)
	var then []drawnInput
	for range inputs {
		i := draw()
		then = append(then, i)
		one, dated := a.take(ctx, i)
		two, _ := b.take(ctx, i)
		if dated {
			return ""
		}
		if one != two {
			return fmt.Sprintf("%s\nthen %v:\n%s\n%s", before, then, one, two)
		}
	}
	if one, two := a.moment(ctx, t), b.moment(ctx, t); one != two {
		return fmt.Sprintf("%s\nthen %v, with moments that differ:\n%s\n%s", before, then, one, two)
	}
	return ""
}
