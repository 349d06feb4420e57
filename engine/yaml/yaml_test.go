package yaml_test

import (
	"strings"
	"testing"

	goccy "github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/engine/yaml"
)

// A text stays the same text, whatever YAML would take it for, as a key, as a value and in a list.
func TestTextsAreReadAgain(t *testing.T) {
	for _, text := range []string{"", "A", "a b", "A:w", "a: b", "#", "- a", "'", `it's "so"`, "a\nb", "\t", "锁", "null", "True", "~", "1e3", "0x1f", "[", "{a", "*a", "&a", "!a", "%", "@", "a, b", "2024-01-01", "<<"} {
		v := yaml.Mapping(text, text)
		v.Put("list", yaml.List([]string{text, text}))
		var got map[string]any
		if err := goccy.Unmarshal([]byte(v.String()), &got); err != nil {
			t.Errorf("%q cannot be read: %v", v, err)
			continue
		}
		if diff := cmp.Diff(map[string]any{text: text, "list": []any{text, text}}, got); diff != "" {
			t.Errorf("%s is read as\n%s", v, diff)
		}
	}
}

func TestContentIsThatOfTheType(t *testing.T) {
	items := []engine.Item{{Name: "b", Value: "2"}, {Name: "a", Value: "1"}}
	for _, c := range []struct {
		k    engine.Key
		want string // empty: it cannot be written
	}{
		{engine.Key{Type: engine.StringKey}, `""`},
		{engine.Key{Type: engine.StringKey, Text: "\xff"}, ""},
		{engine.Key{Type: engine.HashKey, Items: items}, "{b: 2, a: 1}"},
		{engine.Key{Type: engine.HashKey}, ""},
		{engine.Key{Type: engine.HashKey, Items: []engine.Item{{Value: "1"}}}, ""},
		{engine.Key{Type: engine.ListKey, Items: []engine.Item{{Value: "b"}, {Value: "a"}}}, "[b, a]"},
		{engine.Key{Type: engine.ListKey, Items: []engine.Item{{Value: "\xff"}}}, ""},
		{engine.Key{Type: engine.SetKey, Items: []engine.Item{{Name: "a"}}}, "[a]"},
	} {
		v, ok := yaml.Content(c.k)
		if ok != (c.want != "") || ok && v.String() != c.want {
			t.Errorf("%+v is written %s, %v; want %s", c.k, v, ok, c.want)
		}
	}
}

// Under a key that is there a second value makes a list, of which each has a line of its own when
// all of it is too long for one.
func TestLongMappingsHaveALineForEachKey(t *testing.T) {
	long := strings.Repeat("x", 60)
	v := yaml.Mapping("a", "1")
	v.Put("k", yaml.Mapping("v", long))
	v.Put("k", yaml.Mapping("v", long))
	want := "  e:\n    a: 1\n    k:\n      - {v: " + long + "}\n      - {v: " + long + "}"
	if got := strings.Join(v.Lines("e", 2), "\n"); got != want || v.Len() != 2 {
		t.Errorf("%d keys are written\n%s\nwant\n%s", v.Len(), got, want)
	}
	short := yaml.Mapping("a", "1")
	if got := short.Lines("e", 2); len(got) != 1 || got[0] != "  e: {a: 1}" {
		t.Errorf("a short one is written %q", got)
	}
}
