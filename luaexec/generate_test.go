package luaexec_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// generator makes scripts that nobody wrote: the same ones for the same seed.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 1))} }

// subjects are what scripts are about.
var subjects = []struct {
	name string
	make func(g generator) string
}{
	{"arithmetic", generator.arithmetic},
	{"numbers as text", generator.numberText},
	{"texts as numbers", generator.textsAsNumbers},
	{"signs of zero", generator.signs},
	{"strings", generator.stringCalls},
	{"patterns", generator.patterns},
	{"string.format", generator.format},
	{"tables", generator.tables},
	{"closures and loops", generator.control},
	{"several variables at once", generator.severalAtOnce},
	{"metatables", generator.metatables},
	{"coroutines", generator.coroutines},
	{"values returned", generator.returned},
	{"errors", generator.failing},
	{"syntax errors", generator.broken},
	{"locks", generator.lock},
	{"limiters", generator.limiter},
	{"queues", generator.queue},
	{"redis calls", generator.calls},
	{"cjson", generator.json},
	{"cmsgpack and struct", generator.packed},
	{"order of pairs", generator.order},
}

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

func (g generator) number() string {
	return pick(g,
		strconv.Itoa(g.IntN(20)-5), strconv.Itoa(g.IntN(100000)), "0", "1", "-1", "2.5", "0.1", "1e3", "1e15", "1e100",
		"123456789012", "3.14159", "-7.25", "0x1F", "2^53", "1/3", "100", "-0.5", strconv.FormatFloat(g.Float64()*1000, 'g', 6, 64))
}

func (g generator) text() string {
	return pick(g, "''", "'a'", "'hello'", "'Hello World'", "'10'", "' 5 '", "'0x10'", "'1e2'", "'abc123'", "'a,b,c'",
		"'key:1'", `"tab\tnew\nline"`, `"q\"uote"`, "'%d'", "'x.y'", "'  padded  '", "'aaa'", "'lock:{user}:42'", "'é'", `'\0z'`)
}

func (g generator) expression(depth int) string {
	if depth == 0 || g.IntN(4) == 0 {
		return pick(g, g.number(), g.number(), "a", "b", "c", "#t", "t[1]", "t[2]", "'"+strconv.Itoa(g.IntN(50))+"'")
	}
	left, right := g.expression(depth-1), g.expression(depth-1)
	switch g.IntN(9) {
	case 0:
		return "-(" + left + ")"
	case 1:
		return fmt.Sprintf("math.%s(%s)", pick(g, "floor", "ceil", "abs", "sqrt"), left)
	case 2:
		return fmt.Sprintf("math.%s(%s, %s)", pick(g, "max", "min", "fmod"), left, right)
	case 3:
		return fmt.Sprintf("(%s) %% %d", left, g.IntN(9)+1)
	case 4:
		return fmt.Sprintf("(%s) ^ %d", left, g.IntN(4))
	}
	return fmt.Sprintf("(%s) %s (%s)", left, pick(g, "+", "-", "*", "/", "%"), right)
}

func (g generator) arithmetic() string {
	e := g.expression(3)
	result := pick(g, "r", "tostring(r)", "r .. ''", "string.format('%.10g', r)", "{r, r > 3, r == r}", "r < 10 and 'small' or 'big'")
	return fmt.Sprintf("local a, b, c = %s, %s, %s local t = {%s, 4} local r = %s return %s",
		g.number(), g.number(), g.number(), g.number(), e, result)
}

func (g generator) numberText() string {
	literal := pick(g, g.number(), strconv.FormatFloat(g.NormFloat64()*pick(g, 1, 1e5, 1e14, 1e20, 1e-6), 'g', -1, 64))
	return pick(g,
		fmt.Sprintf("return tostring(%s)", literal),
		fmt.Sprintf("return {%s, tostring(%s), %s .. ''}", literal, literal, literal),
		fmt.Sprintf("return tostring(tonumber('%s'))", literal),
		fmt.Sprintf("return tostring(tonumber(%s, %d))", g.text(), g.IntN(35)+2),
		fmt.Sprintf("return tostring(tonumber(%s))", g.text()),
		fmt.Sprintf("redis.call('set', KEYS[1], %s) return redis.call('get', KEYS[1])", literal),
		fmt.Sprintf("return tostring(%s + '%d')", literal, g.IntN(100)),
		fmt.Sprintf("return {math.floor(%s), math.ceil(%s), %s %% 7}", literal, literal, literal),
		fmt.Sprintf("local s = 0 for i = 1, %d do s = s + %s end return tostring(s)", g.IntN(20), literal))
}

