package luaexec_test

import (
	"fmt"
	"slices"
	"strings"
)

// severalAtOnce assigns to several variables with one statement, locals and those of
// a function around, fields among them, and more or fewer values than variables.
func (g generator) severalAtOnce() string {
	var b strings.Builder
	b.WriteString("local seen = ''\nlocal function note(x) seen = seen .. tostring(x) return x end\n")
	b.WriteString("local function many(n) if n == 0 then return end return n, many(n - 1) end\n")
	b.WriteString("local t = {10, 20, 30}\n")
	variables := "local a, b, c, d = 1, 2, 3, 4\n"
	kept := "seen, a, b, c, d, t[1], t[2], t[3], t.x"
	switch g.IntN(4) {
	case 0: // all of one function
		b.WriteString(variables + g.assignments(""))
	case 1: // all of a function around
		b.WriteString(variables + "local function step()\n" + g.assignments("") + "end\n")
		fmt.Fprintf(&b, "for i = 1, %d do step() end\n", g.IntN(4)+1)
	case 2: // some of each, and those that another function shares
		b.WriteString("local a, b = 1, 2\nlocal function get() return a, b end\nlocal function step(c, d, ...)\n" + g.assignments("...") +
			"note(c) note(d) note(select('#', ...))\nend\n")
		fmt.Fprintf(&b, "step(%s)\nstep(get())\n", pick(g, "", "3", "3, 4", "3, 4, 5", "get()", "3, 4, 5, nil"))
		kept = "seen, a, b, t[1], t[2], t[3], t.x"
	default: // in a loop
		fmt.Fprintf(&b, variables+"for i = 1, %d do\n%send\n", g.IntN(4)+1, g.assignments("i"))
	}
	return b.String() + "local r = {} for i, v in ipairs({" + tostrings(kept) + "}) do r[i] = v end return r"
}

func tostrings(names string) string {
	return "tostring(" + strings.ReplaceAll(names, ", ", "), tostring(") + ")"
}

// assignments may use one more expression.
func (g generator) assignments(more string) string {
	var b strings.Builder
	for range g.IntN(3) + 1 {
		targets := make([]string, g.IntN(4)+1)
		for i := range targets {
			targets[i] = pick(g, "a", "a", "b", "b", "c", "d", "t[1]", "t[2]", "t[3]", "t.x", "t[#t]", "t[note(1)]", "t[note('x')]")
		}
		values := make([]string, max(1, len(targets)+g.IntN(3)-1))
		for i := range values {
			values[i] = pick(g, "a", "b", "c", "d", "a", "b", "t[1]", "t[2]", "t.x", "5", "nil", "(a or 0) + (b or 0)", "note(b)", "many(2)", "(many(2))",
				"note(c), note(a)", "'x' .. tostring(d)", "function() return a end and 7", "not b", "many(0)")
		}
		switch g.IntN(4) {
		case 0:
			values = slices.Clone(targets)
			g.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		case 1:
			values[len(values)-1] = pick(g, "many(3)", "many(5)", "many(0)", more)
		}
		if values[len(values)-1] == "" {
			values[len(values)-1] = "a"
		}
		fmt.Fprintf(&b, "  %s = %s\n", strings.Join(targets, ", "), strings.Join(values, ", "))
	}
	return b.String()
}
