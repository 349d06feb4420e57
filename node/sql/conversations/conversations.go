// Package conversations is the contract that every SQL node keeps: what MariaDB 10.11 answers.
package conversations

import (
	"embed"

	"lockstep/node/conversation"
)

//go:embed testdata/*.txt
var texts embed.FS

// Suite is all conversations. What is said is one statement.
var Suite = conversation.Suite{Texts: texts, Args: func(said string) []string { return []string{said} }}
