// Package conversations is the contract that every ZooKeeper keeps: what ZooKeeper 3.8 does.
package conversations

import (
	"embed"
	"strconv"
	"strings"
	"time"

	"lockstep/node/conversation"
)

// SessionTimeout is that of all conversations.
const SessionTimeout = 10 * time.Second

//go:embed testdata/*.txt
var texts embed.FS

// Suite is all conversations. What is said is words, some in double quotes.
var Suite = conversation.Suite{Texts: texts, Args: func(said string) []string {
	words := strings.Fields(said)
	for i, w := range words {
		if plain, err := strconv.Unquote(w); err == nil {
			words[i] = plain
		}
	}
	return words
}}
