package zkexectest_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"lockstep/engine"
	"lockstep/luaexec/zkexec"
	"lockstep/luaexec/zkexectest"
)

var update = flag.Bool("update", false, "write what the embedded node does into the conversations, for review")

func TestConversations(t *testing.T) {
	if !*update {
		zkexectest.Run(t, func(*testing.T) engine.Node { return zkexec.NewNode(zkexectest.SessionTimeout) })
		return
	}
	names, _ := filepath.Glob("testdata/*.txt")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := zkexectest.Play(t.Context(), zkexec.NewNode(zkexectest.SessionTimeout), string(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
