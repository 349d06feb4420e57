package conversations_test

import (
	"flag"
	"os"
	"testing"

	"lockstep/engine"
	"lockstep/node/zookeeper"
	"lockstep/node/zookeeper/conversations"
)

var update = flag.Bool("update", false, "write what the embedded node does into the conversations, for review")

func TestConversations(t *testing.T) {
	open := func(*testing.T) engine.Node { return zookeeper.NewNode(conversations.SessionTimeout) }
	if !*update {
		conversations.Suite.Run(t, open)
		return
	}
	conversations.Suite.Each(t, open, func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	})
}
