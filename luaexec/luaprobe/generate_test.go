package luaprobe_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes programs that end soon: a wrong one is fine too, as long as it
// fails the same way with probes.
type generator struct {
	r      *rand.Rand
	out    strings.Builder
	indent int
	locals []string
	loops  int
	budget int
}

func generate(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 7)), budget: 60}
	g.block(6 + g.r.IntN(6))
	g.line("return {%s, %s}", g.expr(2), g.expr(2))
	return g.out.String()
}

func (g *generator) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *generator) line(format string, args ...any) {
	separator := g.pick("\n", "\n", "\n", "\n\n", " ", "; ", " -- note\n", " --[[ long\n note ]]\n")
	text := fmt.Sprintf(format, args...)
	if strings.HasSuffix(text, "then") || strings.HasSuffix(text, "do") || strings.HasSuffix(text, "else") || strings.HasSuffix(text, "repeat") || strings.HasSuffix(text, ")f") {
		separator = g.pick("\n", " ")
	}
	g.out.WriteString(strings.Repeat(" ", g.indent) + strings.TrimSuffix(text, "f") + separator)
}

func (g *generator) name() string {
	if len(g.locals) == 0 || g.r.IntN(20) == 0 {
		return g.pick("KEYS", "ARGV", "undefined")
	}
	return g.locals[g.r.IntN(len(g.locals))]
}

func (g *generator) block(n int) {
	mark := len(g.locals)
	g.indent += 2
	for range n {
		if g.budget--; g.budget > 0 {
			g.statement()
		}
	}
	g.indent -= 2
	g.locals = g.locals[:mark]
}

func (g *generator) declare() string {
	name := g.pick("a", "b", "c", "x", "y", "key", "count")
	g.locals = append(g.locals, name)
	return name
}

func (g *generator) statement() {
	switch g.r.IntN(16) {
	case 0, 1, 2:
		value := g.expr(3)
		g.line("local %s = %s", g.declare(), value)
	case 3:
		first, second := g.expr(2), g.call(2)
		g.line("local %s, %s = %s, %s", g.declare(), g.declare(), first, second)
	case 4:
		if len(g.locals) > 0 {
			g.line("%s = %s", g.locals[g.r.IntN(len(g.locals))], g.expr(3))
		}
	case 5, 6, 7:
		g.line("%s", g.redis(2))
	case 8, 9:
		g.line("if %s then", g.expr(2))
		g.block(2)
		if g.r.IntN(2) == 0 {
			g.line("elseif %s then", g.expr(2))
			g.block(1)
		}
		if g.r.IntN(2) == 0 {
			g.line("else")
			g.block(1)
		}
		g.line("end")
	case 10:
		g.forLoop()
	case 11:
		g.line("repeat")
		g.line("local tries = %s", g.expr(1))
		g.line("until tries or true")
	case 12:
		g.line("do")
		g.line("local left = %d", g.r.IntN(60))
		g.line("while left > 0 do")
		g.line("left = left - 1")
		g.block(1)
		g.line("end")
		g.line("end")
	case 13:
		g.function()
	case 14:
		loops := g.loops
		g.loops = 0
		g.line("pcall(function()f")
		g.block(2)
		g.line("end)")
		g.loops = loops
	case 15:
		if g.loops > 0 && g.r.IntN(2) == 0 {
			g.line("if %s then break end", g.expr(1))
		} else {
			g.line("if %s then return %s end", g.expr(1), g.pick(g.expr(2), g.redis(1), ""))
		}
	}
}

func (g *generator) forLoop() {
	g.loops++
	defer func() { g.loops-- }()
	mark := len(g.locals)
	if g.r.IntN(2) == 0 {
		limit := g.pick("3", "50", "#"+g.name(), "5, 2")
		g.line("for %s = 1, %s do", g.declare(), limit)
	} else {
		list := g.pick("{1, 2, 3}", "KEYS", g.name())
		g.line("for %s, %s in ipairs(%s) do", g.declare(), g.declare(), list)
	}
	g.block(2)
	g.locals = g.locals[:mark]
	g.line("end")
}

func (g *generator) function() {
	mark, loops := len(g.locals), g.loops
	g.loops = 0
	name := g.pick("f", "g", "h")
	g.line("local function %s(x, ...)f", name)
	g.locals = append(g.locals, "x")
	g.block(2)
	g.line("do return %s end", g.pick("x, ...", "redis.call(x, ...)", "redis.pcall('get', x)", g.expr(2)))
	g.line("end")
	g.locals, g.loops = g.locals[:mark], loops
	g.line("local %s = %s(%s)", g.declare(), name, g.pick("'get'", "1", "'str', 2", "'get', 'str'"))
}

func (g *generator) redis(depth int) string {
	call := g.pick("redis.call", "redis.call", "redis.pcall", "redis . call")
	args := g.pick(
		"'set', KEYS[1], %s", "'get', KEYS[1]", "'incr', KEYS[2]", "'hset', 'h', 'f', %s", "'rpush', 'l', %s", "'incr', 'str'",
		"'lrange', 'l', 0, -1", "'del', KEYS[1], 'l'", "'hgetall', 'h'", "%s", "'get',\n %s", "'exists', 'str', 'nokey'")
	if strings.Contains(args, "%s") {
		args = fmt.Sprintf(args, g.expr(depth))
	}
	return call + "(" + args + ")"
}

func (g *generator) call(depth int) string {
	return g.pick(g.redis(depth), "tostring("+g.expr(depth-1)+" == 1)", "(function(...) return ... end)(1, 2, 3)", "type("+g.expr(depth-1)+")")
}

func (g *generator) expr(depth int) string {
	if depth <= 0 {
		return g.pick("1", "2.5", "-3", "'s'", `"q\n\"\65"`, "nil", "true", "false", g.name(), "[[long]]", "#KEYS", "KEYS[1]", "ARGV[2]")
	}
	d := depth - 1
	switch g.r.IntN(10) {
	case 0:
		return g.expr(d) + g.pick(" + ", " - ", "*", " / ", " % ", " ^ ") + g.expr(d)
	case 1:
		return g.expr(d) + " .. " + g.expr(d)
	case 2:
		return g.expr(d) + g.pick(" == ", " ~= ", " < ", " >= ") + g.expr(d)
	case 3:
		return g.pick("not ", "-", "#") + "(" + g.expr(d) + ")"
	case 4:
		return "{" + g.expr(d) + ", x = " + g.expr(d) + "; [" + g.pick("1", "'k'", "3") + "] = " + g.call(d) + "}"
	case 5:
		return "(" + g.expr(d) + g.pick(" or ", " and ") + g.expr(d) + ")"
	case 6:
		return g.call(d)
	case 7:
		return "(" + g.call(d) + ")"
	case 8:
		return g.name() + g.pick(".x", "[1]", "['k']")
	}
	return g.expr(0)
}
