package sql_test

import (
	"flag"
	"os"
	"testing"

	"lockstep/engine"
	"lockstep/node/conversation"
	"lockstep/node/sql"
)

var update = flag.Bool("update", false, "write what the embedded node does into the conversations, for review")

// conversations are what MariaDB 10.11 answers: the contract that every SQL node keeps. What is said is one statement.
var conversations = conversation.Suite{Texts: os.DirFS("."), Args: func(said string) []string { return []string{said} }}

func TestConversations(t *testing.T) {
	open := func(*testing.T) engine.Node { return sql.NewNode() }
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
