package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lockstep/node/sample"
)

// answers are what scripts answer natively and in Node, which must be the same. The
// flags are Node's.
func answers(t *testing.T, scripts []string, flags ...string) []string {
	t.Helper()
	input, err := json.Marshal(scripts)
	if err != nil {
		t.Fatal(err)
	}
	native, inNode := onBoth(t, "scripts", input, flags...)
	if len(native) != len(scripts) {
		t.Fatalf("%d answers to %d scripts", len(native), len(scripts))
	}
	for i, script := range scripts {
		if native[i] != inNode[i] {
			t.Errorf("%.200s\n in Node  %.300s\n natively %.300s", script, inNode[i], native[i])
		}
	}
	return native
}

// Go's own functions of math are in assembly on some platforms, with other last digits.
func TestNumbersAreTheSameInNode(t *testing.T) {
	var scripts []string
	for _, f := range []string{
		"math.exp(x)", "math.log(x * x)", "math.log10(x * x)",
		"math.sqrt(x * x)", "math.fmod(x, 7)", "x % 7", "x ^ 3", "2 ^ x", "(x * x) ^ 0.3", "1.5 ^ i",
		"x * x - 1 / x", "x / 7 * 7", "(math.randomseed(i) or math.random())", "math.ldexp(x, 3)", "tonumber(tostring(x))",
	} {
		scripts = append(scripts, fmt.Sprintf("local t = {} for i = 1, 500 do local x = (i - 250.5) * 1.1 t[i] = string.format('%%.17g', %s) end return table.concat(t, ' ')", f))
	}
	for i, answer := range answers(t, scripts, quickly) {
		if strings.Count(answer, " ") != 499 {
			t.Errorf("%s\n answers %.200s", scripts[i], answer)
		}
	}
}

