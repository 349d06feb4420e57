package keyspace

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestScansMissNothing goes through large values while others come and go: what
// was there all the time must be seen.
func TestScansMissNothing(t *testing.T) {
	for _, c := range []struct {
		scan, add, remove string
		each              int // parts of an item
	}{
		{"SCAN CURSOR COUNT 7", "SET NAME v", "DEL NAME", 1},
		{"HSCAN big CURSOR COUNT 7", "HSET big NAME v", "HDEL big NAME", 2},
		{"SSCAN big CURSOR COUNT 7", "SADD big NAME", "SREM big NAME", 1},
		{"ZSCAN big CURSOR COUNT 7", "ZADD big 1 NAME", "ZREM big NAME", 2},
	} {
		for _, size := range []int{5, 600, 5000} {
			scanWhileWriting(t, c.scan, c.add, c.remove, c.each, size)
		}
	}
}

func scanWhileWriting(t *testing.T, scan, add, remove string, each, size int) {
	t.Helper()
	k := New()
	r := rand.New(rand.NewPCG(uint64(size), 8))
	fill := func(command, name, cursor string) []string {
		args := words(command)
		for i := range args {
			switch args[i] {
			case "NAME":
				args[i] = name
			case "CURSOR":
				args[i] = cursor
			}
		}
		return args
	}
	for i := range size {
		k.Do(fill(add, fmt.Sprint("stays", i), ""))
		k.Do(fill(add, fmt.Sprint("goes", i), ""))
	}
	seen := map[string]bool{}
	cursor := "0"
	calls := 0
	for {
		got := k.Do(fill(scan, "", cursor)).Elems
		for i := 0; i < len(got[1].Elems); i += each {
			seen[got[1].Elems[i].Str] = true
		}
		calls++
		if cursor = got[0].Str; cursor == "0" {
			break
		}
		for range 10 {
			k.Do(fill(remove, fmt.Sprint("goes", r.IntN(size)), ""))
			k.Do(fill(add, fmt.Sprint("new", r.IntN(size)), ""))
			k.Do(words(fmt.Sprint("ZADD big XX ", r.IntN(100), " stays", r.IntN(size))))
		}
	}
	for i := range size {
		if !seen[fmt.Sprint("stays", i)] {
			t.Fatalf("%s of %d: stays%d was never answered", scan, size, i)
		}
	}
	if calls < 2 && size > 600 {
		t.Errorf("%s of %d: all in %d calls", scan, size, calls)
	}
}

// TestScanIsAFunctionOfTheKeys compares the parts that two keyspaces with the
// same keys and different histories answer.
func TestScanIsAFunctionOfTheKeys(t *testing.T) {
	a, b := New(), New()
	for i := range 1000 {
		a.Do([]string{"SET", fmt.Sprint(i), "v"})
		b.Do([]string{"SET", fmt.Sprint(999 - i), "v"})
	}
	cursor, names := "0", 0
	for range 1000 {
		x, y := a.Do([]string{"SCAN", cursor}), b.Do([]string{"SCAN", cursor})
		if !x.Equal(y) {
			t.Fatalf("SCAN %s answers %s and %s", cursor, x, y)
		}
		names += len(x.Elems[1].Elems)
		if cursor = x.Elems[0].Str; cursor == "0" {
			break
		}
	}
	if cursor != "0" || names != 1000 {
		t.Errorf("SCAN answers %d names up to cursor %s", names, cursor)
	}
}
