package redis

import (
	"fmt"
	"testing"

	"lockstep/node/redis/keyspace"
)

// TestManyScriptsAreKnownAndFewAreCompiled: whoever sends ever new scripts must not
// take the memory of the process, and EVALSHA finds all of them.
func TestManyScriptsAreKnownAndFewAreCompiled(t *testing.T) {
	n := NewNode()
	n.Use(0, func(int) (*keyspace.Keyspace, bool) { return n.keys, true })
	source := func(i int) string { return fmt.Sprintf("#!lua flags=allow-oom\nreturn %d", i) }
	const all = maxCompiled + 500
	for i := range all {
		execute(t, n, "EVAL", source(i), "0")
	}
	for _, i := range []int{0, all - 1, 1, 0} {
		if got := execute(t, n, "EVALSHA", sha1Of(source(i)), "0"); got.Int != int64(i) {
			t.Errorf("EVALSHA of script %d answers %s", i, got)
		}
		if got := execute(t, n, "SCRIPT", "EXISTS", sha1Of(source(i))); got.Elems[0].Int != 1 {
			t.Errorf("script %d does not exist", i)
		}
	}
	compiled := 0
	for _, p := range n.programs.bySource {
		if p.Compiled() {
			compiled++
		}
	}
	if compiled != maxCompiled || n.Scripts() != all {
		t.Errorf("%d scripts are compiled, want %d, and %d known, want %d", compiled, maxCompiled, n.Scripts(), all)
	}
	execute(t, n, "SCRIPT", "FLUSH")
	if got := execute(t, n, "EVALSHA", sha1Of(source(0)), "0"); !got.Equal(noScript) || len(n.programs.bySource) != 0 {
		t.Errorf("after SCRIPT FLUSH, EVALSHA answers %s, and %d scripts are left", got, len(n.programs.bySource))
	}
}