// nested are scripts that go deep: into tables, into calls that Go's functions make, and
// into a source. A browser's stack is small, and a module that overflows it is gone.
var nested = []string{
	"local t = {} for i = 1, 100000 do t = {t} end return t",
	"local t = {} for i = 1, 100000 do t = {x = t} end return {map = t}",
	"local t = {} for i = 1, 100000 do t = {map = {t}} end return t",
	"local t = {} for i = 1, 100000 do t = {set = {[t] = true}} end return t",
	"local t = {} for i = 1, 100000 do t = {t} end return cjson.encode(t)",
	"local t = {} for i = 1, 900 do t = {t} end return #cjson.encode(t)",
	"local t = {} for i = 1, 100000 do t = {x = t} end return cjson.encode(t)",
	"local s = ('['):rep(1e5) return cjson.decode(s)",
	"local s = ('{\"x\":'):rep(1e5) return cjson.decode(s)",
	"local s = ('['):rep(900) .. (']'):rep(900) return #cjson.encode(cjson.decode(s))",
	"local t = {} for i = 1, 100000 do t = {t} end return #cmsgpack.pack(t)",
	"return cmsgpack.unpack(('\\145'):rep(1e5))",
	"return cmsgpack.unpack(('\\129\\1'):rep(1e5))",
	"return cmsgpack.unpack(('\\129'):rep(1e5))",
	"return #cmsgpack.unpack(('\\145'):rep(900) .. '\\1')",
	"local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(7000)",
	"local function f(n) return 1 + f(n - 1) end return f(1)",
	"local f = function() return 1 end for i = 1, 7000 do local g = f f = function() return 1 + g() end end return f()",
	"local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]",
	"local t = setmetatable({}, {__newindex = function(t, k, v) t[k + 1] = v end}) t[1] = 1",
	"local t = setmetatable({}, {__add = function(a, b) return a + b end}) return t + 1",
	"local t = setmetatable({}, {__sub = function(a, b) return b - a end}) return t - '1'",
	"local t = setmetatable({}, {__mul = function(a, b) return a * b end}) return t * 1",
	"local t = setmetatable({}, {__concat = function(a, b) return a .. b end}) return t .. 1",
	"local t = setmetatable({}, {__unm = function(a) return -a end}) return -t",
	"local m = {} m.__lt = function(a, b) return a < b end local a, b = setmetatable({}, m), setmetatable({}, m) return a < b",
	"local m = {} m.__le = function(a, b) return a <= b end local a, b = setmetatable({}, m), setmetatable({}, m) return a <= b",
	"local m = {} m.__eq = function(a, b) return a == b end local a, b = setmetatable({}, m), setmetatable({}, m) return a == b",
	"local t = setmetatable({}, {}) getmetatable(t).__call = function(self) return self() + 1 end return t()",
	"local t = setmetatable({}, {}) for i = 1, 10000 do t = setmetatable({}, {__call = t}) end return t()",
	"local t = setmetatable({}, {}) getmetatable(t).__tostring = function(t) return tostring(t) .. 'x' end return tostring(t)",
	"local function f(s) return (s:gsub('.', f)) end return f('x')",
	"local t = {} t.f = function() table.sort({1, 2}, t.f) end t.f()",
	"local t = {} t.f = function() table.sort({1, 2}, t.f) end t.f()",
	"local function f() return pcall(f) end return f()",
	"local function f() local ok, e = pcall(f) if not ok then error(e) end return 1 end return f()",
	"local function f() return xpcall(f, function(e) return e end) end return f()",
	"local function f() error(setmetatable({}, {__tostring = f})) end f()",
	"local function f(e) error(e) end return xpcall(f, f)",
	"local function f() return coroutine.wrap(f)() end return f()",
	"local function f() for x in f do end end f()",
	"local t = {} for i = 1, 100000 do t = setmetatable({}, {__index = t}) end return t.x",
	"local t = {} for i = 1, 100000 do t = setmetatable({}, {__newindex = t}) end t.x = 1",
	"return ('a'):rep(10000):match(('a?'):rep(10000) .. 'b')",
	"return ('a'):rep(100000):match('.-b')",
	"return ('('):rep(100000):match('%b()')",
	"return ('x'):rep(100):gsub(('(x'):rep(31) .. (')'):rep(31), '')",
	"local t = {} for i = 1, 30000 do t[i] = i % 7 end table.sort(t) return t[1]",
	"return " + strings.Repeat("(", 190) + "1" + strings.Repeat(")", 190),
	"return " + strings.Repeat("{", 190) + strings.Repeat("}", 190),
	"return " + strings.Repeat("{", 100000) + strings.Repeat("}", 100000),
	"return 1" + strings.Repeat(" + 1", 480),
	"local x = 1 return x" + strings.Repeat(" + x", 480),
	"local x = 1 return x" + strings.Repeat(" * x", 480),
	"local x = 1 return x" + strings.Repeat(" + x", 20000),
	"local x = 'a' return #(x" + strings.Repeat(" .. x", 180) + ")",
	"local t = {} t.t = t return #t" + strings.Repeat(".t", 480),
	"local t = {} t.t = t return #t" + strings.Repeat(".t", 20000),
	"local function f() return f_ end return f" + strings.Repeat("()", 480),
	"return 1" + strings.Repeat(" or 1", 480),
	"return 1" + strings.Repeat(" and 1", 480),
	"local x = 1 if x == 2 then" + strings.Repeat(" elseif x == 3 then", 480) + " end return 7",
	strings.Repeat("do ", 190) + strings.Repeat("end ", 190) + "return 5",
	strings.Repeat("local function f() ", 190) + strings.Repeat("end ", 190) + "return 5",
	strings.Repeat("return function() ", 190) + strings.Repeat("end ", 190),
}

func TestDeepScriptsAnswerTheSameInNode(t *testing.T) {
	scripts := sample.Sample(t, nested, sample.NestedScripts)
	for i, answer := range answers(t, scripts) {
		t.Logf("%.100s\n answers %.150s", scripts[i], answer)
	}
}
