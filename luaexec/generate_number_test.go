package luaexec_test

import (
	"fmt"
	"strconv"
	"strings"
)

// numeric is a text that Lua 5.1 may read as a number, and Go perhaps otherwise.
func (g generator) numeric() string {
	digits := strconv.Itoa(g.IntN(200))
	text := pick(g, digits, "0"+digits, "-0"+digits, "0x"+digits, "0X1F", "-0x10", "0x1p4", "0x1.8p1", "0x.8", "0x.", "0x", "0xg", "0b11", "0o17", "1_000", "0x_1",
		"1e2", "1e+2", "1E-2", "1e", "1e+", ".5", "5.", ".", "", "-", "+5", "+-5", "--5", "- 5", "inf", "-inf", "Infinity", "infini", "1f", "1L", "1d",
		"9007199254740993", "18446744073709551616", "1e400", "-1e400", "1e-400", "0x1"+strings.Repeat("0", 20), "0", "-0", "00", "1,5", "1 2", "٣", "½")
	return pick(g, "", "", " ", "\\t", "\\n", "\\v", "\\f", "\\r", "\\194\\160", "\\133", "\\0") + text + pick(g, "", "", "", " ", "\\n", "\\v ", "\\0", "\\0x", "\\194\\160", "x")
}

// textsAsNumbers are the places where Lua takes a text for a number.
func (g generator) textsAsNumbers() string {
	a, b := "'"+g.numeric()+"'", "'"+g.numeric()+"'"
	op := pick(g, "+", "-", "*", "/", "%", "^")
	return "local a, b = " + a + ", " + b + " return {pcall(function() return " + pick(g,
		"tostring(a "+op+" 1)", "tostring(2 "+op+" a)", "tostring(a "+op+" b)", "tostring(-a)", "tostring("+a+" "+op+" 3)", "tostring(a "+op+" nil)", "tostring({} "+op+" a)",
		"tostring(a "+op+" setmetatable({}, {__"+map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "^": "pow"}[op]+" = function(x, y) return type(x) .. type(y) end}))",
		"tostring(tonumber(a))", "tostring(tonumber(a, "+strconv.Itoa(g.IntN(35)+2)+"))", "tostring(tonumber(a, 16))", "a < b", "a == tonumber(a)", "a < 5", "a .. (a + 1)",
		"tostring(math.floor(a))", "tostring(math.max(a, b, 1))", "('x'):rep(math.min(a, 300))", "('hello world'):sub(a, b)", "('%d|%5.1f|%x|%g|%s|%c'):format(a, a, a, a, a, a)", "string.char(a)", "('hello'):byte(a)",
		"select(a, 'x', 'y', 'z')", "table.concat({1, 2, 3}, ',', a)", "unpack({1, 2, 3}, a, b)", "('x-y-z'):gsub('-', '+', a)",
		"(function() local n, m = 0, 0 for i = a, 3 do n, m = n + i, m + 1 if m > 9 then break end end return tostring(n) end)()", "(function() local n = 0 for i = 1, a do n = n + i if i > 20 then break end end return n end)()",
		"(function() local n = 0 for i = 1, 9, a do n = n + i if n > 99 then break end end return n end)()", "({10, 20, 30})[a]", "bit.band(a, 255)", "#a + #b") + " end)}"
}

// signs are zeros and their signs, remainders and numbers without end.
func (g generator) signs() string {
	value := func() string {
		return pick(g, "0", "-0", "1", "-1", "5", "-5", "3", "-3", "0.5", "-0.5", "1/0", "-1/0", "1e-300", "-1e-300", "2^53", "'0'", "'-0'", "x", "y", "z", "-z", "x - x", "-(x - x)", "math.huge")
	}
	var e func(depth int) string
	e = func(depth int) string {
		if depth == 0 {
			return value()
		}
		switch g.IntN(8) {
		case 0:
			return "-(" + e(depth-1) + ")"
		case 1:
			return pick(g, "math.floor", "math.ceil", "math.abs", "math.sqrt", "math.fmod(-6, 2) * ", "math.min(0, -z) + ", "tonumber") + "(" + e(depth-1) + ")"
		}
		return "(" + e(depth-1) + ") " + pick(g, "*", "/", "%", "*", "/", "%", "^") + " (" + e(depth-1) + ")"
	}
	how := pick(g, "tostring(%s)", "1/(%s)", "(%s) .. ''", "string.format('%%g %%.3f', %[1]s, %[1]s)", "string.format('%%d', %s)", "cjson.encode({%s})", "redis.call('set', KEYS[1], %[1]s) and redis.call('get', KEYS[1])")
	expression := fmt.Sprintf(how, e(g.IntN(3)+1))
	return "local x, y, z = " + pick(g, "5, -5", "1, -1", "0.1, 7") + ", " + pick(g, "tonumber('0')", "#KEYS - 2") + " return tostring(" + expression + ")"
}