func (g generator) stringCalls() string {
	s, n, m := g.text(), strconv.Itoa(g.IntN(12)-4), strconv.Itoa(g.IntN(12)-4)
	call := pick(g,
		fmt.Sprintf("(%s):sub(%s, %s)", s, n, m), fmt.Sprintf("(%s):sub(%s)", s, n), fmt.Sprintf("(%s):byte(%s, %s)", s, n, m),
		fmt.Sprintf("(%s):rep(%s)", s, n), fmt.Sprintf("(%s):upper()", s), fmt.Sprintf("(%s):lower()", s),
		fmt.Sprintf("(%s):reverse()", s), fmt.Sprintf("#%s", s), fmt.Sprintf("(%s):len()", s),
		fmt.Sprintf("string.char(%d, %d)", g.IntN(260), g.IntN(256)), fmt.Sprintf("%s .. %s .. %s", s, g.number(), g.text()),
		fmt.Sprintf("%s < %s", s, g.text()), fmt.Sprintf("%s == %s", s, g.text()),
		fmt.Sprintf("(%s):find(%s, %s, true)", s, g.text(), n), fmt.Sprintf("string.rep(%s, 3):sub(2, 5)", s))
	return pick(g, "return "+call, "return {"+call+"}", "return tostring("+call+")", "local s = "+s+" return {pcall(function() return "+call+" end)}")
}

func (g generator) pattern() string {
	var b strings.Builder
	for range g.IntN(4) + 1 {
		b.WriteString(pick(g, "a", "%a", "%d", "%w", ".", "%s", "[a-c]", "[^,]", "[%w_]", "l", "%p", "(%a)", "()", "%%", "x"))
		b.WriteString(pick(g, "", "", "*", "+", "-", "?"))
	}
	p := b.String()
	switch g.IntN(8) {
	case 0:
		p = "^" + p
	case 1:
		p += "$"
	case 2:
		p = "(" + p + ")"
	case 3:
		p = pick(g, "%b()", "%f[%w]%w+", "(%w+)=(%w+)", "[", "(", "%", "(a", "%1", "[%", "a)", "%f", "(.)%1", "([^:]+)")
	}
	return "'" + p + "'"
}

func (g generator) patterns() string {
	s := pick(g, g.text(), "'k=v, x=y'", "'one two  three'", "'f(a(b)c)'", "'2024-01-15'", "'aXbXc'", "'key:{tag}:1'")
	p := g.pattern()
	return pick(g,
		fmt.Sprintf("return {string.find(%s, %s)}", s, p),
		fmt.Sprintf("return {string.match(%s, %s)}", s, p),
		fmt.Sprintf("return {string.gsub(%s, %s, %s)}", s, p, pick(g, "'-'", "'<%0>'", "'%1'", "''", "'%%'", "string.upper", "{a = 1, b = true}", "'%2'")),
		fmt.Sprintf("local t = {} for w in string.gmatch(%s, %s) do t[#t + 1] = w end return t", s, p),
		fmt.Sprintf("return {string.gsub(%s, %s, '.', %d)}", s, p, g.IntN(3)),
		fmt.Sprintf("return {(%s):gsub(%s, function(x) return x and '[' .. x .. ']' end)}", s, p))
}

func (g generator) format() string {
	spec := "%" + pick(g, "", "", "-", "+", " ", "0", "#") + pick(g, "", "", "5", "10", "2") + pick(g, "", "", ".0", ".3", ".10") +
		pick(g, "d", "i", "u", "x", "X", "o", "c", "e", "E", "f", "g", "G", "s", "q", "s", "d", "y", "a")
	arg := pick(g, g.number(), g.number(), g.text(), "nil", "true", "{}", "'12'", "1e20", "-1", "0/0", "1/0")
	return pick(g,
		fmt.Sprintf("return string.format('%s', %s)", spec, arg),
		fmt.Sprintf("return string.format('[%s|%%s]', %s, %s)", spec, arg, g.text()),
		fmt.Sprintf("return ('%s'):format(%s)", spec, arg),
		fmt.Sprintf("return string.format('%s')", spec))
}

func (g generator) items() string {
	items := make([]string, g.IntN(6))
	for i := range items {
		items[i] = pick(g, g.number(), g.text(), "nil", "true", strconv.Itoa(g.IntN(30)), strconv.Itoa(g.IntN(30)))
	}
	return strings.Join(items, ", ")
}

