package redis

import (
	"crypto/sha1"
	"encoding/hex"
	"testing"

	"lockstep/engine/reply"
)

func execute(t *testing.T, n *Node, args ...string) reply.Reply {
	t.Helper()
	return n.Do(args)
}

func sha1Of(script string) string {
	sum := sha1.Sum([]byte(script))
	return hex.EncodeToString(sum[:])
}
