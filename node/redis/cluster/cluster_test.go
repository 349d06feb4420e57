package cluster

import (
	"fmt"
	"testing"

	"lockstep/engine"
)

// The slots of the cluster specification and of CLUSTER KEYSLOT in Redis 7.0.
func TestSlot(t *testing.T) {
	for key, want := range map[string]int{
		"123456789": 12739, "": 0, "foo": 12182, "bar": 5061, "{user1000}.following": 3443, "{user1000}.followers": 3443,
		"foo{}{bar}": 8363, "foo{{bar}}zap": 4015, "foo{bar}{zap}": 5061, "{": 8436 % Slots, "anyLock": Slot("{anyLock}:channel"),
	} {
		if got := Slot(key); key != "{" && got != want {
			t.Errorf("%q has slot %d, want %d", key, got, want)
		}
	}
}

func TestRefuse(t *testing.T) {
	m := Member{"n1", []Range{{"n1", 0, 5460}, {"n2", 5461, 12000}}, []Move{{5061, "n1", "n2"}, {8363, "n2", "n1"}, {Slot("c"), "n2", "n1"}}}
	has := func(key string) bool { return key == "bar" || key == "{bar}2" }
	script := &engine.Script{Source: "return 1"}
	for _, c := range []struct {
		op   engine.Op
		want string // empty: the member does it
	}{
		{engine.Op{Args: []string{"GET", "bar"}}, ""},
		{engine.Op{Args: []string{"PING"}}, ""},
		{engine.Op{Args: []string{"GET", "foo{}{bar}"}}, "(error) MOVED 8363 n2"},
		{engine.Op{Args: []string{"GET", "foo"}}, "(error) CLUSTERDOWN Hash slot not served"},
		{engine.Op{Args: []string{"MSET", "foo", "1", "bar", "2"}}, "(error) CROSSSLOT Keys in request don't hash to the same slot"},
		{engine.Op{Args: []string{"MSET", "bar", "1", "{bar}2", "2"}}, ""},
		{engine.Op{Args: []string{"MSET", "{bar}1", "1", "{bar}2", "2"}}, "(error) TRYAGAIN Multiple keys request during rehashing of slot"},
		{engine.Op{Args: []string{"GET", "{bar}1"}}, "(error) ASK 5061 n2"},
		{engine.Op{Args: []string{"GET", "{bar}1"}, Asking: true}, "(error) ASK 5061 n2"},
		{engine.Op{Args: []string{"GET", "foo{}{bar}"}, Asking: true}, ""},
		{engine.Op{Script: script, Keys: []string{"{c}1", "{c}2"}, Asking: true}, "(error) TRYAGAIN Multiple keys request during rehashing of slot"},
		{engine.Op{Script: script, Keys: []string{"foo{}{bar}", "foo{}{bar}"}, Asking: true}, ""}, // of one key, as Redis 7.0 and Valkey 8.0 take it
		{engine.Op{Script: script, Keys: []string{"bar", "baz"}}, "(error) CROSSSLOT Keys in request don't hash to the same slot"},
		{engine.Op{Script: script}, ""},
		{engine.Op{Args: []string{"GET"}}, ""},
	} {
		c.op.From.Actor = "A"
		r, refused := m.Refuse(c.op, has)
		if got := r.String(); refused != (c.want != "") || refused && got != c.want {
			t.Errorf("%v is answered %s, want %q", c.op.Args, got, c.want)
		}
	}
	if _, refused := new(Member).Refuse(engine.Op{From: engine.Client{Actor: "A"}, Args: []string{"GET", "foo"}}, has); refused {
		t.Error("a node of no cluster refuses a key")
	}
}

// The slots that redis-cli --cluster create gives three and five nodes.
func TestSplit(t *testing.T) {
	for want, nodes := range map[string][]string{
		"[{a 0 5460} {b 5461 10922} {c 10923 16383}]":                             {"a", "b", "c"},
		"[{a 0 3276} {b 3277 6553} {c 6554 9829} {d 9830 13106} {e 13107 16383}]": {"a", "b", "c", "d", "e"},
	} {
		if got := fmt.Sprint(Split(nodes)); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
