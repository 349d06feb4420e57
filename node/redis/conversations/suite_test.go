package conversations

import (
	"embed"
	"io/fs"
	"path"
	"strings"
	"testing"

	"lockstep/engine"
)

// cases are the texts of the suite. Lines that begin with > are sent to the
// node, lines that begin with $ are done to it, and what follows each is what
// comes of it. A script is written with its lines indented:
//
//	script del:
//	  return redis.call('del', KEYS[1])
//	> eval del lock , argument
//	1
//
//go:embed testdata/*.txt
var cases embed.FS

// Nodes are a kind of node that plays the suite.
type Nodes struct {
	New func(*testing.T) engine.Node

	// Shared ones are on a server that has others' keys too; cases that would touch
	// them are not for it.
	Shared bool

	// Excuse tells whether a node may answer otherwise than Redis 7.0.
	Excuse func(sent, redis, node string) bool
}

// Run plays every case and fails where one differs from the text without an excuse.
func Run(t *testing.T, nodes Nodes) {
	names, err := fs.Glob(cases, "testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("the suite has no cases: %v", err)
	}
	for _, name := range names {
		text, err := cases.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if nodes.Shared && strings.Contains(string(text), ownServerOnly) {
			continue
		}
		t.Run(strings.TrimSuffix(path.Base(name), ".txt"), func(t *testing.T) {
			got, err := Play(t.Context(), nodes.New(t), string(text))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, string(text), got, nodes.Excuse)
		})
	}
}

// ownServerOnly marks a case that a shared server must refuse.
const ownServerOnly = "# Only on a server of its own:"

// compare shows each line that differs, below the last line that was sent.
func compare(t *testing.T, want, got string, excuse func(sent, redis, node string) bool) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	last, differences := "", 0
	for i := range max(len(w), len(g)) {
		a, b := lineAt(w, i), lineAt(g, i)
		if a == b {
			if strings.HasPrefix(a, ">") || strings.HasPrefix(a, "$") {
				last = a
			}
			continue
		}
		if excuse(last, a, b) {
			continue
		}
		t.Errorf("line %d, after %q:\nwant %s\ngot  %s", i+1, last, a, b)
		if differences++; differences == 5 {
			t.Fatal("and more")
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no more lines)"
}
