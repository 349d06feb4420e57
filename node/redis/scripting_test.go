package redis

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/cluster"
	"lockstep/node/redis/keyspace"
)

// A node may run scripts for longer, and its forks and resets with it.
func TestSetBudget(t *testing.T) {
	const script = "for i = 1, tonumber(ARGV[1]) do end return 'done'"
	n := NewNode()
	if r := execute(t, n, "EVAL", script, "0", "2000000"); !strings.Contains(r.Str, "budget of 1000000 instructions") {
		t.Errorf("a long script answers %v", r)
	}
	n.SetBudget(10_000_000, nil)
	if err := n.Reset(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, node := range []engine.Node{n, n.Fork()} {
		r, err := node.Exec(context.Background(), engine.Op{Args: []string{"EVAL", script, "0", "2000000"}})
		if err != nil || r.Reply.Str != "done" {
			t.Errorf("with a larger budget it answers %v, %v", r.Reply, err)
		}
	}
	if r := execute(t, NewNode(), "EVAL", script, "0", "2000000"); !strings.Contains(r.Str, "budget of 1000000 instructions") {
		t.Errorf("on another node it answers %v", r)
	}
}

// A guard ends a script whatever the script does about it.
func TestGuard(t *testing.T) {
	n, asked := NewNode(), 0
	n.SetBudget(10_000_000, func() error {
		if asked++; asked == 3 {
			return errors.New("that is enough")
		}
		return nil
	})
	for _, script := range []string{
		"while true do end",
		"while true do pcall(function() while true do end end) end",
		"local s = ('x'):rep(1e6) while true do s:upper() end",
	} {
		asked = 0
		if r := execute(t, n, "EVAL", script, "0"); !strings.Contains(r.Str, "that is enough") || asked != 3 {
			t.Errorf("%s\n is asked about %d times and answers %v", script, asked, r)
		}
	}
	asked = 3
	if r := execute(t, n, "EVAL", "while true do end", "0"); !strings.Contains(r.Str, "budget of 10000000 instructions") {
		t.Errorf("a guard that allows all: %v", r)
	}
}

// A script whose first line does not allow it is refused when the memory is full.
func TestMemoryInScripts(t *testing.T) {
	n := NewNode()
	const set = "redis.call('set', 'k', 'v') return 'done'"
	n.keys.SetLimit(1)
	execute(t, n, "EVAL", "#!lua flags=allow-oom\nredis.call('set', 'full', 'v')", "0")
	for _, c := range []struct{ script, want string }{
		{set, "OOM command not allowed when used memory > 'maxmemory'. script: " + sha1Of(set) + ", on @user_script:1."},
		{"#!lua\n" + set, "OOM command not allowed when used memory > 'maxmemory'."},
		{"#!lua flags=allow-oom\n" + set, "done"},
		{"#!lua flags=no-writes\nreturn redis.call('get', 'full')", "v"},
		{"redis.call('del', 'full') redis.call('set', 'full', 'again') return 'done'", "done"},
	} {
		if r := execute(t, n, "EVAL", c.script, "0"); r.Str != c.want {
			t.Errorf("%s\n answers %v\n want    %s", c.script, r, c.want)
		}
	}
}

// A server with several databases sees scripts go from one to another, and come
// back.
func TestSelectInScripts(t *testing.T) {
	n, all := NewNode(), []*keyspace.Keyspace{keyspace.New(), keyspace.New()}
	n.Use(0, func(db int) (*keyspace.Keyspace, bool) {
		if db < 0 || db >= len(all) {
			return nil, false
		}
		return all[db], true
	})
	n.Do([]string{"EVAL", "redis.call('select', 1) redis.call('set', 'k', 'one') error('boom')", "0"})
	if r := n.Do([]string{"GET", "k"}); r.Kind != reply.Nil {
		t.Errorf("the script has left database 1 selected: %v", r)
	}
	if r := all[1].Do([]string{"GET", "k"}); r.Str != "one" {
		t.Errorf("database 1 holds %v", r)
	}
	if r := n.Do([]string{"EVAL", "return redis.pcall('select', 2).err", "0"}); r.Str != "ERR DB index is out of range" {
		t.Errorf("a database that is not there: %v", r)
	}
}

// Who looks inside a script sees that it has deleted a key in a slot that moves, of which its server does not speak any more.
func TestAKeyThatIsGoneFromAMovingSlotIsSeenToBeGone(t *testing.T) {
	n := NewNode()
	execute(t, n, "SET", "foo", "1")
	n.Join(cluster.Member{
		Name: "n1", Ranges: []cluster.Range{{Node: "n1", Last: cluster.Slots - 1}},
		Moving: []cluster.Move{{Slot: cluster.Slot("foo"), From: "n1", To: "n2"}},
	})
	before, _ := n.View(t.Context())
	op := engine.Op{Script: &engine.Script{Name: "s", Source: "redis.call('del', KEYS[1])\nreturn 1"}, Keys: []string{"foo"}}
	_, inside, err := Look(t.Context(), n, op, before, 0)
	if err != nil || len(inside.Lines) == 0 || len(inside.Lines[len(inside.Lines)-1].Keys) > 0 {
		t.Errorf("in the end there is %v, %v", inside, err)
	}
}
