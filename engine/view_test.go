package engine

import (
	"fmt"
	"slices"
	"testing"
)

func TestKeysAreEqualWhenAllOfThemIs(t *testing.T) {
	key := Key{Name: "k", Type: HashKey, Text: "t", Items: []Item{{"f", "v"}}, Deadline: 5}
	if !key.Equal(Key{Name: "k", Type: HashKey, Text: "t", Items: []Item{{"f", "v"}}, Deadline: 5}) {
		t.Error("a copy differs")
	}
	for i, change := range []func(*Key){
		func(k *Key) { k.Name = "l" },
		func(k *Key) { k.Type = ZSetKey },
		func(k *Key) { k.Text = "u" },
		func(k *Key) { k.Items = []Item{{"f", "w"}} },
		func(k *Key) { k.Deadline = NoDeadline },
	} {
		other := key
		if change(&other); key.Equal(other) {
			t.Errorf("change %d is not noticed", i)
		}
	}
}

func TestPartsOfKeysAreFound(t *testing.T) {
	list := Key{Type: ListKey, Items: []Item{{"", "a"}, {"", "b"}, {"", "c"}}}
	var got []string
	for i := -4; i <= 3; i++ {
		value, ok := list.At(i)
		got = append(got, fmt.Sprint(i, value, ok))
	}
	if want := []string{"-4false", "-3atrue", "-2btrue", "-1ctrue", "0atrue", "1btrue", "2ctrue", "3false"}; !slices.Equal(got, want) {
		t.Errorf("the elements of a list are %q", got)
	}
	hash := Key{Type: HashKey, Items: []Item{{"f", "v"}}}
	if _, ok := hash.At(0); ok {
		t.Error("a hash has an element")
	}
	if value, ok := hash.Get("f"); value != "v" || !ok {
		t.Errorf("a field is %q, %v", value, ok)
	}
	if value, ok := hash.Get("g"); value != "" || ok {
		t.Errorf("a field that is not there is %q, %v", value, ok)
	}
}

func TestKeysAndActorsAreFoundByName(t *testing.T) {
	s := Snapshot{
		Nodes:  []NodeView{{Node: "n1", Keys: []Key{{Name: "a"}, {Name: "b"}, {Name: "d"}}}, {Node: "n2", Keys: []Key{{Name: "e"}}}},
		Actors: []ActorState{{Name: "A"}, {Name: "B"}},
	}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		v, there := s.Node("n1")
		if !there {
			t.Fatal("n1 is not found")
		}
		k, ok := v.Key(name)
		if want := name != "c" && name != "e"; ok != want || want && k.Name != name {
			t.Errorf("%s in n1: %v, %v", name, k, ok)
		}
		if got := s.Exists(name); got != (name != "c") {
			t.Errorf("%s exists: %v", name, got)
		}
	}
	if v, ok := s.Node("n3"); ok || v.Node != "" {
		t.Errorf("n3 is %v", v)
	}
	if a, ok := s.Actor("B"); !ok || a.Name != "B" {
		t.Errorf("B is %v, %v", a, ok)
	}
	if a, ok := s.Actor("C"); ok {
		t.Errorf("C is %v", a)
	}
	if _, known := Rule("fairness"); known {
		t.Error("there is a rule of fairness")
	}
}

func TestScoresAreWrittenInOneWay(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 5: "5", -12: "-12", 1.5: "1.5", 0.1: "0.1", -0.25: "-0.25", 3.14159265358979: "3.14159265358979",
		99999999999999984: "99999999999999984", -99999999999999984: "-99999999999999984",
		1e17: "1e+17", -1e17: "-1e+17", 1e300: "1e+300", 1700000000000: "1700000000000",
	} {
		if got := FormatScore(f); got != want {
			t.Errorf("%v is written %s, want %s", f, got, want)
		}
	}
}
