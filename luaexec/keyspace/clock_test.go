package keyspace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

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
	if gone != "[{c 1s} {a 2s} {b 2s}]" {
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
