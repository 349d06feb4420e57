package luaexec_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// mathCalls are functions of math and operators, with arguments of all sizes, and how
// many of a thousand results may be another than that of a server's C library, and by
// how many of the numbers that there are. Powers of whole numbers are often halfway
// between two.
var mathCalls = []struct {
	name    string
	most    int
	between int
	call    func(g generator) string
}{
	{"exp", 5, 1, func(g generator) string { return "math.exp(" + g.realNumber(10) + ")" }},
	{"log", 5, 1, func(g generator) string { return "math.log(" + g.size(100) + ")" }},
	{"log10", 5, 1, func(g generator) string { return "math.log10(" + g.size(1e6) + ")" }},
	{"log10 of powers", 0, 0, func(g generator) string { return fmt.Sprintf("math.log10(1e%d)", g.IntN(600)-300) }},
	{"sqrt", 0, 0, func(g generator) string { return "math.sqrt(" + g.size(1e6) + ")" }},
	{"fmod", 0, 0, func(g generator) string { return "math.fmod(" + g.realNumber(100) + ", " + g.realNumber(10) + ")" }},
	{"%", 0, 0, func(g generator) string { return "(" + g.realNumber(100) + ") % (" + g.realNumber(10) + ")" }},
	{"^", 5, 1, func(g generator) string { return "(" + g.size(100) + ") ^ " + g.realNumber(20) }},
	{"a backoff", 5, 1, func(g generator) string { return fmt.Sprintf("%g ^ %d", float64(g.IntN(100))/20, g.IntN(30)) }},
	{"2 ^", 5, 1, func(g generator) string { return "2 ^ (" + g.realNumber(1000) + ")" }},
	{"10 ^", 5, 1, func(g generator) string { return fmt.Sprintf("10 ^ %d", g.IntN(640)-330) }},
	{"whole ^", 15, 1, func(g generator) string { return fmt.Sprintf("(%d) ^ %d", g.IntN(60)-30, g.IntN(20)) }},
	{"math.pow", 5, 1, func(g generator) string { return "math.pow(" + g.size(1e300) + ", " + g.realNumber(2) + ")" }},
}

// realNumber is a number up to most or -most: with many digits, with few, or near zero.
func (g generator) realNumber(most float64) string {
	x := (2*g.Float64() - 1) * most
	switch g.IntN(8) {
	case 0, 1:
		x = math.Round(x*10) / 10
	case 2, 3:
		x /= most
	case 4:
		x *= math.Pow(10, -float64(g.IntN(30)))
	}
	return strconv.FormatFloat(x, 'g', 17, 64)
}

// size is as real, but never below zero.
func (g generator) size(most float64) string { return strings.TrimPrefix(g.realNumber(most), "-") }

// The functions of math and ^ give what a server's do, but for the last digit where
// its C library is off.
func TestMathAsRedis(t *testing.T) {
	const calls, perScript = 1000, 100
	socket := startRedis(t)
	redis, node := dialRedis(t, socket), newNode()
	for _, c := range mathCalls {
		g, others := newGenerator(1), 0
		for range calls / perScript {
			list := make([]string, perScript)
			for i := range list {
				list[i] = c.call(g)
			}
			script := "local t = {" + strings.Join(list, ", ") + "} for i, v in ipairs(t) do t[i] = string.format('%.17g', v) end return t"
			got, want := execute(t, node, "EVAL", script, "0"), redis.do("EVAL", script, "0")
			if len(got.Elems) != perScript || len(want.Elems) != perScript {
				t.Fatalf("%s: got %v, want %v", c.name, got, want)
			}
			for i, call := range list {
				a, b := got.Elems[i].Str, want.Elems[i].Str
				if a == b {
					continue
				}
				others++
				if apart := numbersBetween(t, a, b); apart > c.between {
					t.Errorf("%s is %s, and %s on Redis: %d numbers apart", call, a, b, apart)
				}
			}
		}
		if others*1000 > c.most*calls {
			t.Errorf("%s: %d of %d results differ from those of Redis", c.name, others, calls)
		}
	}
}

// numbersBetween counts the float64 between two texts.
func numbersBetween(t *testing.T, a, b string) int {
	t.Helper()
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil || x != x || y != y || math.Signbit(x) != math.Signbit(y) {
		return math.MaxInt
	}
	apart := int64(math.Float64bits(x)) - int64(math.Float64bits(y))
	return int(max(apart, -apart))
}
