package lessons

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/luaexec"
)

// ruleBudget bounds the instructions of one evaluation. A rule needs a few dozen, and a lesson may have
// sixteen rules and two thousand steps.
const ruleBudget = 5_000

// luaRule is a compiled Rule: a Lua expression over the keys and the critical
// sections, such as `stock >= 0` or `get("stock") == "0" or exists("lock")`.
type luaRule struct {
	rule   Rule
	proto  *lua.FunctionProto
	around bool      // it may look beyond the keys of nodes and the number inside each section
	leaves bool      // it may leave something behind in its Lua state
	states sync.Pool // of *ruleState, for the next evaluation; empty if it leaves something behind
}

// ruleState is a Lua state with what an expression can name. Opening one costs many times an evaluation.
type ruleState struct {
	L       *lua.LState
	sandbox *luaexec.Sandbox // of L
	of      *engine.Snapshot // that is looked at
	saw     func(sight)      // hears of each thing at which the expression looks; nil: nobody asks
}

// sight is one thing at which an expression looked. The Node of an actor's state is the actor.
type sight = engine.Place

// newLuaRule compiles a rule. A mistake names the file and the line.
func newLuaRule(r Rule) (*luaRule, error) {
	proto, err := luaexec.Compile(r.Name, "return ("+r.Lua+"\n)")
	if err != nil {
		return nil, fmt.Errorf("%s: the rule %q is not a Lua expression: %w", r.Place, r.Name, err)
	}
	// Only globals outlive an evaluation: libraries cannot be changed, and what a library remembers is forgotten with Sandbox.Reset.
	leaves := luaexec.Mentions(proto, "_G") || luaexec.SetsGlobals(proto)
	return &luaRule{rule: r, proto: proto, around: luaexec.Mentions(proto, looksAround...), leaves: leaves}, nil
}

// looksAround are the functions that make a rule look around, and the name through which an expression
// could get any of them.
var looksAround = []string{"waiting", "status", "leads", "lag", "deadlocks", "_G"}

// LooksAtKeysOnly implements search.KeysRule.
func (r *luaRule) LooksAtKeysOnly() bool { return !r.around }

func (r *luaRule) Name() string { return r.rule.Name }

// Check implements engine.Invariant on the state after a step.
func (r *luaRule) Check(_ *engine.Snapshot, step *engine.Step) ([]engine.Violation, error) {
	holds, err := r.holds(&step.After, nil)
	if holds || err != nil {
		return nil, err
	}
	return []engine.Violation{{Invariant: r.rule.Name, Detail: fact.Of("rule-broken", r.rule.Lua), Looked: r.places(&step.After)}}, nil
}

// places are the places on nodes, the sections and the actors at which the expression looks in a snapshot, each once.
func (r *luaRule) places(s *engine.Snapshot) []engine.Place {
	var all []engine.Place
	saw := func(at sight) {
		if !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	_, _ = r.holds(s, saw) // Check has its result already
	return all
}

// holds tells whether the expression is true of a snapshot: rules keep nothing between steps. saw hears of what it looks at,
// unless it is nil. The error is a *RuleError.
func (r *luaRule) holds(s *engine.Snapshot, saw func(sight)) (bool, error) {
	v, _ := r.states.Get().(*ruleState)
	if v == nil {
		v = newRuleState()
	}
	v.of, v.saw = s, saw
	budget := luaexec.NewBudget(ruleBudget)
	v.L.SetContext(budget)
	v.L.Push(v.L.NewFunctionFromProto(r.proto))
	if err := v.L.PCall(0, 1, nil); err != nil {
		v.L.Close()
		return false, r.failed(err, budget)
	}
	answer := v.L.Get(-1)
	if v.of, v.saw = nil, nil; r.leaves {
		v.L.Close()
	} else {
		v.L.SetTop(0)
		v.sandbox.Reset()
		v.sandbox.Random = luaexec.NewRandom()
		r.states.Put(v)
	}
	if n, ok := answer.(lua.LNumber); ok { // in Lua every number is true
		return false, &RuleError{Rule: r.rule, Reason: fact.Of("rule-number", n.String()), Advice: fact.Of("rule-compare")}
	}
	return lua.LVAsBool(answer), nil
}

func returning(L *lua.LState, result func(*lua.LState) lua.LValue) *lua.LFunction {
	return L.NewFunction(func(L *lua.LState) int {
		L.Push(result(L))
		return 1
	})
}

// nodeNamed is the node that the first argument names.
func (v *ruleState) nodeNamed(L *lua.LState) engine.NodeView {
	name := L.CheckString(1)
	view, ok := v.of.Node(name)
	if !ok {
		L.RaiseError("there is no server %q", name)
	}
	return view
}

// newRuleState defines what an expression can name. Functions of keys are about the first node, and node(name)
// has them for another one.
func newRuleState() *ruleState {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 256, CallStackSize: 50, MinimizeStackMemory: true})
	v := &ruleState{L: L, sandbox: luaexec.OpenSafe(L)}
	first := func() engine.NodeView { return v.of.Nodes[0] }
	v.openNode(L.G.Global, first)
	L.SetGlobal("node", returning(L, func(L *lua.LState) lua.LValue {
		t, view := L.NewTable(), v.nodeNamed(L)
		v.openNode(t, func() engine.NodeView { return view })
		return t
	}))
	for name, sections := range map[string]func() []engine.Holding{
		"inside":  func() []engine.Holding { return v.of.Held },
		"waiting": func() []engine.Holding { return v.of.Wanted },
	} {
		L.SetGlobal(name, returning(L, func(L *lua.LState) lua.LValue {
			section := L.CheckString(1)
			v.looks(sight{Key: section})
			n := 0
			for _, h := range sections() {
				if h.Section == section {
					n = len(h.Actors)
				}
			}
			return lua.LNumber(n)
		}))
	}
	L.SetGlobal("status", returning(L, func(L *lua.LState) lua.LValue {
		name := L.CheckString(1)
		v.looks(sight{Node: name})
		status, ok := statusOf(v.of, name)
		if !ok {
			L.RaiseError("there is no actor and no server %q", name)
		}
		return lua.LString(status)
	}))
	v.openReplicas()
	v.variables(first)
	return v
}