func (g generator) integers() string {
	items := make([]string, g.IntN(8)+1)
	for i := range items {
		items[i] = strconv.Itoa(g.IntN(50))
	}
	return strings.Join(items, ", ")
}

func (g generator) tables() string {
	n := strconv.Itoa(g.IntN(6))
	body := pick(g,
		fmt.Sprintf("local t = {%s} return #t", g.items()),
		fmt.Sprintf("local t = {%s} t[#t + 1] = 'x' return {#t, t[#t]}", g.items()),
		fmt.Sprintf("local t = {%s} table.insert(t, %s, 'new') return t", g.integers(), n),
		fmt.Sprintf("local t = {%s} local r = table.remove(t, %s) t[#t + 1] = r return t", g.integers(), n),
		fmt.Sprintf("local t = {%s} table.sort(t) return t", g.integers()),
		fmt.Sprintf("local t = {%s} table.sort(t, function(a, b) return a > b end) return table.concat(t, ';')", g.integers()),
		fmt.Sprintf("local t = {%s} table.sort(t, function(a, b) return a %% 5 < b %% 5 end) return t", g.integers()),
		fmt.Sprintf("return table.concat({%s}, '%s', %s)", g.items(), pick(g, "", ",", "--"), n),
		fmt.Sprintf("return {unpack({%s}, %s)}", g.items(), n),
		fmt.Sprintf("return select('#', unpack({%s}))", g.items()),
		fmt.Sprintf("local t = {} for i = 1, %d do t[i] = i end for i = %s, %d do t[i] = nil end return #t", g.IntN(40), n, g.IntN(40)),
		fmt.Sprintf("local t = {%s} t[%d] = 'far' return #t", g.items(), g.IntN(12)),
		fmt.Sprintf("local n = 0 for i, v in ipairs({%s}) do n = n + i end return n", g.items()),
		fmt.Sprintf("local t = {%s} local s = 0 for k, v in pairs(t) do if type(v) == 'number' then s = s + v end end return tostring(s)", g.items()),
		fmt.Sprintf("return next({}) == nil and rawequal(%s, %s)", g.text(), g.text()),
		fmt.Sprintf("local t = {a = {b = {%s}}} return t.a.b[%s]", g.items(), n),
		fmt.Sprintf("local t = {%s} return {rawget(t, %s), #rawset(t, %s, 1)}", g.items(), n, n))
	return body
}

func (g generator) control() string {
	n, m := g.IntN(12), g.IntN(5)+1
	return pick(g,
		fmt.Sprintf("local s = 0 for i = %d, %d, %d do s = s * 2 + i end return s", g.IntN(10), g.IntN(20), pick(g, 1, 2, 3, -1)),
		fmt.Sprintf("local i, t = 0, {} while i < %d do i = i + 1 if i %% %d ~= 0 then t[#t + 1] = i end end return t", n, m),
		fmt.Sprintf("local i = 0 repeat local j = i * 2 i = i + 1 until j > %d return i", n),
		fmt.Sprintf("local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(%d)", n),
		fmt.Sprintf("local f = {} for i = 1, %d do f[i] = function() i = i + 1 return i end end return {f[1](), f[1](), f[%d]()}", m+1, m),
		fmt.Sprintf("local function v(...) return select('#', ...), select(%d, ...) end return {v(1, nil, 3)}", m),
		fmt.Sprintf("local function v(...) local a, b = ... return {b, a, ...} end return v(%s)", g.items()),
		fmt.Sprintf("local x = %s if x then return 'yes' elseif x == nil then return 'nil' else return 'no' end", pick(g, "nil", "false", "0", "''", "true")),
		fmt.Sprintf("local a, b, c = (function() return %s end)() return {c, b, a}", strings.TrimSuffix(g.integers(), ", ")),
		fmt.Sprintf("local t = {} for i = 1, %d do for j = i, %d do if j == 3 then break end t[#t + 1] = i .. '-' .. j end end return t", m, m+2),
		fmt.Sprintf("local function outer() local n = %d return function() n = n + 1 return n end end local c, d = outer(), outer() c() return {c(), d()}", n),
		fmt.Sprintf("local s = '' for w in ('%s'):gmatch('.') do s = w .. s end return s", pick(g, "abc", "lock", "12345")),
		fmt.Sprintf("return %s and %s or %s", pick(g, "nil", "1", "false", "'x'"), g.number(), g.text()),
		fmt.Sprintf("local a = %d local b = a a = b + 1 do local a = 100 b = a end return {a, b}", n),
		fmt.Sprintf("local t = {} local i = 1 i, t[i] = i + %d, 20 return {i, t[1]}", m),
		fmt.Sprintf("local function f(n) if n == 0 then return 'done' end return f(n - 1) end return f(%d)", n*100))
}

