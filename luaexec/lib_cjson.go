package luaexec

import lua "github.com/yuin/gopher-lua"

// jsonNull is cjson.null: a pointer to nothing. It is shared by all states and
// never changes.
var jsonNull = &lua.LUserData{Metatable: lua.LNil}

// cjson of a server that has just started: its functions that change settings are left out,
// as no script of a lock calls them, and every later script would be changed.
const (
	jsonSparseRatio = 2    // an array that has not one item in so many places is too sparse
	jsonSparseSafe  = 10   // the highest index that is never too sparse
	jsonDepth       = 1000 // of tables in one another
)

func (s *Machine) openCJSON() {
	t := s.L.CreateTable(0, 8)
	register(s.L, t, map[string]lua.LGFunction{"encode": jsonEncode, "decode": jsonDecode})
	t.RawSetString("null", jsonNull)
	t.RawSetString("_NAME", lua.LString("cjson"))
	t.RawSetString("_VERSION", lua.LString("2.1.0"))
	addLibrary(s.L, "cjson", t)
}
