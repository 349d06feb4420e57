package luaexec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/syntax"
)

// frozenMessage is what Redis answers to a write to one of its tables.
const frozenMessage = "Attempt to modify a readonly table"

// frozen marks a table as read-only by being its metatable. It is shared by all states and never changes.
var frozen = &lua.LTable{Metatable: lua.LNil}

// lockedEnv is where a state with protected globals keeps the environment of code that assigns globals.
const lockedEnv = "lockstep.locked"

// Sandbox is the memory of one state's libraries.
type Sandbox struct {
	// Random is the generator behind math.random.
	Random Random

	quietly         *lua.LFunction // callQuietly
	pairs, ipairs   *lua.LFunction // the iterators that pairs and ipairs return: code can compare them
	shownStringMeta *lua.LTable    // getmetatable(""): read-only, and without the operators of the real one

	addresses map[lua.LValue]int // of printed values, numbered in the order of printing: no real address may leak into a run

	sources    sources         // of the running program
	read       *syntax.Tree    // of the source that a message needed last
	chunks     map[string]bool // names of the sources that messages know
	walks      []*walk         // at most maxWalks, oldest first
	shapes     map[*lua.LTable]shape
	placements map[*lua.LTable]*placement // of followed tables
}

// sandboxKey is the place of a state's sandbox in its registry.
const sandboxKey = "lockstep.sandbox"

func sandboxOf(L *lua.LState) *Sandbox {
	return L.G.Registry.RawGetString(sandboxKey).(*lua.LUserData).Value.(*Sandbox)
}

// OpenSafe opens the base functions, string, table, math and coroutine in a state without libraries. The state's
// Budget bounds them, and no script can change the libraries. None of them reaches files, the clock, the process or
// the debugger. Code for the state must come from Compile.
func OpenSafe(L *lua.LState) *Sandbox {
	s := &Sandbox{Random: NewRandom(), addresses: map[lua.LValue]int{}, quietly: L.NewFunction(callQuietly), pairs: L.NewFunction(baseNext), ipairs: L.NewFunction(ipairsNext)}
	L.G.MainThread = L
	L.G.Registry.RawSetString(sandboxKey, &lua.LUserData{Value: s})
	globals := L.G.Global
	register(L, globals, baseFunctions)
	register(L, globals, map[string]lua.LGFunction{
		"tostring":   s.tostring,
		setIndexName: s.setIndex,
		newKeyName:   newKey,
		concatName:   concat,
		lengthName:   length,
		sizedName:    s.sized,
		boundName:    bound,
		payName:      pay,
		"pcall":      s.pcall,
		"xpcall":     s.xpcall,
	})
	register(L, globals, operators)
	globals.RawSetString("_G", globals)
	globals.RawSetString("_VERSION", lua.LString(lua.LuaVersion))
	text := openLibrary(L, "string", stringFunctions)
	openLibrary(L, "table", tableFunctions)
	addLibrary(L, "math", s.openMath(L))
	addLibrary(L, "coroutine", s.openCoroutine(L))
	s.shownStringMeta = L.CreateTable(0, 1)
	s.shownStringMeta.RawSetString("__index", text)
	freeze(s.shownStringMeta)
	metatable := L.CreateTable(0, 4)
	metatable.RawSetString("__index", text)
	register(L, metatable, stringOperators)
	L.SetMetatable(lua.LString(""), metatable)
	return s
}

// addLibrary makes a table a global and read-only.
func addLibrary(L *lua.LState, name string, library *lua.LTable) {
	freeze(library)
	L.G.Global.RawSetString(name, library)
}

func openLibrary(L *lua.LState, name string, functions map[string]lua.LGFunction) *lua.LTable {
	library := L.CreateTable(0, len(functions))
	register(L, library, functions)
	addLibrary(L, name, library)
	return library
}

// Reset makes the sandbox as new for the next run, Random and sources aside: their owner sets them.
func (s *Sandbox) Reset() {
	s.walks, s.read = nil, nil
	clear(s.shapes)
	clear(s.placements)
	clear(s.addresses)
}

// protectGlobals makes the globals of the machine read-only, as Redis does: reading an unknown global
// fails, and so does setting any.
func (s *Machine) protectGlobals() {
	L := s.L
	meta := L.CreateTable(0, 2)
	meta.RawSetString("__index", L.NewFunction(s.unknownGlobal))
	meta.RawSetString("__newindex", L.NewFunction(refuseWrite))
	freeze(meta)
	L.G.Global.Metatable = meta
	// __newindex fires only for keys that a table lacks. So code that assigns globals runs in an
	// empty environment that reads through to them.
	through := L.CreateTable(0, 2)
	through.RawSetString("__index", L.G.Global)
	through.RawSetString("__newindex", L.NewFunction(refuseWrite))
	locked := L.CreateTable(0, 0)
	locked.Metatable = through
	L.G.Registry.RawSetString(lockedEnv, locked)
}