// openReplicas defines leads and lag. The lag of a node that has lost its leader is infinite.
func (v *ruleState) openReplicas() {
	define := func(name string, read func(engine.NodeView) lua.LValue) {
		v.L.SetGlobal(name, returning(v.L, func(L *lua.LState) lua.LValue {
			view := v.nodeNamed(L)
			v.looks(sight{Node: view.Node})
			return read(view)
		}))
	}
	define("leads", func(view engine.NodeView) lua.LValue { return lua.LBool(leads(view)) })
	define("lag", func(view engine.NodeView) lua.LValue {
		if view.Stale {
			return lua.LNumber(math.Inf(1))
		}
		return lua.LNumber(len(view.Queue))
	})
}

func (v *ruleState) looks(at sight) {
	if v.saw != nil {
		v.saw(at)
	}
}

// counted are the functions that count items, each with the type of its key. A missing key has none.
var counted = map[string]engine.KeyType{
	"llen": engine.ListKey, "hlen": engine.HashKey, "scard": engine.SetKey, "zcard": engine.ZSetKey,
}

// openNode puts the functions of one node's keys into a table. They return nil for a missing key, unless
// they count its items.
func (v *ruleState) openNode(into *lua.LTable, node func() engine.NodeView) {
	L := v.L
	define := func(name, as string, args int, read func(L *lua.LState, k engine.Key) lua.LValue) {
		into.RawSetString(name, returning(L, func(L *lua.LState) lua.LValue {
			if L.GetTop() != args {
				L.RaiseError("%s is written %s", name, as)
			}
			key, view := L.CheckString(1), node()
			v.looks(sight{Node: view.Node, Key: key})
			k, there := keyOf(view, key)
			switch {
			case there:
				return read(L, k)
			case counted[name] != "":
				return lua.LNumber(0)
			}
			return lua.LNil
		}))
	}
	item := func(of engine.KeyType) func(*lua.LState, engine.Key) lua.LValue {
		return func(L *lua.LState, k engine.Key) lua.LValue {
			text, ok := k.Get(L.CheckString(2))
			if !ok || k.Type != of {
				return lua.LNil
			}
			return numberOrText(text)
		}
	}
	define("get", "get(key)", 1, func(_ *lua.LState, k engine.Key) lua.LValue { return numberOrText(textOf(k)) })
	define("hget", "hget(key, field)", 2, item(engine.HashKey))
	define("zscore", "zscore(key, member)", 2, item(engine.ZSetKey))
	define("lindex", "lindex(key, index)", 2, func(L *lua.LState, k engine.Key) lua.LValue {
		if text, ok := k.At(L.CheckInt(2)); ok {
			return numberOrText(text)
		}
		return lua.LNil
	})
	for _, name := range []string{"llen", "hlen", "scard", "zcard"} {
		of := counted[name]
		define(name, name+"(key)", 1, func(_ *lua.LState, k engine.Key) lua.LValue {
			if k.Type != of {
				return lua.LNil
			}
			return lua.LNumber(len(k.Items))
		})
	}
	define("sismember", "sismember(key, member)", 2, func(L *lua.LState, k engine.Key) lua.LValue {
		_, in := k.Get(L.CheckString(2))
		return lua.LBool(in && k.Type == engine.SetKey)
	})
	into.RawSetString("row", returning(L, func(L *lua.LState) lua.LValue {
		key, view := L.CheckString(1)+"/"+L.CheckString(2), node()
		v.looks(sight{Node: view.Node, Key: key})
		k, there := keyOf(view, key)
		if !there {
			return lua.LNil
		}
		return fields(L, k)
	}))
	into.RawSetString("deadlocks", returning(L, func(*lua.LState) lua.LValue {
		view := node()
		v.looks(sight{Node: view.Node})
		return lua.LNumber(view.Deadlock.N)
	}))
	define("znode", "znode(path)", 1, func(L *lua.LState, k engine.Key) lua.LValue {
		if k.Type != engine.ZnodeKey {
			return lua.LNil
		}
		return fields(L, k)
	})
	define("exists", "exists(key)", 1, func(*lua.LState, engine.Key) lua.LValue { return lua.LTrue })
	define("ttl", "ttl(key)", 1, func(_ *lua.LState, k engine.Key) lua.LValue {
		if k.Deadline == engine.NoDeadline {
			return lua.LNil
		}
		return lua.LNumber((k.Deadline - v.of.Now).Milliseconds())
	})
}

