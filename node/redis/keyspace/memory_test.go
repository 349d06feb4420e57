package keyspace

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lockstep/node/redis/conversations"
)

// recount is Used, counted from what is there.
func (k *Keyspace) recount() int64 {
	total := int64(len(k.due)) * deadlineBytes
	for name, e := range k.keys {
		total += keyBytes + int64(len(name))
		switch e.kind {
		case stringType:
			total += int64(len(e.text))
		case hashType:
			total += pairsBytes(e.hash)
		case setType:
			total += pairsBytes(&e.set.fields)
		case listType:
			for _, s := range e.list.items() {
				total += int64(itemBytes + len(s))
			}
		case zsetType:
			for _, it := range e.zset.items {
				total += int64(scoredBytes + indexed(e.zset.index != nil) + len(it.member))
			}
		case streamType:
			total += int64(nodeBytes * len(e.stream.nodes))
			for _, r := range e.stream.records {
				total += int64(recordBytes + textBytes(r.fields))
			}
		}
	}
	return total
}

func pairsBytes(h *hash) (total int64) {
	for _, p := range h.pairs {
		total += int64(pairBytes + indexed(h.index != nil) + len(p.name) + len(p.value))
	}
	return total
}

// TestUsedFollowsEveryWrite compares the account with a recount.
func TestUsedFollowsEveryWrite(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	k := New()
	for i := range 20_000 {
		args := conversations.Command(r)
		k.Do(args)
		if used, want := k.Used(), k.recount(); used != want {
			t.Fatalf("after command %d, %q, %d bytes are used, counted %d", i, args, used, want)
		}
		if r.IntN(50) == 0 {
			randomStep(r)(k)
		}
		if r.IntN(50) == 0 {
			k = k.Fork()
		}
	}
	k.Do(words("FLUSHALL"))
	if k.Used() != 0 {
		t.Errorf("an empty keyspace uses %d bytes", k.Used())
	}
}

// TestLimitRefusesWhatGrows fills a keyspace in every way until it is full.
func TestLimitRefusesWhatGrows(t *testing.T) {
	const limit = 1 << 20
	big := strings.Repeat("x", 1000)
	for _, line := range []string{
		"SET k# BIG", "APPEND k BIG", "HSET h f# BIG",
		"RPUSH l BIG", "LPUSH l BIG", "SADD s #BIG", "ZADD z 1 #BIG", "XADD x * f BIG", "LINSERT seed BEFORE a BIG",
		"SET e# v PX 1000",
		"HINCRBY h f# 1", "INCRBYFLOAT n# 1",
	} {
		k := New()
		k.Do([]string{"RPUSH", "seed", "a", big})
		k.Do([]string{"SET", "text", big})
		k.SetLimit(limit)
		refused := false
		for i := range 20_000 {
			text := strings.NewReplacer("#", fmt.Sprint(i), "BIG", big).Replace(line)
			if got := k.Do(words(text)); got.IsError() {
				if !got.Equal(errOutOfMemory) {
					t.Fatalf("%s: %s", line, got)
				}
				refused = true
				break
			}
		}
		if !refused {
			t.Errorf("%s: never refused, with %d bytes used", line, k.Used())
		}
		if k.Used() > limit+limit/8 {
			t.Errorf("%s: %d bytes are used, far over the limit", line, k.Used())
		}
		k.Do(words("GET text"))
		k.Do(words("DEL seed text members"))
		if got := k.Do(words("FLUSHALL")); got.IsError() {
			t.Errorf("%s: a full keyspace answers FLUSHALL with %s", line, got)
		}
		if got := k.Do([]string{"SET", "k", "v"}); got.IsError() {
			t.Errorf("%s: an emptied keyspace answers %s", line, got)
		}
	}
}

// TestHandedOutTextsStay writes strings in place that somebody has read.
func TestHandedOutTextsStay(t *testing.T) {
	for _, write := range []string{"SET k xyz", "APPEND k more"} {
		for _, read := range []string{"GET k", "MGET k", "GETRANGE k 0 -1", "GETEX k"} {
			k := after("SET k abc\nAPPEND k def")
			fork := k.Fork()
			before := fork.Do(words("GET k")).Str
			k.Do(words("APPEND k q"))
			got := k.Do(words(read)).String()
			want := strings.Clone(got)
			exported := fmt.Sprint(slicesOf(k))
			kept := strings.Clone(exported)
			k.Do(words(write))
			k.Do(words(write))
			if got != want || exported != kept {
				t.Errorf("%s changed what %s had answered", write, read)
			}
			if now := fork.Do(words("GET k")).Str; now != before {
				t.Errorf("%s changed a fork from %q to %q", write, before, now)
			}
		}
	}
}

func slicesOf(k *Keyspace) (texts []string) {
	for e := range k.Keys() {
		texts = append(texts, e.Text)
	}
	return texts
}
