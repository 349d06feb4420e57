package luaexec_test

import (
	"strings"
	"testing"
)

// hostileLibraries are scripts that make the libraries work without end, recurse
// or fill the memory. Each must end in an error that says why.
var hostileLibraries = []struct{ script, says string }{
	{"local t = {} t[1], t[2] = t, t return cjson.encode(t)", "excessive nesting (200)"},
	{"local t = {1} for i = 1, 100 do t = {t, t} end return cjson.encode(t)", "used up its budget"},
	{"local t = {1} for i = 1, 100 do t = {x = t, y = t} end return cjson.encode(t)", "used up its budget"},
	{"local t = {1} for i = 1, 100 do t = {t, t, t, t} end return cmsgpack.pack(t)", "used up its budget"},
	{"return cjson.encode({[2^31 - 1] = 1})", "excessively sparse array"},
	{"local s = ('x'):rep(1e6) while true do cjson.encode(s) end", "used up its budget"},
	{"local s = ('\\0'):rep(3e6) return cjson.encode(s)", "used up its budget"},
	{"local s = ('x'):rep(9e6) return cjson.encode({s, s})", "used up its budget"},
	{"local t = {} for i = 1, 1000 do t[i] = i end while true do cjson.encode(t) end", "used up its budget"},
	{"local s = ('['):rep(1e6) return cjson.decode(s)", "too many nested data structures (200)"},
	{"return cjson.decode('[' .. ('{},'):rep(1e6) .. '{}]')", "used up its budget"},
	{"return cjson.decode('[' .. ('1,'):rep(1e6) .. '1]')", "used up its budget"},
	{"return cjson.decode('\"' .. ('x'):rep(5e6))", "unexpected end of string"},
	{"return cjson.decode(('1'):rep(1e7))", ""},
	{"return cjson.decode((' '):rep(5e6))", "T_END"},
	{"local s = '[' .. ('\"\",'):rep(1e5) while true do pcall(cjson.decode, s) end", "used up its budget"},
	{"local s = '{' .. ('\"a\":{},'):rep(1e5) while true do pcall(cjson.decode, s) end", "used up its budget"},
	{"return cmsgpack.pack(unpack({}, 1, 7999))", "Too many arguments"},
	{"local s = ('x'):rep(9e6) return cmsgpack.pack(s, s)", "used up its budget"},
	{"local s = ('x'):rep(1e6) while true do cmsgpack.pack(s) end", "used up its budget"},
	{"return cmsgpack.unpack(('\\145'):rep(1e6))", "stack overflow"},
	{"return cmsgpack.unpack(('\\129\\1'):rep(1e6))", "too many return values"},
	{"return cmsgpack.unpack(('\\221\\255\\255\\255\\255'):rep(1e5))", "stack overflow"},
	{"return cmsgpack.unpack('\\221\\255\\255\\255\\255' .. ('\\192'):rep(1e7))", "used up its budget"},
	{"return cmsgpack.unpack('\\221\\0\\15\\255\\255' .. ('\\192'):rep(1e5) .. '\\1')", "Missing bytes"},
	{"local s = cmsgpack.pack(('x'):rep(1e6)) while true do cmsgpack.unpack(s) end", "used up its budget"},
	{"local s = ('\\144'):rep(1000) while true do cmsgpack.unpack(s) end", "used up its budget"},
	{"return struct.pack(('x'):rep(1e7))", "used up its budget"},
	{"local s = ('x'):rep(1e7) while true do struct.pack('s', s) end", "used up its budget"},
	{"local s = ('x'):rep(1e7) .. '\\0' while true do struct.unpack('s', s) end", "used up its budget"},
	{"return struct.unpack(('b'):rep(1e5), ('x'):rep(1e5))", "too many results"},
	{"return struct.unpack('lc0', ('\\255'):rep(8) .. 'abc')", "too short"},
	{"#!lua flags=no-writes\nwhile true do end", "used up its budget"},
}

func TestHostileUsesOfLibrariesEnd(t *testing.T) {
	n := newNode()
	for _, h := range hostileLibraries {
		r := execute(t, n, "EVAL", h.script, "0")
		if !strings.Contains(r.String(), h.says) {
			t.Errorf("%s\n answers %.300s\n and not %q", h.script, r, h.says)
		}
		if strings.Contains(r.String(), "Lua engine") {
			t.Errorf("%s\n panicked: %s", h.script, r)
		}
		execute(t, n, "SCRIPT", "FLUSH")
		if after := execute(t, n, "EVAL", "return cjson.encode({#KEYS, ARGV[1]})", "1", "k", "v"); after.Str != `[1,"v"]` {
			t.Fatalf("after %s\n a harmless script answers %v", h.script, after)
		}
	}
}

// FuzzDecoders holds that no text makes what reads it panic or hang.
func FuzzDecoders(f *testing.F) {
	for _, seed := range []string{`[1,{"a":"\u00e9"}]`, "\x93\x01\xa1a\x81\x01\xcb", "!8bc0s", `"\ud83d\ude00"`, "0x1p4", "nan(1)"} {
		f.Add(seed)
	}
	const script = `
		for _, f in ipairs({cjson.decode, cmsgpack.unpack}) do
			local ok, v = pcall(f, ARGV[1])
			if ok then pcall(cjson.encode, v) pcall(cmsgpack.pack, v) end
		end
		pcall(struct.pack, ARGV[1], 1, 'x', 2, 3) pcall(struct.unpack, ARGV[1], ARGV[1])
		return 'done'`
	f.Fuzz(func(t *testing.T, text string) {
		r := execute(t, newNode(), "EVAL", script, "0", text)
		if r.Str != "done" && !strings.Contains(r.Str, "used up its budget") {
			t.Errorf("%q: %v", text, r)
		}
	})
}
