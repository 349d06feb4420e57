package luaexec_test

import (
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec"
	"lockstep/node/sample"
)

// hostile are scripts that would run for ever, take all memory or crash the
// process. Each must end in an error that says why.
var hostile = []struct{ script, says string }{
	{"while true do end", "used up its budget of 1000000 instructions"},
	{"repeat until false", "used up its budget"},
	{"for i = 1, math.huge do end", "used up its budget"},
	{"local function f() return f() end return f()", "used up its budget"},
	{"while true do pcall(function() while true do end end) end", "used up its budget"},
	{"return pcall(function() while true do end end)", "used up its budget"},
	{"return xpcall(function() while true do end end, function() while true do end end)", "used up its budget"},
	{"coroutine.wrap(function() while true do end end)()", "used up its budget"},
	{"return coroutine.resume(coroutine.create(function() while true do end end))", "used up its budget"},
	{"local t = {} for i = 1, 1e9 do t[i] = coroutine.create(function() end) end", "used up its budget"},
	{"local t = {} for i = 1, 1e9 do t[i] = coroutine.wrap(function() coroutine.yield() end) t[i]() end", "used up its budget"},
	{"local function f() return coroutine.wrap(f)() end return f()", "C stack overflow"},
	{"local function f() coroutine.resume(coroutine.create(f)) end f() while true do end", "used up its budget"},
	{"local function f() return f() + 1 end return f()", "stack overflow"},
	{"local function f() local a" + strings.Repeat(", a", 150) + " return f() + 1 end return f()", "stack overflow"},
	{"local function f() return f() + 1 end return {xpcall(f, f)}", "error in error handling"},
	{"local function f() return f() + 1 end while true do xpcall(f, f) end", "used up its budget"},
	{"local function f() return pcall(f) end while true do f() end", "used up its budget"},
	{"local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end return t[1]", "stack overflow"},
	{"local t = setmetatable({}, {}) getmetatable(t).__index = t return t[1]", "gettable"},
	{"local t = setmetatable({}, {}) getmetatable(t).__tostring = tostring return tostring(t)", "stack overflow"},
	{"local function f(s) return (s:gsub('.', f)) end return f('x')", "stack overflow"},
	{"local t = {} t.f = function() table.sort({1, 2}, t.f) end t.f()", "stack overflow"},
	{"local s = 'x' while true do s = s .. s end", "used up its budget"},
	{"local s = 'x' while true do s = s .. 'y' end", "used up its budget"},
	{"local t, s = {}, ('x'):rep(1e6) while true do t[#t + 1] = s .. #t end", "used up its budget"},
	{"return ('x'):rep(1e9)", "over the limit"},
	{"return ('x'):rep(2^31 - 1)", "over the limit"},
	{"return (('x'):rep(1e6)):rep(1e6)", "over the limit"},
	{"while true do local s = ('x'):rep(1e7) end", "used up its budget"},
	{"local s = ('x'):rep(1e6) while true do s:upper() end", "used up its budget"},
	{"return (('x'):rep(1e6):gsub('x', ('y'):rep(1e6)))", "used up its budget"},
	{"return (('x'):rep(1e6):gsub('', ('y'):rep(1e3)))", "used up its budget"},
	{"return (('x'):rep(1e6):gsub('x', function() return ('y'):rep(1e6) end))", "used up its budget"},
	{"local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1e5) end return table.concat(t)", "used up its budget"},
	{"return string.format(('%99d'):rep(1e5), unpack({}, 1, 7000))", "number expected"},
	{"return ('a'):rep(1e5):find('.-.-.-.-b')", "used up its budget"},
	{"return ('a'):rep(1e5):match(('a?'):rep(1000) .. ('a'):rep(1000))", "pattern too complex"},
	{"return ('a'):rep(200):match(('a?'):rep(100) .. ('a'):rep(250))", "used up its budget"},
	{"return ('a'):rep(1e5):find(('a*'):rep(150) .. 'b')", "used up its budget"},
	{"return ('('):rep(1e6):gsub('%b()', '')", "used up its budget"},
	{"for k in ('a'):rep(1e6):gmatch('.-b') do end", "used up its budget"},
	{"local t = {} for i = 1, 1e9 do t[i] = {x = i} end", "holds more than its 67108864 bytes"},
	{"local t = {} for i = 1, 1e9 do t = {x = t} end", "holds more than its"},
	{"for i = 1, 1e9 do local t = {} for j = 1, 1e9 do t = setmetatable({x = 1}, {__index = t}) end end", "holds more than its"},
	{"while true do pcall(function() local t = {} for i = 1, 1e9 do t = {x = t} end end) end", "holds more than its"},
	{"local f = function() end for i = 1, 1e9 do local g = f local t = {x = 1} f = function() return g, t end end", "holds more than its"},
	{"coroutine.wrap(function() local t = {} for i = 1, 1e9 do t = {x = t} end end)()", "holds more than its"},
	{"local f = coroutine.wrap(function() local t = {} while true do for i = 1, 1e3 do t = {x = t} end coroutine.yield() end end) while true do f() end", "holds more than its"},
	{"local function f(n) local t = {} for i = 1, 1e3 do t[i] = {x = i} end if n > 0 then return {t, f(n - 1)} end end f(1e3)", "holds more than its"},
	{"local function f() local t = {} for i = 1, 1e3 do t[i] = {x = i} end return t end local t = {f()} while true do t = {f(), {t}} end", "holds more than its"},
	{"local s = ('x'):rep(1e6) for i = 1, 1e9 do redis.call('set', i, s) end", "used up its budget"},
	{"local t = {} for i = 1, 7000 do t[i] = i end for i = 1, 10 do redis.call('rpush', 'l', unpack(t)) end while true do redis.call('lpos', 'l', 'none') end", "used up its budget"},
	{"for i = 1, 1e4 do redis.call('set', i, '') end while true do redis.call('keys', 'none') end", "used up its budget"},
	{"while true do redis.call('command') end", "used up its budget"},
	{"local t = {} t[6e7] = 1", "used up its budget"},
	{"local t = {[6e7] = 1}", "used up its budget"},
	{"local t = {} rawset(t, 6e7, 1)", "used up its budget"},
	{"local t = {} table.insert(t, 6e7, 1)", "used up its budget"},
	{"local t = setmetatable({}, {__newindex = {}}) t[6e7] = 1", "used up its budget"},
	{"for i = 1, 1e9 do local t = {} t[60000] = 1 end", "used up its budget"},
	{"local t = {} for i = 1, 1e9 do t[i] = {i} end", "used up its budget"},
	{"local t = {} while true do table.insert(t, 1, 'x') end", "used up its budget"},
	{"return table.concat({}, 'x', 1, 1e9)", "invalid value"},
	{"local t = {} for i = 1, 1000 do t[i] = i end while true do table.sort(t) end", "used up its budget"},
	{"return unpack({}, 1, 1e9)", "too many results"},
	{"return ('x'):rep(1e5):byte(1, -1)", "slice too long"},
	{"local function f(...) return f(1, ...) end return f()", "used up its budget"},
	{"return select('#', unpack({}, 1, 7999)) + (function(...) return f(...) end)(1)", "nonexistent global"},
	{"local t = {} t[1] = t return t", "reached lua stack limit"},
	{"local t = {} t[1], t[2] = t, t return t", "used up its budget"},
	{"redis.call('rpush', 'k', unpack({}, 1, 10)) ", "strings or integers"},
	{"for i = 1, 7999 do redis.call('rpush', 'k', i) end while true do redis.call('lrange', 'k', 0, -1) end", "used up its budget"},
	{"error({})", "without an err field"},
	{"error(setmetatable({}, {__index = function() while true do end end}))", "without an err field"},
	{"coroutine.wrap(function() coroutine.wrap(function() error({}) end)() end)()", "without an err field"},
	{"local c c = coroutine.wrap(function() c() end) c()", "cannot resume running coroutine"},
	{"local a a = coroutine.create(function() coroutine.wrap(function() assert(coroutine.resume(a)) end)() end) assert(coroutine.resume(a))", "cannot resume normal coroutine"},
	{"for x in coroutine.yield do end", "yield"},
	{"return coroutine.wrap(function() return pcall(coroutine.yield, 1) end)()", ""},
	{"return coroutine.wrap(function() for x in function() coroutine.yield(1) end do end end)()", ""},
	{"return coroutine.wrap(function() return setmetatable({}, {__index = function() coroutine.yield(1) end}).x end)()", ""},
	{"coroutine.yield()", "yield"},
	{"return " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000), ""},
	{"return " + strings.Repeat("{", 50000) + strings.Repeat("}", 50000), "too many syntax levels"},
	{"return " + strings.Repeat("-", 1) + strings.Repeat(" -", 50000) + "1", "too many syntax levels"},
	{"return " + strings.Repeat("not ", 50000) + "1", "too many syntax levels"},
	{"return 1" + strings.Repeat(" + 1", 50000), "too many syntax levels"},
	{"return ''" + strings.Repeat(" .. 'x'", 50000), ""},
	{strings.Repeat("do ", 50000) + strings.Repeat("end ", 50000), "too many syntax levels"},
	{"local x" + strings.Repeat(" local x", 300), ""},
	{strings.Repeat("--", 1<<20), "over the limit"},
	{strings.Repeat("x = 1 ", 1000), "readonly"},
}

