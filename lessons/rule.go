package lessons

import (
	"fmt"
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/luaexec"
)

// ruleBudget is how many instructions one look at a rule may take.
const ruleBudget = 100_000

// luaRule is a compiled Rule: a Lua expression over the keys of the first node and
// the critical sections, such as `stock >= 0` or `get("stock") == "0" or exists("lock")`.
type luaRule struct {
	rule  Rule
	proto *lua.FunctionProto
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
	L := lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 256, CallStackSize: 50, MinimizeStackMemory: true})
	defer L.Close()
	budget := luaexec.NewBudget(ruleBudget)
	L.SetContext(budget)
	luaexec.OpenSafe(L)
	r.openState(L, s)
	L.Push(L.NewFunctionFromProto(r.proto))
	if err := L.PCall(0, 1, nil); err != nil {
		return false, fmt.Errorf("%s:%d: the rule %q could not be checked: %w", r.rule.Place.File, r.rule.Place.Line, r.rule.Name, err)
	}
	return lua.LVAsBool(L.Get(-1)), nil
}

// openState gives an expression its names: get, hget, zscore, exists, ttl
// (milliseconds left, nil without one), inside (how many actors are in a section),
// and each string key as a variable, a number where it is one.
func (r *luaRule) openState(L *lua.LState, s *engine.Snapshot) {
	view := s.Nodes[0]
	look := func(name string) (engine.Key, bool) {
		if r.saw != nil {
			r.saw(name)
		}
		return view.Key(name)
	}
	define := func(name string, read func(k engine.Key) lua.LValue) {
		L.SetGlobal(name, L.NewFunction(func(L *lua.LState) int {
			k, ok := look(L.CheckString(1))
			if !ok {
				L.Push(lua.LNil)
				return 1
			}
			L.Push(read(k))
			return 1
		}))
	}
	item := func(k engine.Key) lua.LValue {
		v, ok := k.Get(L.CheckString(2))
		if !ok {
			return lua.LNil
		}
		return numberOrText(v)
	}
	define("get", func(k engine.Key) lua.LValue { return numberOrText(k.Text) })
	define("hget", item)
	define("zscore", item)
	define("exists", func(engine.Key) lua.LValue { return lua.LTrue })
	define("ttl", func(k engine.Key) lua.LValue {
		if k.Deadline == engine.NoDeadline {
			return lua.LNil
		}
		return lua.LNumber((k.Deadline - s.Now).Milliseconds())
	})
	L.SetGlobal("inside", L.NewFunction(func(L *lua.LState) int {
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
		L.Push(lua.LNumber(n))
		return 1
	}))
	variables(L, look)
}

// variables lets an expression use a string key as if it were a variable.
func variables(L *lua.LState, look func(name string) (engine.Key, bool)) {
	meta := L.NewTable()
	meta.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		k, ok := look(L.CheckString(2))
		if !ok || k.Type != engine.StringKey {
			L.Push(lua.LNil)
			return 1
		}
		L.Push(numberOrText(k.Text))
		return 1
	}))
	L.SetMetatable(L.Get(lua.GlobalsIndex), meta)
}

func numberOrText(s string) lua.LValue {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return lua.LNumber(f)
	}
	return lua.LString(s)
}
