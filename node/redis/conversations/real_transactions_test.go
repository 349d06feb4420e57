package conversations_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/proto"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/conversations"
)

// TestAsARealTransaction compares what EXEC answers: of a primary, of one that hears too few replicas, and of a replica.
func TestAsARealTransaction(t *testing.T) {
	get := commandOp("GET k")
	for name, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		t.Run(name, func(t *testing.T) {
			primary, replica := listen(t, binary, "--repl-diskless-sync-delay", "0"), listen(t, binary)
			for _, op := range held() {
				primary.ask(t.Context(), op)
			}
			replica.ask(t.Context(), loadsFlagged)
			replica.must(t, "REPLICAOF 127.0.0.1 "+primary.port)
			primary.until(t, "INFO replication", "state=online")
			primary.must(t, "WAIT 1 10000")
			same := func(s listening, node string, toWrite int, op engine.Op) {
				want, err := realTransaction(s.port, get, op, get)
				if err != nil {
					t.Fatal(err)
				}
				got, err := transaction(t.Context(), node, toWrite, get, op, get)
				if err != nil || !alike(name, op, want, got) {
					t.Errorf("%q %v on %s, which needs %d replicas: a server answers\n%s\nand the embedded node\n%s, %v", source(op), op.Args, node, toWrite, want, got, err)
				}
			}
			for _, words := range []string{"GET", "NOSUCH k", "SCRIPT NOSUCH", "INCR k", "EVALSHA " + strings.Repeat("0", 40) + " 0"} {
				same(primary, "m", 0, commandOp(words))
			}
			same(primary, "m", 0, scriptOp("#!lua flags=nosuch\nreturn 1", ""))
			primary.must(t, "CONFIG SET min-replicas-to-write 2")
			for _, op := range readsAndWrites() {
				if op.Script == nil && (op.Args[0] == "WAIT" || strings.HasPrefix(op.Args[0], "BL")) {
					continue // programs cannot queue what waits
				}
				same(primary, "m", 2, op)
				same(replica, "r", 0, op)
			}
		})
	}
}

// realTransaction is the answer to EXEC. go-redis does not read on behind an error within it.
func realTransaction(port string, ops ...engine.Op) (string, error) {
	c, err := proto.Dial("127.0.0.1:" + port)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	if _, err := c.Do("MULTI"); err != nil {
		return "", err
	}
	for _, op := range ops {
		if _, err := c.Do(sent(op)...); err != nil {
			return "", err
		}
	}
	raw, err := c.Do("EXEC")
	if err != nil {
		return "", err
	}
	got, err := proto.Parse(raw)
	return unquoted(replyFrom(got)), err
}

// transaction is what the engine answers to EXEC on m, or on its only replica, r.
func transaction(ctx context.Context, node string, toWrite int, ops ...engine.Op) (string, error) {
	w, err := engine.NewWorld(ctx, engine.Scenario{
		Resolution: time.Millisecond,
		Nodes: []engine.NodeSpec{
			{Name: "m", Node: redis.NewNode(), Min: engine.MinReplicas{ToWrite: toWrite}, Given: held()},
			{Name: "r", Node: redis.NewNode(), ReplicaOf: "m", Given: held()},
		},
		Actors: []engine.ActorSpec{{Name: "A", Process: "p", New: func() engine.Actor {
			return &once{engine.Exec{Node: node, Op: engine.Op{Args: []string{"EXEC"}}, Transaction: &engine.Transaction{Commit: true, Ops: ops}}}
		}}},
	})
	if err != nil {
		return "", err
	}
	step, err := w.Apply(ctx, engine.Choice{Kind: engine.Run, Target: "A"})
	if err != nil {
		return "", err
	}
	return unquoted(*step.Reply), nil
}

// unquoted is a reply as both clients tell it: statuses are texts, and texts are numbers.
func unquoted(r reply.Reply) string { return strings.ReplaceAll(fmt.Sprint(r), `"`, "") }
