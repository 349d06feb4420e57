package luaexec

import (
	"errors"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
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

func TestCheckSaysWhere(t *testing.T) {
	for _, c := range []struct {
		source string
		line   int // 0 for a script that compiles
		text   string
	}{
		{"return 1", 0, ""},
		{"local x = 1\nif x then\n  return\n", 3, "lock.lua:3: 'end' expected (to close 'if' at line 2) near '<eof>'"},
		{"local x = 1\nx = = 2", 2, "lock.lua:2: unexpected symbol near '='"},
		{"\n\nbreak", 3, "lock.lua:3: no loop to break near '<eof>'"},
		{"#!lua flags=no-writes\nreturn 1", 0, ""},
		{"#!lua flags=no-writes\n\nbreak", 3, "lock.lua:3: no loop to break near '<eof>'"},
		{"#!lua flags=fast\nreturn 1", 1, "lock.lua:1: Unexpected flag in script shebang: fast"},
		{"return 'open\n'", 1, "lock.lua:1: unfinished string near ''open'"},
	} {
		err := Check(engine.Script{Name: "lock.lua", Source: c.source})
		var syntax *SyntaxError
		switch {
		case c.line == 0 && err != nil:
			t.Errorf("%q: %v", c.source, err)
		case c.line > 0 && (!errors.As(err, &syntax) || syntax.Line != c.line || err.Error() != c.text):
			t.Errorf("%q\n got  %v\n want %s", c.source, err, c.text)
		}
	}
}
