package lessons

import (
	"fmt"
	"strconv"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/lua"
)

// What one look at a rule may take.
const (
	ruleInstructions = 100_000
	ruleMemory       = 8 << 20 // bytes
)

// luaRule is a compiled Rule: a Lua expression over the keys of the first node and
// the critical sections, such as `stock >= 0` or `get("stock") == "0" or exists("lock")`.
type luaRule struct {
	rule  Rule
	proto *lua.Proto
	// saw is told of each key and section that the expression looks at, when
	// somebody wants to know.
	saw func(name string)
}

// newLuaRule compiles a rule. A mistake names the file and the line.
func newLuaRule(r Rule) (*luaRule, error) {
	name := fmt.Sprintf("%s:%d", r.Place.File, r.Place.Line)
	proto, err := luaexec.Compile(name, "return ("+r.Lua+"\n)")
	if err != nil {
		return nil, fmt.Errorf("the rule %q is no Lua expression: %w", r.Name, err)
	}
	return &luaRule{rule: r, proto: proto}, nil
}

func (r *luaRule) Name() string { return r.rule.Name }

// Check evaluates the expression on the state after a step.
func (r *luaRule) Check(_ *engine.Snapshot, step *engine.Step) ([]engine.Violation, error) {
	holds, err := r.holds(&step.After)
	if holds || err != nil {
		return nil, err
	}
	return []engine.Violation{{Invariant: r.rule.Name, Detail: fmt.Sprintf("%s no longer holds", r.rule.Lua)}}, nil
}

// holds tells whether the expression is true of a snapshot.
func (r *luaRule) holds(s *engine.Snapshot) (bool, error) {
	L := lua.New(lua.NewBudget(ruleInstructions, ruleMemory))
	luaexec.OpenSafe(L)
	r.openState(L, s)
	L.Push(L.Load(r.proto))
	if err := L.ProtectedCall(0, nil); err != nil {
		return false, fmt.Errorf("%s:%d: the rule %q could not be checked: %w", r.rule.Place.File, r.rule.Place.Line, r.rule.Name, err)
	}
	return lua.Truth(L.Get(1)), nil
}

// openState gives an expression its names: get, hget, zscore, exists, ttl
// (milliseconds left, nil without one), inside (how many actors are in a section),
// and each string key as a variable, a number where it is one.
func (r *luaRule) openState(L *lua.State, s *engine.Snapshot) {
	view := s.Nodes[0]
	look := func(name string) (engine.Key, bool) {
		if r.saw != nil {
			r.saw(name)
		}
		return view.Key(name)
	}
	define := func(name string, read func(k engine.Key) lua.Value) {
		L.Globals().SetString(name, L.NewFunction(func(L *lua.State) int {
			k, ok := look(L.CheckString(1))
			if !ok {
				L.Push(nil)
				return 1
			}
			L.Push(read(k))
			return 1
		}))
	}
	item := func(k engine.Key) lua.Value {
		v, ok := k.Get(L.CheckString(2))
		if !ok {
			return nil
		}
		return numberOrText(v)
	}
	define("get", func(k engine.Key) lua.Value { return numberOrText(k.Text) })
	define("hget", item)
	define("zscore", item)
	define("exists", func(engine.Key) lua.Value { return true })
	define("ttl", func(k engine.Key) lua.Value {
		if k.Deadline == engine.NoDeadline {
			return nil
		}
		return lua.Number(float64((k.Deadline - s.Now).Milliseconds()))
	})
	L.Globals().SetString("inside", L.NewFunction(func(L *lua.State) int {
		section := L.CheckString(1)
		if r.saw != nil {
			r.saw(section)
		}
		n := 0
		for _, h := range s.Held {
			if h.Section == section {
				n = len(h.Actors)
			}
		}
		L.Push(lua.Int(n))
		return 1
	}))
	variables(L, look)
}

// variables lets an expression use a string key as if it were a variable.
func variables(L *lua.State, look func(name string) (engine.Key, bool)) {
	meta := L.NewTable(0, 1)
	meta.SetString("__index", L.NewFunction(func(L *lua.State) int {
		k, ok := look(L.CheckString(2))
		if !ok || k.Type != engine.StringKey {
			L.Push(nil)
			return 1
		}
		L.Push(numberOrText(k.Text))
		return 1
	}))
	L.Globals().SetMetatable(meta)
}

func numberOrText(s string) lua.Value {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return lua.Number(f)
	}
	return s
}
