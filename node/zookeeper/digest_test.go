package zookeeper

import (
	"reflect"
	"slices"
	"testing"

	"lockstep/engine"
)

// TestDigestsKnowNoAddresses: what a digest is made of is written the same for equal states. A pointer,
// an interface, a map or a function would be written as the place in memory where it is.
func TestDigestsKnowNoAddresses(t *testing.T) {
	var look func(path string, of reflect.Type)
	look = func(path string, of reflect.Type) {
		switch of.Kind() { //nolint:exhaustive // all others are values
		case reflect.Struct:
			for _, f := range reflect.VisibleFields(of) {
				look(path+"."+f.Name, f.Type)
			}
		case reflect.Slice, reflect.Array:
			look(path+"[]", of.Elem())
		case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
			t.Errorf("%s is a %s", path, of)
		}
	}
	look("state", reflect.TypeFor[state]())
}

// TestDigestsTellStatesApart changes each part of a state by itself.
func TestDigestsTellStatesApart(t *testing.T) {
	ask := func(process string, words ...string) func(*Node) {
		return func(n *Node) {
			_, _ = n.Exec(t.Context(), engine.Op{From: engine.Client{Process: process}, Args: words})
		}
	}
	fault := func(kind engine.ChoiceKind) func(*Node) {
		return func(n *Node) { n.fault("app", kind) }
	}
	met := map[uint64][]string{}
	for name, changes := range map[string][]func(*Node){
		"":                   nil,
		"a session":          {ask("app", "exists", "/a")},
		"two":                {ask("app", "exists", "/a"), ask("web", "exists", "/a")},
		"a watch":            {ask("app", "exists", "/a", "watch")},
		"of children":        {ask("app", "children", "/", "watch")},
		"a znode":            {ask("app", "create", "/a", "")},
		"with data":          {ask("app", "create", "/a", "x")},
		"that is ephemeral":  {ask("app", "create", "/a", "", "ephemeral")},
		"that was written":   {ask("app", "create", "/a", ""), ask("app", "set", "/a", "")},
		"that is gone":       {ask("app", "create", "/a", ""), ask("app", "delete", "/a")},
		"a pause":            {ask("app", "exists", "/a"), fault(engine.Pause)},
		"a cut":              {ask("app", "exists", "/a"), fault(engine.Cut)},
		"a crash":            {ask("app", "exists", "/a"), fault(engine.Crash)},
		"another instant":    {func(n *Node) { n.Shift(1) }},
		"a failed write":     {ask("app", "set", "/a", "")},
		"a pause later":      {ask("app", "exists", "/a"), func(n *Node) { n.now = 1 }, fault(engine.Pause)},
		"a cut after writes": {ask("app", "exists", "/a"), fault(engine.Cut), ask("web", "create", "/a", "")},
		"a cut between them": {ask("app", "exists", "/a"), ask("web", "create", "/a", ""), fault(engine.Cut)},
	} {
		n := NewNode(0)
		for _, change := range changes {
			change(n)
		}
		met[n.Digest()] = append(met[n.Digest()], name)
	}
	for _, names := range met {
		if slices.Sort(names); len(names) > 1 {
			t.Errorf("%q have one digest", names)
		}
	}
}
