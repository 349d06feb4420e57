package luaexec

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func baseLoad(L *lua.LState) int {
	f, name := checkFunction(L, 1), optString(L, 2, "=(load)")
	var source strings.Builder
	for {
		piece := call(L, f)
		text, ok := piece.(lua.LString)
		if piece == lua.LNil || ok && text == "" {
			return loadSource(L, source.String(), name)
		}
		if !ok {
			raise(L, "reader function must return a string")
		}
		chargeString(L, source.Len()+len(text))
		source.WriteString(string(text))
	}
}

func baseLoadString(L *lua.LState) int {
	source := checkString(L, 1)
	return loadSource(L, source, optString(L, 2, source))
}

func loadSource(L *lua.LState, source, name string) int {
	const cost = 200 // instructions that even an empty source takes
	charge(L, int64(cost+4*len(source)))
	shown := displayName(name)
	proto, _, err := compile(shown, source)
	if err != nil {
		return push(L, lua.LNil, lua.LString(err.Error()))
	}
	s := sandboxOf(L)
	if s.chunks == nil {
		s.chunks = map[string]string{}
	}
	if s.loaded == nil {
		s.loaded = sources{}
	}
	s.chunks[shown] = name
	s.loaded.add(source, proto, 0)
	s.loadedBytes += loadedBytes + int64(len(source))*sourceBytes
	return push(L, load(L, proto, setsGlobals(proto)))
}

// displayName is how Lua shows the name of a chunk in messages.
func displayName(name string) string {
	if rest, ok := strings.CutPrefix(name, "="); ok {
		return rest
	}
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		return rest
	}
	const limit = 45
	line, _, cut := strings.Cut(name, "\n")
	if len(line) > limit {
		line, cut = line[:limit], true
	}
	if cut {
		line += "..."
	}
	return `[string "` + line + `"]`
}