func TestHostileScriptsEnd(t *testing.T) {
	n := newNode()
	for _, h := range sample.Sample(t, hostile, 20) {
		name := h.script[:min(len(h.script), 100)]
		r := execute(t, n, "EVAL", h.script, "0")
		if !strings.Contains(r.String(), h.says) {
			t.Errorf("%s\n answers %.300s\n and not %q", name, r, h.says)
		}
		if strings.Contains(r.String(), "Lua engine") {
			t.Errorf("%s\n panicked: %s", name, r)
		}
		if after := execute(t, n, "EVAL", "return {#KEYS, ARGV[1], ('x'):rep(2)}", "1", "k", "v"); after.String() != `[1, "v", "xx"]` {
			t.Fatalf("after %s\n a harmless script answers %v", name, after)
		}
	}
}

// A script that holds too much ends at the same instruction wherever it runs.
func TestHeldMemory(t *testing.T) {
	for _, c := range []struct{ script, ends string }{
		{"local t = {} for i = 1, 1e9 do for j = 1, 10 do t[#t + 1] = {x = {y = j}} end redis.call('incr', 'n') end", "5002"},
		{"local t = {} for i = 1, 1e9 do for j = 1, 10 do t = {x = t} end redis.call('incr', 'n') end", "12849"},
	} {
		for range 2 {
			n := newNode()
			if r := execute(t, n, "EVAL", c.script, "0"); !strings.Contains(r.Str, "holds more than its 67108864 bytes of memory script: ") {
				t.Errorf("%s\n answers %v", c.script, r)
			}
			if r := execute(t, n, "GET", "n"); r.Str != c.ends {
				t.Errorf("%s\n ends after %s rounds, want %s", c.script, r.Str, c.ends)
			}
		}
	}
	const garbage = "local n = 0 for i = 1, 1e5 do local t = {x = {y = i}} n = n + t.x.y end return n"
	if r := execute(t, newNode(), "EVAL", garbage, "0"); r.Int != 5000050000 {
		t.Errorf("a script that holds nothing answers %v", r)
	}
}

