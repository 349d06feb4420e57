package keyspace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
)

// rebuild makes a keyspace that holds the same from what k shows of itself, in
// canonical order: it shares nothing with k and has another history.
func rebuild(k *Keyspace) *Keyspace {
	fresh := New()
	fresh.AdvanceTo(k.Now())
	for e := range k.Keys() {
		if e.Type == "hash" { // entries list its fields by name, HGETALL as they came
			all := k.Do([]string{"HGETALL", e.Name}).Elems
			for i := 0; i < len(all); i += 2 {
				fresh.Do([]string{"HSET", e.Name, all[i].Str, all[i+1].Str})
			}
		}
		for _, it := range e.Items {
			switch string(e.Type) {
			case "list":
				fresh.Do([]string{"RPUSH", e.Name, it.Value})
			case "set":
				fresh.Do([]string{"SADD", e.Name, it.Name})
			case "zset":
				fresh.Do([]string{"ZADD", e.Name, it.Value, it.Name})
			}
		}
		if e.Type == "stream" {
			rebuildStream(fresh, e.Name, k.keys[e.Name].stream)
		}
		if e.Type == "string" {
			fresh.Do([]string{"SET", e.Name, e.Text})
		}
		if at := k.Do([]string{"PEXPIRETIME", e.Name}); at.Int >= 0 {
			fresh.Do([]string{"PEXPIREAT", e.Name, fmt.Sprint(at.Int)})
		}
	}
	for kind := ToChannel; kind <= ToShard; kind++ {
		for _, s := range k.Subscriptions(kind) {
			fresh.Subscribe(kind, s.Process, s.Channel)
		}
	}
	fresh.drawn = k.drawn
	return fresh
}

func rebuildStream(fresh *Keyspace, name string, s *stream) {
	for _, r := range s.records {
		fresh.Do(append([]string{"XADD", name, r.id.String()}, r.fields...))
	}
	if len(s.records) == 0 {
		fresh.Do([]string{"XADD", name, "MAXLEN", "0", "0-1", "a", "b"})
	}
	again := fresh.keys[name].stream
	again.last, again.added, again.maxDeleted = s.last, s.added, s.maxDeleted
}

// story replays what was done to one keyspace, on one that was never forked.
type story []func(*Keyspace)

func (s story) replay() *Keyspace {
	k := New()
	for _, do := range s {
		do(k)
	}
	return k
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// randomStep is a command, a move of the clock or a change of subscriptions.
func randomStep(r *rand.Rand) func(*Keyspace) {
	switch r.IntN(14) {
	case 6:
		args := words(pick(r, "SPOP t1", "SPOP t2 2", "FLUSHALL"))
		if args[0] == "FLUSHALL" && r.IntN(10) > 0 {
			args = words("DBSIZE")
		}
		return func(k *Keyspace) { k.Do(args) }
	case 7:
		kind, who, channel := ToChannel+SubscriptionKind(r.IntN(3)), pick(r, "p1", "p2"), pick(r, "a", "[ab]")
		if r.IntN(2) == 0 {
			return func(k *Keyspace) { k.Unsubscribe(kind, who, channel) }
		}
		return func(k *Keyspace) { k.Subscribe(kind, who, channel) }
	case 8:
		d := time.Duration(r.IntN(150)) * time.Second
		return func(k *Keyspace) { k.MoveTo(k.Now() + d) }
	case 9:
		limit := r.IntN(5)
		return func(k *Keyspace) { k.Expire(limit) }
	case 0:
		d := time.Duration(r.IntN(150)) * time.Second
		return func(k *Keyspace) { k.AdvanceTo(k.Now() + d) }
	case 1:
		who, channel := pick(r, "p1", "p2", "p3"), pick(r, "a", "b")
		return func(k *Keyspace) { k.Subscribe(ToChannel, who, channel) }
	case 2:
		who, channel := pick(r, "p1", "p2", "p3"), pick(r, "a", "b")
		return func(k *Keyspace) { k.Unsubscribe(ToChannel, who, channel) }
	case 3:
		if r.IntN(4) == 0 {
			who := pick(r, "p1", "p2", "p3")
			return func(k *Keyspace) { k.Disconnect(who) }
		}
		channel, text := pick(r, "a", "b"), pick(r, "x", "y")
		return func(k *Keyspace) { k.Do([]string{"PUBLISH", channel, text}) }
	case 4:
		return func(k *Keyspace) { k.Digest() }
	case 5:
		return func(k *Keyspace) { k.NextExpiry() }
	}
	args := conversations.Command(r)
	return func(k *Keyspace) { k.Do(args) }
}

// TestForksNeverSeeEachOther forks, writes and drops keyspaces at random and
// compares each with one that went through the same steps alone.
func TestForksNeverSeeEachOther(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		spaces, stories := []*Keyspace{New()}, []story{nil}
		for range 800 {
			i := r.IntN(len(spaces))
			if r.IntN(10) == 0 && len(spaces) < 6 {
				spaces = append(spaces, spaces[i].Fork())
				stories = append(stories, slices.Clone(stories[i]))
				continue
			}
			do := randomStep(r)
			do(spaces[i])
			stories[i] = append(stories[i], do)
		}
		for i, k := range spaces {
			alone := stories[i].replay()
			if a, b := show(k), show(alone); a != b {
				t.Fatalf("seed %d: fork %d holds\n%s\nwithout forks it holds\n%s", seed, i, a, b)
			}
			if k.Digest() != alone.Digest() {
				t.Fatalf("seed %d: fork %d has another digest than the same steps without forks", seed, i)
			}
			if k.Digest() != rebuild(k).Digest() {
				t.Fatalf("seed %d: fork %d has another digest than its entries", seed, i)
			}
			if a, b := fmt.Sprint(k.TakeDeliveries()), fmt.Sprint(alone.TakeDeliveries()); a != b {
				t.Fatalf("seed %d: fork %d delivers %s, without forks %s", seed, i, a, b)
			}
			if a, b := fmt.Sprint(expireAll(k)), fmt.Sprint(expireAll(alone)); a != b {
				t.Fatalf("seed %d: in fork %d expire %s, without forks %s", seed, i, a, b)
			}
		}
	}
}

// show is everything that a keyspace shows.
func show(k *Keyspace) string {
	at, timed := k.NextExpiry()
	return fmt.Sprintln(k.Now(), k.Len(), at, timed, slices.Collect(k.Keys()), k.Subscriptions(ToChannel), k.Used())
}

// expireAll goes from deadline to deadline, as a scheduler does.
func expireAll(k *Keyspace) (gone [][]engine.Expiry) {
	for {
		at, ok := k.NextExpiry()
		if !ok {
			return gone
		}
		gone = append(gone, k.AdvanceTo(at))
	}
}

func TestForkKeepsItsMoment(t *testing.T) {
	k := New()
	k.Do(words("HSET lock A 1"))
	k.Do(words("PEXPIRE lock 30000"))
	before := k.Fork()
	k.Do(words("HINCRBY lock A 1"))
	k.Do(words("SET other v"))
	k.AdvanceTo(time.Minute)
	if got := show(k); got != "1m0s 1 0s false [{other string v [] -1ns { []}}] [] 166\n" {
		t.Errorf("the forked keyspace went on to hold %s", got)
	}
	if got := show(before); got != "0s 1 30s true [{lock hash  [{A 1}] 30s { []}}] [] 230\n" {
		t.Errorf("the fork holds %s", got)
	}
}
