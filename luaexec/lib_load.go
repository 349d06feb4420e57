package luaexec

import (
	"strings"

	"lockstep/luaexec/lua"
)

func baseLoad(L *lua.State) int {
	name := L.OptString(2, "=(load)")
	f := L.CheckFunction(1)
	source := growing{L: L}
	// What goes wrong while it is read is an answer, as a mistake in it would be.
	L.Push(L.NewFunction(func(L *lua.State) int {
		for {
			L.Push(f)
			L.Call(0, 1)
			piece := L.Get(-1)
			text, ok := lua.ToString(piece)
			if piece == nil || text == "" && ok {
				return 0
			}
			if !ok {
				L.Fail("reader function must return a string")
			}
			source.addString(text)
			L.Pop(1)
		}
	}))
	if failure := protect(L, 0, nil); failure != nil {
		L.Push(nil)
		L.Push(failure.Value)
		return 2
	}
	source.L.Keep(-source.kept)
	return loadSource(L, string(source.bytes), name)
}

func baseLoadString(L *lua.State) int {
	source := L.CheckString(1)
	return loadSource(L, source, L.OptString(2, source))
}

func loadSource(L *lua.State, source, name string) int {
	const cost = 200 // instructions that even an empty source takes
	L.Charge(int64(cost + 4*len(source)))
	name, _, _ = strings.Cut(name, "\x00")
	proto, err := L.Compile(source, name)
	if err != nil {
		L.Push(nil)
		L.Push(err.Error())
		return 2
	}
	L.Push(L.Load(proto))
	return 1
}
