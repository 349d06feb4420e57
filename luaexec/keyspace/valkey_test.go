package keyspace

import (
	"strings"
	"testing"

	"lockstep/luaexec/luaexectest"
)

// TestCommandsAnswerAsValkeyDoes has the conversations with Valkey 8. What differs
// must be among the differences of luaexectest, and each of those must show.
func TestCommandsAnswerAsValkeyDoes(t *testing.T) {
	s := startValkey(t)
	excuses := luaexectest.ExcusesFor(luaexectest.Commands)
	for _, c := range conversations {
		s.do("FLUSHALL")
		k := New()
		for line := range strings.Lines(c.commands) {
			args := words(line)
			if len(args) == 0 {
				continue
			}
			got, want := k.Do(here(k, args)), s.do(there(s, args)...)
			x := luaexectest.Exchange{Server: "Valkey", Sent: strings.Join(args, " "), Theirs: want.String(), Ours: got.String()}
			if !agree(args, got, want) && !excuses.Excuse(x) {
				t.Errorf("%s: %s: keyspace answers %s, valkey %s", c.name, line, got, want)
			}
		}
	}
	for _, what := range excuses.Unmet() {
		t.Errorf("no conversation shows the difference %q: take it out", what)
	}
}