func (g generator) metatables() string {
	return pick(g,
		fmt.Sprintf("local t = setmetatable({}, {__index = function(t, k) return k .. '!' end}) return {t.a, t[%d], rawget(t, 'a')}", g.IntN(9)),
		fmt.Sprintf("local t = setmetatable({v = %d}, {__add = function(a, b) return (type(a) == 'table' and a.v or a) + (type(b) == 'table' and b.v or b) end}) return {t + 1, 2 + t, t + t}", g.IntN(9)),
		"local t = setmetatable({}, {__tostring = function() return 'shown' end}) return tostring(t)",
		"local t = setmetatable({}, {__call = function(self, a, b) return a + b end}) return t(1, 2)",
		"local m = {__eq = function() return true end} return setmetatable({}, m) == setmetatable({}, m)",
		"local m = {__lt = function(a, b) return a.n < b.n end, __le = function(a, b) return a.n <= b.n end} local a, b = setmetatable({n = 1}, m), setmetatable({n = 2}, m) return {a < b, a > b, a <= b, a >= b}",
		"local t = setmetatable({}, {__concat = function(a, b) return 'joined' end}) return {t .. 'x', 'x' .. t, 1 .. t}",
		"local log = {} local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end}) t.a = 4 t.a = 5 return t.a",
		"local t = setmetatable({}, {__unm = function() return 'neg' end, __len = function() return 42 end}) return {-t, #t}",
		"local base = {greet = function(self) return 'hi ' .. self.name end} local o = setmetatable({name = 'bob'}, {__index = base}) return o:greet()",
		"return pcall(setmetatable, setmetatable({}, {__metatable = 'no'}), {})",
		"return getmetatable(setmetatable({}, {__metatable = 'locked'}))",
		"local t = setmetatable({}, {__index = {a = {b = 1}}}) return t.a.b")
}

func (g generator) coroutines() string {
	n := g.IntN(5)
	return pick(g,
		fmt.Sprintf("local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end) return {co(%d), co(5)}", n),
		fmt.Sprintf("local co = coroutine.create(function() for i = 1, %d do coroutine.yield(i) end end) local t = {} while true do local ok, v = coroutine.resume(co) if not v then break end t[#t + 1] = v end return t", n),
		"local co = coroutine.create(function() error('boom') end) return {coroutine.resume(co)}",
		"local co = coroutine.create(function() return 1 end) coroutine.resume(co) return {coroutine.status(co), coroutine.resume(co)}",
		"local co co = coroutine.create(function() return coroutine.status(co) end) return {coroutine.status(co), coroutine.resume(co)}",
		"return coroutine.running() == nil",
		"return {pcall(coroutine.yield, 1)}",
		"local co = coroutine.wrap(function() local x = nil return x.y end) return co()",
		"return {coroutine.resume(coroutine.create(function(...) return select('#', ...), ... end), 1, nil, 3)}",
		"local co = coroutine.wrap(function() return pcall(error, {code = 5}) end) local ok, e = co() return {ok, type(e), e.code}",
		"return {pcall(coroutine.resume, 5)}",
		"return coroutine.wrap(function() return redis.call('incr', KEYS[1]) end)()")
}

func (g generator) value(depth int) string {
	if depth == 0 || g.IntN(3) > 0 {
		return pick(g, g.number(), g.text(), "true", "false", "nil", "3.99", "-0.5", "'ok'")
	}
	items := make([]string, g.IntN(4))
	for i := range items {
		items[i] = g.value(depth - 1)
	}
	return "{" + strings.Join(items, ", ") + "}"
}

func (g generator) returned() string {
	return "return " + pick(g, g.value(3), g.value(3), "{"+g.value(2)+", "+g.value(2)+"}", "{ok = "+g.text()+"}", "{err = "+g.text()+"}",
		"redis.status_reply("+g.text()+")", "redis.error_reply("+g.text()+")", "{1, {err = 'X y'}, {ok = 'fine'}}",
		"{1, 2, nil, 4}", "{KEYS[1], ARGV[1], #ARGV}", "{[1] = 'a', [2] = 'b', x = 'c'}", "")
}