// variables makes each string key a variable; every other name is nil.
func (v *ruleState) variables(node func() engine.NodeView) {
	L := v.L
	meta := L.NewTable()
	meta.RawSetString("__index", returning(L, func(L *lua.LState) lua.LValue {
		name, view := L.CheckString(2), node()
		v.looks(sight{Node: view.Node, Key: name})
		k, ok := view.Key(name)
		if !ok || k.Type != engine.StringKey {
			return lua.LNil
		}
		return numberOrText(k.Text)
	}))
	L.SetMetatable(L.Get(lua.GlobalsIndex), meta)
}

// fields is a table of the items of a row or a znode, by name.
func fields(L *lua.LState, k engine.Key) *lua.LTable {
	t := L.NewTable()
	for _, it := range k.Items {
		t.RawSetString(it.Name, numberOrText(it.Value))
	}
	return t
}

// exact bounds the whole numbers that Lua has all of: from 2^53 on, two that differ may be one.
const exact = 1 << 53

// numberOrText is a text as a rule has it, a number if that loses nothing.
func numberOrText(s string) lua.LValue {
	f, err := strconv.ParseFloat(s, 64)
	_, notWhole := strconv.ParseInt(s, 10, 64)
	if err != nil || math.IsNaN(f) || notWhole == nil && math.Abs(f) >= exact {
		return lua.LString(s)
	}
	return lua.LNumber(f)
}

// RuleError is a rule that could not be evaluated on some state: a mistake in the lesson.
type RuleError struct {
	Rule   Rule
	Reason fact.Fact // mostly the interpreter's text
	Advice fact.Fact // what to write; may be empty
}

func (e *RuleError) Error() string {
	text := fmt.Sprintf("%s: the rule %q cannot be evaluated: %s", e.Rule.Place, e.Rule.Name, e.Reason)
	if e.Advice.Code != "" {
		text += "; " + e.Advice.Error()
	}
	return text
}

// failed words an error of the interpreter for the author.
func (r *luaRule) failed(err error, budget *luaexec.Budget) *RuleError {
	says := err.Error()
	if raised, ok := err.(*lua.ApiError); ok { //nolint:errorlint // gopher-lua returns it unwrapped
		_, says, _ = strings.Cut(raised.Object.String(), ": ")
	}
	e := &RuleError{Rule: r.rule, Reason: fact.Text(says)}
	switch {
	case budget.Spent():
		e.Reason = fact.Of("rule-runs-long", ruleBudget)
	case strings.Contains(says, "non-function"):
		e.Reason, e.Advice = fact.Of("rule-calls-nothing"), fact.Of("rule-can-call")
	case strings.Contains(says, "nil"):
		e.Advice = fact.Of("rule-nil")
	}
	return e
}
