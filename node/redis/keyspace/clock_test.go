package keyspace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
)

func TestKeysExpireByDeadlineThenName(t *testing.T) {
	k := after("MSET a 1 b 2 c 3 d 4 e 5\nPEXPIRE c 1000\nPEXPIRE b 2000\nPEXPIRE a 2000\nPEXPIRE d 500\nPEXPIRE d 9000\nPEXPIRE e 500\nPERSIST e")
	if at, ok := k.NextExpiry(); !ok || at != time.Second {
		t.Errorf("the next expiry is %s, %t; want 1s", at, ok)
	}
	if gone := k.AdvanceTo(999 * time.Millisecond); gone != nil {
		t.Errorf("before any deadline expired %v", gone)
	}
	if got := k.Do(words("PTTL c")); got.Int != 1 {
		t.Errorf("a millisecond before its deadline PTTL is %s, want 1", got)
	}
	gone := fmt.Sprint(k.AdvanceTo(2 * time.Second))
	if gone != "[{ c 1s} { a 2s} { b 2s}]" {
		t.Errorf("expired %s", gone)
	}
	if got := k.Do(words("EXISTS a b c d e")); got.Int != 2 {
		t.Errorf("%s keys are left, want 2", got)
	}
	if k.AdvanceTo(time.Second); k.Now() != 2*time.Second {
		t.Errorf("the clock went back to %s", k.Now())
	}
	if at, ok := k.NextExpiry(); !ok || at != 9*time.Second {
		t.Errorf("the next expiry is %s, %t; want 9s", at, ok)
	}
	k.AdvanceTo(math.MaxInt64)
	if at, ok := k.NextExpiry(); ok {
		t.Errorf("at the end of time %s is still to come", at)
	}
}

func TestLateKeysAreNotThere(t *testing.T) {
	k := after("SET a 1 PX 1000\nHSET b f v\nPEXPIRE b 1000\nSET c 1 PX 1000\nSET d 1 PX 2000\nSET e 1")
	k.MoveTo(time.Second)
	if !k.Late() {
		t.Fatal("nothing is late")
	}
	for _, c := range []struct{ command, answer string }{
		{"KEYS *", `["d", "e"]`},
		{"GET a", "nil"},
		{"HSET b g w", "1"},
		{"HGETALL b", `["g", "w"]`},
		{"TTL b", "-1"},
		{"DBSIZE", "4"},
	} {
		if got := k.Do(words(c.command)).String(); got != c.answer {
			t.Errorf("%s answers %s, want %s", c.command, got, c.answer)
		}
	}
	prompt := after("SET d 1 PX 2000\nSET e 1\nHSET b g w")
	prompt.AdvanceTo(time.Second)
	if k.Digest() != prompt.Digest() {
		t.Error("the digest tells late keys from deleted ones")
	}
	var gone []engine.Expiry
	for k.Late() {
		gone = append(gone, k.Expire(1)...)
	}
	if got := fmt.Sprint(gone); got != "[{ c 1s}]" {
		t.Errorf("expired %s, want what no command had met", got)
	}
	if k.Len() != 3 {
		t.Errorf("%d keys are left, want 3", k.Len())
	}
}

func TestTimeIsTheEpochAndTheClock(t *testing.T) {
	k := New()
	k.AdvanceTo(1234567 * time.Microsecond)
	want := reply.OfArray(reply.OfBulk("1700000001"), reply.OfBulk("234567"))
	if got := k.Do(words("TIME")); !got.Equal(want) {
		t.Errorf("TIME answers %s, want %s", got, want)
	}
	k.Do(words("SET a 1 PXAT 1700000002000"))
	if got := k.Do(words("PTTL a")); got.Int != 766 {
		t.Errorf("PTTL answers %s, want 766", got)
	}
}

// TestRenewalsLeaveNoGarbage renews and replaces leases for long and looks at what
// the heap of deadlines keeps.
func TestRenewalsLeaveNoGarbage(t *testing.T) {
	k := New()
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 100_000 {
		key := fmt.Sprint("k", r.IntN(100))
		k.Do([]string{"SET", key, "v", "PX", fmt.Sprint(1 + r.IntN(30000))})
		if limit := 3*k.timed + 2*maxDead; len(k.due) > limit {
			t.Fatalf("%d records for %d deadlines, over the limit of %d", len(k.due), k.timed, limit)
		}
		if i%3 == 0 {
			k.Do([]string{"DEL", key})
		}
	}
}

func TestManyKeysExpireInOrder(t *testing.T) {
	k := New()
	r := rand.New(rand.NewPCG(1, 1))
	const n = 100_000
	for i := range n {
		k.Do([]string{"SET", fmt.Sprint("k", i), "v", "PX", fmt.Sprint(1 + r.IntN(60_000))})
	}
	total := 0
	for now := time.Duration(0); now < time.Minute; now += time.Second {
		gone := k.AdvanceTo(now + time.Second)
		for i, e := range gone {
			if e.At <= now || e.At > now+time.Second || i > 0 && e.At < gone[i-1].At {
				t.Fatalf("%v expired between %s and %s", e, now, now+time.Second)
			}
		}
		total += len(gone)
	}
	if total != n || k.Len() != 0 {
		t.Errorf("%d of %d keys expired and %d are left", total, n, k.Len())
	}
}

// TestShiftedKeysLastAsLongAsBefore: clock and deadlines move together.
func TestShiftedKeysLastAsLongAsBefore(t *testing.T) {
	k := after("SET a 1 PX 1000\nSET b 1")
	k.Shift(5 * time.Second)
	for command, want := range map[string]int64{"PTTL a": 1000, "PTTL b": -1} {
		if got := k.Do(words(command)); got.Int != want {
			t.Errorf("%s answers %s, want %d", command, got, want)
		}
	}
	if at, ok := k.NextExpiry(); !ok || at != 6*time.Second {
		t.Errorf("the next key expires at %s, %v", at, ok)
	}
	if gone := k.AdvanceTo(6 * time.Second); len(gone) != 1 || gone[0].Key != "a" {
		t.Errorf("then %v expires", gone)
	}
}
