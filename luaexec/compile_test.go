package luaexec

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// Each session compiles programs of its own: what gopher-lua keeps in store for longer
// ones would be most of what a session takes.
func TestCompiledCodeKeepsNoRoomForMore(t *testing.T) {
	proto, err := Compile("short", "local function f(x) return x end return f(1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*lua.FunctionProto{proto, proto.FunctionPrototypes[0]} {
		room := 4*cap(p.Code) + 8*cap(p.DbgSourcePositions) + 16*cap(p.Constants) + 24*cap(p.DbgCalls)
		if room > 500 {
			t.Errorf("%d instructions take %d bytes", len(p.Code), room)
		}
	}
}