// A budget holds for whoever runs code under it, in coroutines too.
func TestBudget(t *testing.T) {
	L := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer L.Close()
	luaexec.OpenSafe(L)
	budget := luaexec.NewBudget(1000)
	budget.Apply(L)
	run := func(source string) error {
		proto, err := luaexec.Compile("program", source)
		if err != nil {
			t.Fatal(err)
		}
		L.Push(L.NewFunctionFromProto(proto))
		return L.PCall(0, 0, nil)
	}
	if err := run("for i = 1, 50 do x = i end"); err != nil || budget.Spent() {
		t.Errorf("a short program: %v, spent: %v", err, budget.Spent())
	}
	err := run("coroutine.wrap(function() while true do end end)()")
	if err == nil || !strings.Contains(err.Error(), "budget of 1000 instructions") || !budget.Spent() {
		t.Errorf("a long program: %v, spent: %v", err, budget.Spent())
	}
	budget.Reset()
	if err := run("return x"); err != nil || budget.Spent() {
		t.Errorf("after a reset: %v, spent: %v", err, budget.Spent())
	}
}

// FuzzScript holds that no text of a script panics, hangs or leaves the node
// other than it was.
func FuzzScript(f *testing.F) {
	for _, script := range corpus(f) {
		f.Add(script)
	}
	for _, h := range hostile {
		if len(h.script) < 1000 {
			f.Add(h.script)
		}
	}
	f.Fuzz(func(t *testing.T, script string) {
		first, second := newNode(), newNode()
		first.SetBudget(luaexec.DefaultBudget/10, nil) // TestHostileScriptsEnd takes all of it
		second.SetBudget(luaexec.DefaultBudget/10, nil)
		a := execute(t, first, "EVAL", script, "2", "k1", "k2", "a1", "20")
		b := execute(t, second, "EVAL", script, "2", "k1", "k2", "a1", "20")
		if !a.Equal(b) || first.Digest() != second.Digest() {
			t.Errorf("two runs differ: %.300s and %.300s", a, b)
		}
		if strings.Contains(a.String(), "Lua engine") {
			t.Errorf("panicked: %s", a)
		}
		if after := execute(t, first, "EVAL", "return {#KEYS, ARGV[1], ('x'):rep(2)}", "1", "k", "v"); after.String() != `[1, "v", "xx"]` {
			t.Errorf("a harmless script answers %v", after)
		}
	})
}
