package conversations_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"lockstep/engine"
	"lockstep/node/zookeeper"
	"lockstep/node/zookeeper/conversations"
)

var update = flag.Bool("update", false, "write what the embedded node does into the conversations, for review")

func TestConversations(t *testing.T) {
	if !*update {
		conversations.Run(t, func(*testing.T) engine.Node { return zookeeper.NewNode(conversations.SessionTimeout) })
		return
	}
	names, _ := filepath.Glob("testdata/*.txt")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := conversations.Play(t.Context(), zookeeper.NewNode(conversations.SessionTimeout), string(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
