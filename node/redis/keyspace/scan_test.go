package keyspace

import (
	"fmt"
	"testing"

	"lockstep/engine/reply"
)

// TestAScanIsOverInOneCall scans more than a server would answer at once.
func TestAScanIsOverInOneCall(t *testing.T) {
	const size = 3000
	for _, c := range []struct {
		add, scan string
		each      int // parts of an item
	}{
		{"SET NAME v", "SCAN 0 COUNT 7", 1},
		{"HSET big NAME v", "HSCAN big 0 COUNT 7", 2},
		{"SADD big NAME", "SSCAN big 0", 1},
		{"ZADD big 1 NAME", "ZSCAN big 0", 2},
	} {
		k := New()
		for i := range size {
			args := words(c.add)
			for at, word := range args {
				if word == "NAME" {
					args[at] = fmt.Sprint("n", i)
				}
			}
			k.Do(args)
		}
		for _, scan := range []string{c.scan, c.scan + " MATCH n?"} {
			want := size
			if scan != c.scan {
				want = 10
			}
			got := k.Do(words(scan))
			names := map[string]bool{}
			for i, items := 0, got.Elems[1].Elems; i < len(items); i += c.each {
				names[items[i].Str] = true
			}
			if !got.Elems[0].Equal(reply.OfBulk("0")) || len(names) != want {
				t.Errorf("%s answers %d of %d names and the cursor %s", scan, len(names), want, got.Elems[0])
			}
		}
	}
}
