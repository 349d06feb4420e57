package keyspace

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestApproximateTrimsAsRedis fills streams with records of all sizes and trims
// them by whole nodes, whose bounds are Redis's own.
func TestApproximateTrimsAsRedis(t *testing.T) {
	s := startServer(t)
	for seed := range uint64(4) {
		s.do("FLUSHALL")
		k := New()
		r := rand.New(rand.NewPCG(seed, 9))
		last := 0
		for range 3000 {
			last += 1 + r.IntN(1000)*r.IntN(2)
			args := []string{"XADD", "s"}
			if r.IntN(8) == 0 {
				args = append(args, "MAXLEN", "~", fmt.Sprint(r.IntN(400)))
			}
			args = append(args, fmt.Sprintf("%d-%d", last, r.IntN(1000)), pick(r, "field", "field", "a"), randomText(r))
			if r.IntN(3) == 0 {
				args = append(args, "more", randomText(r))
			}
			compare(t, k, s, args)
			if r.IntN(10) == 0 {
				compare(t, k, s, []string{"XDEL", "s", k.Do(words("XRANGE s - + COUNT 1")).Elems[0].Elems[0].Str})
			}
			if r.IntN(40) == 0 {
				compare(t, k, s, []string{"XTRIM", "s", "MAXLEN", fmt.Sprint(r.IntN(400))})
			}
			compare(t, k, s, words("XLEN s"))
			if t.Failed() {
				t.FailNow()
			}
		}
		compare(t, k, s, words("XRANGE s - +"))
	}
}

// TestNodesOfAStreamFillAsRedis fills streams with one value each, at the bounds of how
// Redis packs numbers and texts: how many records a node takes depends on each byte.
func TestNodesOfAStreamFillAsRedis(t *testing.T) {
	s := startServer(t)
	k := New()
	values := []string{strings.Repeat("x", 63), strings.Repeat("x", 64)}
	for _, bits := range []int{7, 12, 15, 23, 31} {
		bound := int64(1) << bits
		for _, n := range []int64{bound - 1, bound, -bound, -bound - 1} {
			values = append(values, fmt.Sprint(n))
		}
	}
	for _, v := range values {
		for _, fields := range []int{1, 3, 10, 20} {
			key := fmt.Sprintf("%s of %d", v, fields)
			for i := range 110 {
				args := []string{"XADD", key, fmt.Sprint(i + 1)}
				for range fields {
					args = append(args, "f", v)
				}
				compare(t, k, s, args)
			}
			compare(t, k, s, []string{"XTRIM", key, "MAXLEN", "~", "1"})
		}
	}
}

func randomText(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0:
		return strings.Repeat("x", r.IntN(200))
	case 1:
		return fmt.Sprint(r.Int64N(1 << uint(1+r.IntN(62))))
	case 2:
		return fmt.Sprint(-r.Int64N(1 << uint(1+r.IntN(62))))
	case 3:
		return strings.Repeat("y", r.IntN(6000))
	}
	return pick(r, "v", "", "127", "128", "-4096", "4096", "-1")
}

func TestStreamEntries(t *testing.T) {
	k := after(`XADD s 1-1 a 1
		XADD s 2-0 b two\swords '' x"y`)
	for e := range k.Keys() {
		var lines []string
		for _, it := range e.Items {
			lines = append(lines, it.Name+": "+it.Value)
		}
		got := string(e.Type) + "\n" + strings.Join(lines, "\n")
		if want := "stream\n1-1: a 1\n2-0: b \"two words\" \"\" \"x\\\"y\""; got != want {
			t.Errorf("the entry shows\n%s\nwant\n%s", got, want)
		}
	}
	k.Do(words("XTRIM s MAXLEN 0"))
	if got := k.Do(words("XADD s 1-5 a b")); !got.IsError() {
		t.Errorf("an emptied stream forgot its last id: XADD answers %s", got)
	}
}

func TestAutomaticIDsFollowTheClock(t *testing.T) {
	k := New()
	for _, want := range []string{"1700000000000-0", "1700000000000-1"} {
		if got := k.Do(words("XADD s * a b")).Str; got != want {
			t.Errorf("the id is %s, want %s", got, want)
		}
	}
}
