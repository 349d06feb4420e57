package lessons_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// A row that must be absent, or only uncommitted, is compared as one that must be there; and what
// is there instead can be expected.
func TestRowsThatMustAndMustNotBeThereAreCompared(t *testing.T) {
	stock := func(n string) []engine.Item {
		return []engine.Item{{Name: "id", Value: "1"}, {Name: "stock", Value: n}}
	}
	state := engine.Snapshot{Nodes: []engine.NodeView{{Node: "db", Keys: []engine.Key{
		{Name: "stock/10", Type: engine.RowKey, Items: stock("1"), Pending: engine.Pending{By: "A", Items: stock("0")}},
		{Name: "stock/20", Type: engine.RowKey, Pending: engine.Pending{By: "A", Items: stock("5")}},
	}}}}
	for _, c := range []struct {
		key, name string
		columns   []engine.Item
		want      string
	}{
		{"rows", "stock/10", []engine.Item{{Name: "stock", Value: "1"}}, ""},
		{"rows", "stock/10", []engine.Item{}, ""},
		{"rows", "stock/10", []engine.Item{{Name: "stock", Value: "2"}}, "row stock/10: {stock: 2}, got {id: 1, stock: 1}"},
		{"rows", "stock/10", nil, "row stock/10: none, got {id: 1, stock: 1}"},
		{"rows", "stock/20", nil, ""},
		{"rows", "stock/20", []engine.Item{}, "row stock/20: {}, got none"},
		{"rows", "stock/30", nil, ""},
		{"rows", "stock/30", []engine.Item{{Name: "stock", Value: "1"}}, "row stock/30: {stock: 1}, got none"},
		{"pending", "stock/10", nil, "what is not committed of row stock/10: none, got {id: 1, stock: 0}"},
		{"pending", "stock/10", []engine.Item{{Name: "stock", Value: "0"}}, ""},
		{"pending", "stock/20", []engine.Item{{Name: "stock", Value: "5"}}, ""},
		{"pending", "stock/30", nil, ""},
		{"keys", "stock/10", []engine.Item{{Name: "stock", Value: "1"}}, ""},
		{"keys", "stock/10", []engine.Item{{Name: "stock", Value: "2"}}, "key stock/10: row {stock: 2}, got row {id: 1, stock: 1}"},
		{"keys", "stock/20", []engine.Item{{Name: "stock", Value: "5"}}, "key stock/20: it exists, got there is no such key"},
		{"gone", "stock/20", nil, ""},
		{"gone", "stock/10", nil, "key stock/10: gone, got row {id: 1, stock: 1}"},
	} {
		b := lessons.Beat{Expect: &lessons.Expect{Parts: []lessons.Expected{{Key: c.key, Name: c.name, Items: c.columns}}}}
		var said []string
		for _, u := range b.Expect.Unmet(&state, nil) {
			said = append(said, fmt.Sprintf("%v: %v, got %v", u.What, u.Want, u.Got))
		}
		if got := strings.Join(said, "; "); got != c.want {
			t.Errorf("of %s %s with %v is said %q, want %q", c.key, c.name, c.columns, got, c.want)
		}
		if unmet := b.Observed(&state, nil).Unmet(&state, nil); len(unmet) > 0 {
			t.Errorf("what %s %s was observed to be is not met: %v", c.key, c.name, unmet)
		}
	}
}
