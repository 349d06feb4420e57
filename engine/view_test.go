package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
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

// A search takes two moments of a node for one when their views are equal, so a view that differs
// in any part of it must not be.
func TestViewsAreEqualWhenAllOfThemIs(t *testing.T) {
	full := func() *NodeView {
		v := &NodeView{}
		fill(reflect.ValueOf(v).Elem())
		return v
	}
	if !full().Equal(full()) {
		t.Error("a copy differs")
	}
	of := []string{"Node", "Status", "Clock", "Leader", "Stale", "Queue", "Silent", "Inbox", "Saved"} // what only the world knows
	parts := 0
	for i := 0; ; i++ {
		other := full()
		path, left := change(reflect.ValueOf(other).Elem(), i, "")
		if left >= 0 {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(path, "."), ".")
		if slices.Contains(of, strings.TrimRight(name, "[]")) {
			continue
		}
		parts++
		if full().Equal(other) {
			t.Errorf("another %s is not noticed", path)
		}
	}
	if parts < 25 {
		t.Errorf("%d parts were changed", parts)
	}
}

// fill gives a value one of everything.
func fill(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // views have no others
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				fill(field)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("a")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Bool:
		v.SetBool(true)
	}
}

// change changes the nth text, number or length in a value, and tells which that is; left is how many it
// does not have.
func change(v reflect.Value, n int, at string) (path string, left int) {
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if !v.Field(i).CanSet() {
				continue
			}
			if path, n = change(v.Field(i), n, at+"."+v.Type().Field(i).Name); n < 0 {
				return path, n
			}
		}
		return "", n
	}
	if v.Kind() == reflect.Slice {
		if n == 0 {
			v.SetZero()
			return at + "[]", -1
		}
		return change(v.Index(0), n-1, at+"[]")
	}
	if !v.CanSet() || v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface || v.Kind() == reflect.Map {
		return "", n
	}
	if n == 0 {
		v.SetZero()
	}
	return at, n - 1
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
