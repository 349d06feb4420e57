package keyspace

import (
	"math/rand/v2"
	"testing"
	"time"

	"lockstep/engine/reply"
	"lockstep/node/redis/conversations"
)

// watched is an observer that looks at one key.
type watched struct {
	keys    *Keyspace
	key     string
	changed bool
}

func (w *watched) Ran(*Command, []string) {}
func (w *watched) Changed(key string)     { w.changed = w.changed || key == w.key }
func (w *watched) Flushed()               { w.changed = w.changed || w.keys.Has(w.key) }

// watch begins to watch a key; the returned function tells whether it has changed.
func (k *Keyspace) watch(key string) (changed func() bool) {
	k.Has(key)
	w := &watched{keys: k, key: key}
	k.SetObserver(w)
	return func() bool {
		k.Has(key)
		return w.changed
	}
}

// TestWatchedKeysChangeWhenRedisSays watches a key on a real server and on a
// keyspace, runs one command, and compares whether EXEC would fail.
func TestWatchedKeysChangeWhenRedisSays(t *testing.T) {
	s := startServer(t)
	watcher := s.again()
	k := newAt(s)
	r := rand.New(rand.NewPCG(1, 6))
	changes := 0
	for i := range 8000 {
		if i%100 == 0 {
			k.follow(s)
		}
		args, key := conversations.Command(r), pick(r, conversations.Keys...)
		if c, ok := Lookup(args[0]); ok && r.IntN(4) > 0 {
			if at := c.KeyPositions(args); len(at) > 0 {
				key = args[at[r.IntN(len(at))]]
			}
		}
		watcher.do("WATCH", key)
		changed := k.watch(key)
		got, want := k.Do(args), s.do(args...)
		if problem := disagreement(s, args, got, want); problem != "" {
			t.Fatal(problem)
		}
		watcher.do("MULTI")
		failed := watcher.do("EXEC").Kind == reply.Nil
		if changed() != failed {
			t.Fatalf("%q: for who watches %s it is a change: %t, redis says %t", args, key, changed(), failed)
		}
		if failed {
			changes++
		}
	}
	if changes < 1000 {
		t.Errorf("only %d changes were seen", changes)
	}
}

func TestExpiryIsAChangeOfAWatchedKey(t *testing.T) {
	for _, c := range []struct {
		name   string
		expire func(k *Keyspace)
		change bool
	}{
		{"not yet", func(k *Keyspace) { k.AdvanceTo(999 * time.Millisecond) }, false},
		{"at once", func(k *Keyspace) { k.AdvanceTo(time.Second) }, true},
		{"late", func(k *Keyspace) { k.MoveTo(time.Second) }, true},
		{"late and looked at", func(k *Keyspace) { k.MoveTo(time.Second); k.Do(words("GET a")) }, true},
		{"another key", func(k *Keyspace) { k.Do(words("DEL b")) }, false},
		{"flushed", func(k *Keyspace) { k.Do(words("FLUSHALL")) }, true},
	} {
		k := after("SET a 1 PX 1000\nSET b 1")
		changed := k.watch("a")
		c.expire(k)
		if changed() != c.change {
			t.Errorf("%s: changed is %t", c.name, changed())
		}
	}
	k := after("SET a 1 PX 1000")
	k.MoveTo(time.Second)
	changed := k.watch("a")
	k.Expire(10)
	k.Do(words("FLUSHALL"))
	if changed() {
		t.Error("a key that was past its deadline when WATCH was called changed when it was deleted")
	}
}

// TestBlockingCommandsInATransaction compares those that would have to wait.
func TestBlockingCommandsInATransaction(t *testing.T) {
	s := startServer(t)
	k := New()
	commands := [][]string{
		words("SET s v"), words("BLPOP none 0"), words("BRPOP none 0"), words("BLMOVE none x LEFT LEFT 0"),
		words("BRPOPLPUSH none x 0"), words("BLMPOP 0 1 none LEFT"), words("BZPOPMIN none 0"),
		words("BZPOPMAX none 0"), words("BZMPOP 0 1 none MIN"), words("XREAD BLOCK 0 STREAMS none 0"),
		words("BLPOP s 0"), words("RPUSH l 1"), words("BLPOP none l 0"), words("BLPOP l 0"),
	}
	s.do("MULTI")
	for _, args := range commands {
		s.do(args...)
	}
	answers := s.do("EXEC").Elems
	for i, args := range commands {
		if got := k.Do(args); !got.Equal(answers[i]) {
			t.Errorf("%q: keyspace answers %s, redis %s", args, got, answers[i])
		}
	}
}

func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		args string
		want time.Duration
	}{
		{"BLPOP a b 0", 0},
		{"BLPOP a b 1.5", 1500 * time.Millisecond},
		{"BLMOVE a b LEFT LEFT 0.0001", time.Millisecond},
		{"BLMPOP 2 1 a LEFT", 2 * time.Second},
		{"BZMPOP 2 1 a MIN", 2 * time.Second},
		{"XREAD COUNT 1 BLOCK 250 STREAMS a 0", 250 * time.Millisecond},
	} {
		args := words(c.args)
		cmd, _ := Lookup(args[0])
		got, may, failed := cmd.Timeout(args)
		if got != c.want || !may || failed.IsError() {
			t.Errorf("%s waits for %s (%t, %s), want %s", c.args, got, may, failed, c.want)
		}
	}
	read, _ := Lookup("XREAD")
	if _, may, _ := read.Timeout(words("XREAD STREAMS a 0")); may {
		t.Error("XREAD waits without BLOCK")
	}
	pop, _ := Lookup("BLPOP")
	if _, _, failed := pop.Timeout(words("BLPOP a x")); !failed.IsError() {
		t.Error("BLPOP takes x for a timeout")
	}
}
