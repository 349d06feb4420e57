package lessons

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// sharedComments are those of the documents' scripts and of the lock clients, which many lessons have: each on a line in
// English, and on the next in Chinese. The sources run as they are, in one of the two: a script's SHA1 is its own.
//
//go:embed comments.txt
var sharedComments string

// commentIn is a shared comment of the other language in the language of the reader.
var commentIn = sync.OnceValue(func() map[Lang]map[string]string {
	in := map[Lang]map[string]string{En: {}, Zh: {}}
	for both := range slices.Chunk(strings.Split(strings.TrimSpace(sharedComments), "\n"), 2) {
		in[En][both[1]], in[Zh][both[0]] = both[0], both[1]
	}
	return in
})