// load makes a function of a prototype: in the empty environment if it sets globals that are protected.
func load(L *lua.LState, proto *lua.FunctionProto, setsGlobals bool) *lua.LFunction {
	fn := L.NewFunctionFromProto(proto)
	fn.Env = L.G.Global
	if locked, ok := L.G.Registry.RawGetString(lockedEnv).(*lua.LTable); ok && setsGlobals {
		fn.Env = locked
	}
	return fn
}

func (s *Machine) unknownGlobal(L *lua.LState) int {
	name, _ := asString(L.Get(2))
	message := fmt.Sprintf("Script attempted to access nonexistent global variable '%s'", name)
	s.host.Lacks(name, message)
	raise(L, message)
	return 0
}

func refuseWrite(L *lua.LState) int {
	raise(L, frozenMessage)
	return 0
}

func freeze(t *lua.LTable) { t.Metatable = frozen }

func isFrozen(t *lua.LTable) bool { return t.Metatable == frozen || protects(t) }

// protects tells whether a table is the protected globals: no other table has a
// metatable that is read-only itself and refuses writes.
func protects(t *lua.LTable) bool {
	meta, ok := t.Metatable.(*lua.LTable)
	return ok && meta.Metatable == frozen
}

// register adds functions in the order of their names: gopher-lua walks a table in the order of insertion.
func register(L *lua.LState, t *lua.LTable, functions map[string]lua.LGFunction) {
	for _, name := range sortedNames(functions) {
		t.RawSetString(name, L.NewFunction(functions[name]))
	}
}

func sortedNames[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// setIndex is t[k] = v.
func (s *Sandbox) setIndex(L *lua.LState) int {
	object, key, value := L.Get(1), L.Get(2), L.Get(3)
	t, ok := object.(*lua.LTable)
	if ok && t.Metatable == lua.LNil {
		checkKey(L, key)
		chargeKey(L, t, key)
		s.willWrite(L, t, key, value)
		t.RawSet(key, value)
		return 0
	}
	// No table of a chain of __newindex may be read-only.
	for range lua.MaxTableGetLoop {
		if !ok {
			break
		}
		if isFrozen(t) {
			raise(L, frozenMessage)
		}
		next := L.GetMetaField(t, "__newindex")
		chargeKey(L, t, key)
		t, ok = next.(*lua.LTable)
	}
	if t, isTable := object.(*lua.LTable); isTable {
		checkKey(L, key)
		if t.RawGet(key) != lua.LNil || L.GetMetaField(t, "__newindex") == lua.LNil {
			s.willWrite(L, t, key, value)
		}
	} else if L.GetMetaField(object, "__newindex") == lua.LNil {
		raisef(L, "attempt to index a %s value", object.Type())
	}
	instructionCalls(L)
	L.SetTable(object, key, value)
	return 0
}

func checkKey(L *lua.LState, key lua.LValue) {
	switch n := key.(type) {
	case *lua.LNilType:
		raise(L, "table index is nil")
	case lua.LNumber:
		if n != n {
			raise(L, "table index is NaN")
		}
	}
}

// newKey is the key of {[k] = v}.
func newKey(L *lua.LState) int {
	key := L.Get(1)
	checkKey(L, key)
	chargeKey(L, nil, key)
	return push(L, key)
}

// pay charges a function for its arguments.
func pay(L *lua.LState) int {
	n := L.GetTop()
	if n > maxResults {
		raise(L, "stack overflow")
	}
	charge(L, int64(n/4))
	return 0
}

// concat is a .. b .. c.
func concat(L *lua.LState) int {
	n := L.GetTop()
	parts := make([]string, n)
	size := 0
	for i := range parts {
		s, ok := asString(L.Get(i + 1))
		if !ok {
			return concatSlowly(L, n)
		}
		parts[i] = s
		size += len(s)
	}
	chargeString(L, size)
	return push(L, lua.LString(strings.Join(parts, "")))
}

// concatSlowly joins from the right, pair by pair, and calls __concat where an operand is no text.
func concatSlowly(L *lua.LState, n int) int {
	right := L.Get(n)
	for i := n - 1; i > 0; i-- {
		left := L.Get(i)
		a, okA := asString(left)
		b, okB := asString(right)
		if okA && okB {
			chargeString(L, len(a)+len(b))
			right = lua.LString(a + b)
			continue
		}
		f := L.GetMetaField(left, "__concat")
		if f == lua.LNil {
			f = L.GetMetaField(right, "__concat")
		}
		if f == lua.LNil {
			culprit := left
			if okA {
				culprit = right
			}
			raise(L, fmt.Sprintf("attempt to concatenate a %s value", culprit.Type()))
		}
		instructionCalls(L)
		right = call(L, f, left, right)
	}
	return push(L, right)
}
