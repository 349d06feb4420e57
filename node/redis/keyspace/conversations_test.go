package keyspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// elsewhere are commands that luaexec and node/redis/port answer, and test: a keyspace alone has
// no connection, no scripts and no server around it.
const elsewhere = `auth client cluster config debug discard eval eval_ro evalsha evalsha_ro exec hello info multi
	psubscribe punsubscribe quit reset role script shutdown ssubscribe subscribe sunsubscribe unsubscribe unwatch wait watch`

// Each command is in a conversation with real servers.
func TestEveryCommandIsTalkedAbout(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	talked := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			talked[strings.ToLower(name)] = true
		}
	}
	for name := range strings.FieldsSeq(elsewhere) {
		talked[name] = true
	}
	for _, c := range CommandDocs() {
		if !c.Is(Absent) && !talked[c.Name()] {
			t.Errorf("%s is in no conversation", c.Name())
		}
	}
}
