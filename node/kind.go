// Package node says what a kind of server is. Each folder below that answers requests has one
// Kind, and lessons.NodeKinds lists them: nothing else names a kind that need not.
package node

import (
	"embed"
	"time"

	"lockstep/engine"
)

// Kind is a kind of server.
type Kind struct {
	Name string   // as lessons write it after kind
	Like string   // the server, with its version, that the one in memory does as
	Keys []string // of a node in lesson.yaml that no other kind has

	// New makes an empty server in memory at instant 0. It is an engine.Forker, or its lessons
	// cannot be searched. It keeps the session of a silent process for so long; 0: for as long as
	// it likes. A kind without sessions takes no notice.
	New func(session time.Duration) engine.Node

	// Versions are newer servers that a node can be in memory, besides what the kind's own real server is. A node
	// that is one is a Versioned.
	Versions []string

	// Give makes a key that a lesson gives it at the start, and Text is the type of one that is
	// given as a text. Without Give it has no keys: none can be given, copied to replicas or lost.
	Give func(engine.Key) []engine.Op
	Text engine.KeyType

	Ensemble bool // it stands for several servers: it goes on when one fails, has no replica and is in no cluster

	// Prelude is Lua that makes what a program gets from node(name, options), out of primitive, ask,
	// yield, name and options (lessons/client/prelude.lua). Empty: what it gets of a Redis.
	Prelude string

	Template embed.FS // in its folder template: the files that a new lesson about it begins as

	Called Words // a server of the kind, within a sentence
	Holds  Words // heads what it holds
	Real   Real
}

// Versioned is a node that can be told which of its kind's Versions it is.
type Versioned interface{ Be(version string) }

// Words are a text in each language of the page.
type Words struct{ En, Zh string }

// Real is the engine on which the nodes of a kind are real servers. Without a Name there is none.
type Real struct {
	Engine string // as links and --engine have it
	Name   string // of the program, in every language
}
