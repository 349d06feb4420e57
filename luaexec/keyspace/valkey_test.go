package keyspace

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine/reply"
)

// valkeyDiffers lists where Valkey 8 answers otherwise than Redis 7.0, whose
// answer is ours. How a score is printed is a difference everywhere, and is
// compared as a number.
var valkeyDiffers = []struct{ command, why string }{
	{"LREM l -9223372036854775808 nothing", "checks the least count of all"},
	{"LPOS l c RANK -9223372036854775808", "checks the least rank of all"},
	{"BLPOP a 1e300", "knows timeouts that are too large from negative ones"},
	{"BLPOP a inf", "knows timeouts that are too large from negative ones"},
	{"XADD s 3-* a 1", "says that there is no further id in the millisecond"},
	{"XREAD STREAMS s +", "has + for the last entry"},
	{"XREAD STREAMS s none 0", "prints the name of the command otherwise"},
	{"XSETID s 8", "checks the id against those that XDEL deleted"},
	{"XADD s 10-* a 1", "follows from XSETID"},
	{"BITCOUNT b 0", "has a start without an end"},
	{"BITCOUNT none 0 x", "checks the arguments before the key"},
	{"OBJECT ENCODING l", "keeps short lists as listpacks"},
	{"OBJECT ENCODING t", "keeps short sets as listpacks"},
	{"SCAN 0 TYPE nosuch", "refuses unknown types"},
	{"SCAN ''", "refuses an empty cursor"},
	{`SCAN \s1`, "takes a cursor after a space"},
	{"COMMAND GETKEYS PING", "takes commands without arguments"},
	{"COMMAND GETKEYS GET", "takes commands without arguments"},
}

func TestValkeyDiffersWhereItIsKnownTo(t *testing.T) {
	s := startValkey(t)
	differed := map[string]bool{}
	for _, c := range conversations {
		s.do("FLUSHALL")
		k := New()
		for line := range strings.Lines(c.commands) {
			line = strings.TrimSpace(line)
			args := words(line)
			if len(args) == 0 {
				continue
			}
			got, want := k.Do(here(k, args)), s.do(there(s, args)...)
			if agree(args, got, want) || sameNumbers(got, want) {
				continue
			}
			differed[line] = true
			if !slices.ContainsFunc(valkeyDiffers, func(d struct{ command, why string }) bool { return d.command == line }) {
				t.Errorf("%s: %s: keyspace answers %s, valkey %s", c.name, line, got, want)
			}
		}
	}
	for _, d := range valkeyDiffers {
		if !differed[d.command] {
			t.Errorf("%s is no difference any more: remove it from the table", d.command)
		}
	}
}

// sameNumbers tells whether two replies differ only in how numbers are printed.
func sameNumbers(a, b reply.Reply) bool {
	if a.Kind != b.Kind || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !sameNumbers(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	x, isX := parseBound(a.Str)
	y, isY := parseBound(b.Str)
	return a.Equal(b) || a.Kind == reply.Array || a.Kind == reply.Bulk && isX && isY && x == y
}
