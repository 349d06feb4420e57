package luaexec

import (
	"testing"
)

// librariesOnPurpose are the scripts of testdata/libraries.txt that the node
// answers in another way than Redis 7.0, each with its reason.
var librariesOnPurpose = map[string]string{
	`return #cmsgpack.unpack('\147\1\192\3')`: border,
}

// TestLibrariesAsRedis sends every script of testdata/libraries.txt to the node
// and to a real server and compares the replies byte for byte. What cjson is told
// outlives a script on both sides, until SCRIPT FLUSH.
func TestLibrariesAsRedis(t *testing.T) {
	_, socket := startRedis(t)
	real := dialRedis(t, socket)
	seen := map[string]bool{}
	for _, script := range scriptsOf(t, "testdata/libraries.txt") {
		if seen[script] {
			t.Errorf("testdata/libraries.txt has %q twice", script)
		}
		seen[script] = true
		real.do("FLUSHALL")
		real.do("SCRIPT", "FLUSH")
		args := []string{"EVAL", script, "2", "k1", "k2", "a1", "20"}
		want, got := real.do(args...), execute(t, NewNode(), args...)
		reason, differs := librariesOnPurpose[script]
		switch {
		case differs && got.Equal(want):
			t.Errorf("%s\n now answers as Redis does: take it out of librariesOnPurpose (%s)", script, reason)
		case !differs && !got.Equal(want):
			t.Errorf("%s\n got  %.300v\n want %.300v", script, got, want)
		}
	}
	for script := range librariesOnPurpose {
		if !seen[script] {
			t.Errorf("librariesOnPurpose has %q, which testdata/libraries.txt does not", script)
		}
	}
}
