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

// TestARefusedCommandCountsBeforeAChangedKey: EXEC answers EXECABORT, not nil, when a command was refused and a watched
// key has changed.
func TestARefusedCommandCountsBeforeAChangedKey(t *testing.T) {
	exec := engine.Exec{Node: "m", Op: commandOp("EXEC"), Transaction: &engine.Transaction{Commit: true, Ops: []engine.Op{commandOp("NOSUCH k")}}}
	w, err := engine.NewWorld(t.Context(), engine.Scenario{
		Resolution: time.Millisecond, Nodes: []engine.NodeSpec{{Name: "m", Node: redis.NewNode()}},
		Actors: []engine.ActorSpec{
			{Name: "A", Process: "p", New: asks(engine.Exec{Node: "m", Op: commandOp("WATCH k"), Transaction: &engine.Transaction{Watch: []string{"k"}}}, exec)},
			{Name: "B", Process: "q", New: asks(engine.Exec{Node: "m", Op: commandOp("SET k w")})},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var last engine.Step
	for _, actor := range []string{"A", "B", "A"} {
		if last, err = w.Apply(t.Context(), engine.Choice{Kind: engine.Run, Target: actor}); err != nil {
			t.Fatal(err)
		}
	}
	for name, binary := range map[string]string{"Redis": conversations.RedisServer(t), "Valkey": conversations.ValkeyServer(t)} {
		s := listen(t, binary)
		c, err := proto.Dial("127.0.0.1:" + s.port)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"WATCH k", "MULTI", "NOSUCH k"} {
			if _, err := c.Do(strings.Fields(words)...); err != nil {
				t.Fatal(err)
			}
			s.must(t, "SET k w")
		}
		raw, err := c.Do("EXEC")
		if want := "-" + last.Reply.Str + "\r\n"; err != nil || raw != want {
			t.Errorf("%s answers %q, %v, and the engine %q", name, raw, err, want)
		}
		_ = c.Close()
	}
}

// asks makes an actor of some requests.
func asks(requests ...engine.Request) func() engine.Actor {
	return func() engine.Actor { return &asking{requests} }
}

type asking struct{ left []engine.Request }

// Next implements engine.Actor.
func (a *asking) Next(engine.Outcome) engine.Request {
	if len(a.left) == 0 {
		return engine.Done{}
	}
	next := a.left[0]
	a.left = a.left[1:]
	return next
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
		Actors: []engine.ActorSpec{{
			Name: "A", Process: "p", New: asks(engine.Exec{Node: node, Op: commandOp("EXEC"), Transaction: &engine.Transaction{Commit: true, Ops: ops}}),
		}},
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
