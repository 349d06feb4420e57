package zookeeper_test

import (
	"flag"
	"os"
	"testing"

	"lockstep/engine"
	"lockstep/node/conversation"
	"lockstep/node/zookeeper"
)

var update = flag.Bool("update", false, "write what the embedded node does into the conversations, for review")

// conversations are what ZooKeeper 3.8 does: the contract that every ZooKeeper keeps.
var conversations = conversation.Suite{Texts: os.DirFS("."), Args: conversation.Words}

func TestConversations(t *testing.T) {
	open := func(*testing.T) engine.Node { return zookeeper.NewNode(zookeeper.DefaultTimeout) }
	if !*update {
		conversations.Run(t, open)
		return
	}
	conversations.Each(t, open, func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	})
}
