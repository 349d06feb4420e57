package port_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
)

// TestEveryCommandIsThereOrSaidToBeAbsent compares the names of all commands with
// Redis's: those that are not here, and no others, are among the differences.
func TestEveryCommandIsThereOrSaidToBeAbsent(t *testing.T) {
	var absent []string
	for _, d := range conversations.Differences {
		absent = append(absent, strings.Fields(d.Absent)...)
	}
	ours := dial(t, open(t, port.Real))
	here := names(ours)
	for _, name := range names(dial(t, openReal(t, "Redis"))) {
		command, sub, _ := strings.Cut(name, "|")
		said := slices.Contains(absent, name) || slices.Contains(absent, command)
		if is := slices.Contains(here, name); is == said {
			t.Errorf("%s is there: %t, and said to be absent: %t", name, is, said)
		}
		if !said {
			continue
		}
		want := "-ERR unknown subcommand '" + sub + "'"
		if !slices.Contains(here, command) {
			want = "-ERR unknown command '" + command + "'"
		}
		if got := ours.do(strings.Split(name, "|")...); !strings.HasPrefix(got, want) {
			t.Errorf("%s is not there, and answers %s", name, got)
		}
	}
}

// names are those of all commands of a server, and of their subcommands.
func names(w *wire) []string {
	var names []string
	for _, e := range parse(w.do("COMMAND", "LIST")).Elems {
		names = append(names, e.Str)
	}
	return names
}
