package redis

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
)

func runScript(t *testing.T, n engine.Node, source string, keys, args []string) engine.Result {
	t.Helper()
	r, err := n.Exec(context.Background(), engine.Op{Script: &engine.Script{Name: "s", Source: source}, Keys: keys, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The reentrant lock counts up and down, keeps others out and expires.
func TestReentrantLockOnTheNode(t *testing.T) {
	n, ctx := NewNode(), context.Background()
	key, a, b := []string{"anyLock"}, []string{"A", "30"}, []string{"B", "30"}
	for _, step := range []struct {
		source string
		args   []string
		want   string
	}{
		{lockSource, a, "1"},
		{lockSource, a, "1"},
		{lockSource, b, "0"},
		{unlockSource, b, "nil"},
		{unlockSource, a, "nil"},
		{lockSource, b, "0"},
	} {
		if got := runScript(t, n, step.source, key, step.args).Reply.String(); got != step.want {
			t.Fatalf("%s by %s answers %s, not %s", step.source, step.args[0], got, step.want)
		}
	}
	view, err := n.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := engine.NodeView{Keys: []engine.Key{{
		Name: "anyLock", Type: engine.HashKey, Items: []engine.Item{{Name: "A", Value: "1"}}, Deadline: 30 * time.Second,
	}}}
	if diff := cmp.Diff(want, view); diff != "" {
		t.Errorf("the view differs (-want +got):\n%s", diff)
	}
	if at, ok := n.NextDue(); !ok || at != 30*time.Second {
		t.Errorf("the next expiry is %v, %v", at, ok)
	}
	effects, err := n.AdvanceTo(ctx, 30*time.Second)
	if err != nil || len(effects.Expired) != 1 || effects.Expired[0] != (engine.Expiry{Key: "anyLock", At: 30 * time.Second}) {
		t.Errorf("expired: %v, %v", effects, err)
	}
	if got := runScript(t, n, lockSource, key, b).Reply.String(); got != "1" {
		t.Errorf("after the expiry B gets %s", got)
	}
}

func TestViewShowsEveryType(t *testing.T) {
	n := NewNode()
	runScript(t, n, `
		redis.call('set', 'e', 'text') redis.call('rpush', 'd', 'y', 'x') redis.call('sadd', 'c', 'q', 'p')
		redis.call('zadd', 'b', 2, 'm', 1.5, 'n') redis.call('hset', 'a', 'g', '2', 'f', '1')`, nil, nil)
	view, err := n.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []engine.Key{
		{Name: "a", Type: engine.HashKey, Items: []engine.Item{{Name: "f", Value: "1"}, {Name: "g", Value: "2"}}},
		{Name: "b", Type: engine.ZSetKey, Items: []engine.Item{{Name: "n", Value: "1.5"}, {Name: "m", Value: "2"}}},
		{Name: "c", Type: engine.SetKey, Items: []engine.Item{{Name: "p"}, {Name: "q"}}},
		{Name: "d", Type: engine.ListKey, Items: []engine.Item{{Value: "y"}, {Value: "x"}}},
		{Name: "e", Type: engine.StringKey, Text: "text"},
	}
	for i := range want {
		want[i].Deadline = engine.NoDeadline
	}
	if diff := cmp.Diff(want, view.Keys); diff != "" {
		t.Errorf("the view differs (-want +got):\n%s", diff)
	}
}

func TestPublishReachesSubscribers(t *testing.T) {
	n, ctx := NewNode(), context.Background()
	for _, process := range []string{"jvm-2", "jvm-1"} {
		if err := n.Subscribe(ctx, process, "c"); err != nil {
			t.Fatal(err)
		}
	}
	r := runScript(t, n, "redis.call('publish', 'c', 'x') return redis.call('publish', 'c', 'y')", nil, nil)
	want := []engine.Delivery{
		{Process: "jvm-1", Channel: "c", Payload: "x"},
		{Process: "jvm-1", Channel: "c", Payload: "y"},
		{Process: "jvm-2", Channel: "c", Payload: "x"},
		{Process: "jvm-2", Channel: "c", Payload: "y"},
	}
	if diff := cmp.Diff(want, r.Delivered); diff != "" || r.Reply.Int != 2 {
		t.Errorf("%v heard it; delivered (-want +got):\n%s", r.Reply, diff)
	}
	_, err := n.Fault(ctx, "jvm-2", engine.Crash)
	if err := errors.Join(err, n.Unsubscribe(ctx, "jvm-1", "c")); err != nil {
		t.Fatal(err)
	}
	if r := runScript(t, n, "return redis.call('publish', 'c', 'z')", nil, nil); r.Reply.Int != 0 || r.Delivered != nil {
		t.Errorf("nobody listens, but %v heard it: %v", r.Reply, r.Delivered)
	}
}

// What EVALSHA finds and what math.random gives belong to a node: its forks have
// them, and go on by themselves.
func TestForkAndDigest(t *testing.T) {
	n := NewNode()
	empty := n.Digest()
	const script = "redis.call('incr', 'n') return math.random(1000000)"
	execute(t, n, "EVAL", script, "0")
	fork, ok := n.Fork().(*Node)
	if !ok || fork.Digest() != n.Digest() || fork.Digest() == empty {
		t.Fatalf("digests: fork %x, node %x, empty %x", fork.Digest(), n.Digest(), empty)
	}
	sha := sha1Of(script)
	a, b := execute(t, n, "EVALSHA", sha, "0"), execute(t, fork, "EVALSHA", sha, "0")
	if !a.Equal(b) || fork.Digest() != n.Digest() {
		t.Errorf("the same step gives %v and %v, digests %x and %x", a, b, n.Digest(), fork.Digest())
	}
	before := n.Digest()
	execute(t, fork, "SCRIPT", "FLUSH")
	if n.Digest() != before || fork.Digest() == before {
		t.Error("a flush in the fork must show there and not in the node")
	}
	execute(t, fork, "EVAL", script, "0")
	execute(t, fork, "EVAL", "math.random()", "0")
	if fork.Digest() == n.Digest() {
		t.Error("the state of math.random must show in the digest")
	}
	if err := n.Reset(context.Background()); err != nil || n.Digest() != empty {
		t.Errorf("after a reset: %v, digest %x, not %x", err, n.Digest(), empty)
	}
	if got := execute(t, n, "EVALSHA", sha, "0"); !got.Equal(noScript) {
		t.Errorf("after a reset EVALSHA answers %v", got)
	}
}
