package sqlexectest_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"lockstep/engine"
	"lockstep/luaexec/sqlexec"
	"lockstep/luaexec/sqlexectest"
)

var update = flag.Bool("update", false, "write what the embedded node answers into the conversations, for review")

func TestConversations(t *testing.T) {
	if *update {
		names, _ := filepath.Glob("testdata/*.txt")
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := sqlexectest.Play(t.Context(), sqlexec.NewNode(), string(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	sqlexectest.Run(t, func(*testing.T) engine.Node { return sqlexec.NewNode() })
}
