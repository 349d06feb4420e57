package luaexec

import (
	"maps"
	"slices"

	"lockstep/luaexec/lua"
)

// Sandbox is what the libraries of one state remember.
type Sandbox struct {
	// Random is the generator behind math.random.
	Random Rand48
}

// OpenSafe opens in a state what code may use, bounded by the state's budget: the
// base functions, string, table, math and coroutine, the libraries read-only. It
// opens nothing that reaches files, the clock, the process or the debugger.
func OpenSafe(L *lua.State) *Sandbox {
	s := &Sandbox{Random: NewRand48()}
	openBase(L)
	addLibrary(L, "string", library(L, stringFunctions))
	addLibrary(L, "table", library(L, tableFunctions))
	addLibrary(L, "math", s.openMath(L))
	addLibrary(L, "coroutine", library(L, coroutineFunctions))
	L.Globals().SetString("_G", L.Globals())
	ofStrings := L.NewTable(0, 1)
	ofStrings.SetString("__index", L.Globals().GetString("string"))
	ofStrings.SetReadOnly(true)
	L.SetStringMetatable(ofStrings)
	return s
}

// library makes a table of functions.
func library(L *lua.State, functions map[string]lua.GoFunction) *lua.Table {
	t := L.NewTable(0, len(functions))
	register(L, t, functions)
	return t
}

// register adds functions in the order of their names, so that pairs meets them
// in the same order everywhere.
func register(L *lua.State, t *lua.Table, functions map[string]lua.GoFunction) {
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		t.SetString(name, L.NewFunction(functions[name]))
	}
}

// addLibrary makes a table a global that code can only read.
func addLibrary(L *lua.State, name string, t *lua.Table) {
	t.SetReadOnly(true)
	L.Globals().SetString(name, t)
}

// protectGlobals makes the globals of a state read-only, as Redis does: code
// that reads a global that is not there fails, and so does code that sets one.
func protectGlobals(L *lua.State) {
	meta := L.NewTable(0, 1)
	meta.SetString("__index", L.NewFunction(unknownGlobal))
	meta.SetReadOnly(true)
	L.Globals().SetMetatable(meta)
	L.Globals().SetReadOnly(true)
}

func unknownGlobal(L *lua.State) int {
	name, _ := lua.ToString(L.Get(2))
	L.Failf("Script attempted to access nonexistent global variable '%s'", name)
	return 0
}
