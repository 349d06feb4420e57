package lessons

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
)

// A search asks a rule millions of times in one Lua state: what an evaluation has made must not stay there.
func TestEvaluationsOfARuleHoldNoMemory(t *testing.T) {
	state := &engine.Snapshot{Nodes: []engine.NodeView{{Node: "n"}}}
	for _, text := range []string{`unpack({"a", "b", get("x")}) == "a"`, `next({1, nil}) == 1`, `tostring({}) ~= ""`} {
		r, err := newLuaRule(Rule{Name: "own", Lua: text})
		if err != nil {
			t.Fatal(err)
		}
		v := newRuleState()
		inUse := func() uint64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := inUse()
		r.states.Put(v)
		for range 5_000 {
			if holds, err := r.holds(state, nil); !holds || err != nil {
				t.Fatalf("%s: %v, %v", text, holds, err)
			}
		}
		if after := inUse(); after > before+300_000 {
			t.Errorf("%s holds %d bytes after 5000 evaluations", text, after-before)
		}
		runtime.KeepAlive(v)
	}
}

// A rule's state is kept for its next evaluation although the rule may call any of these: they change no table that code without
// _G can reach and that stays, and remember nothing that Sandbox.Reset does not forget. So a new one belongs here when this is
// true of it; otherwise newLuaRule has to find out that a rule may call it, and say that it leaves something behind.
func TestNoFunctionOfARuleLeavesSomethingBehind(t *testing.T) {
	const looked = `
		assert error getmetatable ipairs next pairs pcall rawequal rawget rawset select setmetatable tonumber tostring type unpack xpcall
		coroutine.create coroutine.resume coroutine.running coroutine.status coroutine.wrap coroutine.yield
		math.abs math.ceil math.exp math.floor math.fmod math.frexp math.ldexp math.log math.log10 math.max math.min math.mod
		math.modf math.pow math.random math.randomseed math.sqrt
		string.byte string.char string.find string.format string.gfind string.gmatch string.gsub string.len string.lower
		string.match string.rep string.reverse string.sub string.upper
		table.concat table.getn table.insert table.remove table.sort
		deadlocks exists get hget hlen inside lag leads lindex llen node row scard sismember status ttl waiting zcard znode zscore`
	known := strings.Fields(looked)
	v := newRuleState()
	defer v.L.Close()
	var look func(prefix string, into *lua.LTable)
	look = func(prefix string, into *lua.LTable) {
		into.ForEach(func(key, value lua.LValue) {
			name := prefix + key.String()
			switch value := value.(type) {
			case *lua.LTable:
				if value != v.L.G.Global {
					look(name+".", value)
				}
			case *lua.LFunction:
				if !strings.HasPrefix(name, "(") && !slices.Contains(known, name) { // no code can name those of the compiler
					t.Errorf("a rule can call %s: does it leave something behind in its Lua state? See luaRule.leaves, and add it here", name)
				}
			}
		})
	}
	look("", v.L.G.Global)
}
