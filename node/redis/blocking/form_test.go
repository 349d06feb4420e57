package blocking_test

import (
	"maps"
	"slices"
	"testing"

	"lockstep/node/redis/blocking"
	"lockstep/node/redis/keyspace"
)

// A command that may wait has a form, or a client that sends it would not wait.
func TestFormsAreThoseOfTheCommandTable(t *testing.T) {
	var names []string
	for _, c := range keyspace.CommandDocs() {
		if c.Is(keyspace.Blocking) {
			names = append(names, c.Name())
		}
	}
	if forms := slices.Sorted(maps.Keys(blocking.Forms)); !slices.Equal(forms, names) {
		t.Errorf("there are forms of %v, and blocking commands %v", forms, names)
	}
}
