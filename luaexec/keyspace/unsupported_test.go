package keyspace

import "testing"

// TestConsumerGroupsAreUnknown pins that streams have no consumer groups here.
func TestConsumerGroupsAreUnknown(t *testing.T) {
	for _, name := range []string{"XGROUP", "XREADGROUP", "XACK", "XCLAIM", "XAUTOCLAIM", "XPENDING", "XINFO"} {
		if c, ok := Lookup(name); ok {
			t.Errorf("%s is known: %s", name, c.Summary())
		}
	}
}
