package conversations_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"lockstep/engine"
	"lockstep/node/sql"
	"lockstep/node/sql/conversations"
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
			got, err := conversations.Play(t.Context(), sql.NewNode(), string(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	conversations.Run(t, func(*testing.T) engine.Node { return sql.NewNode() })
}
