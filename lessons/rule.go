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

// luaRule is an invariant written as a Lua expression over the keys of the
// first node: `stock >= 0`, `get("stock") == "0" or exists("lock")`.
type luaRule struct {
	rule  Rule
	proto *lua.FunctionProto
}

// newLuaRule compiles a rule. A mistake names the file and the line.
func newLuaRule(r Rule) (*luaRule, error) {
	name := fmt.Sprintf("%s:%d", r.File, r.Line)
	proto, err := luaexec.Compile(name, "return ("+r.Lua+"\n)")
	if err != nil {
		return nil, fmt.Errorf("the rule %q is no Lua expression: %w", r.Name, err)
	}
	return &luaRule{rule: r, proto: proto}, nil
}

func (r *luaRule) Name() string { return r.rule.Name }

// Check evaluates the expression on the state after a step.
func (r *luaRule) Check(_ *engine.Snapshot, step *engine.Step) ([]engine.Violation, error) {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 256, CallStackSize: 50, MinimizeStackMemory: true})
	defer L.Close()
	budget := luaexec.NewBudget(ruleBudget)
	L.SetContext(budget)
	luaexec.OpenSafe(L)
	openState(L, step.After.Nodes[0], step.After.Now)
	L.Push(L.NewFunctionFromProto(r.proto))
	if err := L.PCall(0, 1, nil); err != nil {
		return nil, fmt.Errorf("%s:%d: the rule %q could not be checked: %w", r.rule.File, r.rule.Line, r.rule.Name, err)
	}
	if lua.LVAsBool(L.Get(-1)) {
		return nil, nil
	}
	return []engine.Violation{{Invariant: r.rule.Name, Detail: fmt.Sprintf("%s no longer holds", r.rule.Lua)}}, nil
}

// openState gives an expression its names: get, hget, zscore, exists, ttl
// (milliseconds left, nil without one), and each string key as a variable, a number
// where it is one.
func openState(L *lua.LState, view engine.NodeView, now engine.Instant) {
	for _, k := range view.Keys {
		if k.Type == engine.StringKey {
			L.SetGlobal(k.Name, numberOrText(k.Text))
		}
	}
	define := func(name string, read func(k engine.Key) lua.LValue) {
		L.SetGlobal(name, L.NewFunction(func(L *lua.LState) int {
			k, ok := view.Key(L.CheckString(1))
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
		return lua.LNumber((k.Deadline - now).Milliseconds())
	})
}

func numberOrText(s string) lua.LValue {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return lua.LNumber(f)
	}
	return lua.LString(s)
}
