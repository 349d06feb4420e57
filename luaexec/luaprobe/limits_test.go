package luaprobe_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/luaexec/luaprobe"
)

// probed runs a script on the embedded engine.
func probed(t *testing.T, script string) (*luaprobe.Probe, luaprobe.Report) {
	t.Helper()
	probe, err := luaprobe.Rewrite(script, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &embedded{tb: t}
	s.renew()
	report, err := probe.Decode(eval(s, probe.Text, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	return probe, report
}

func TestLongValuesAreCut(t *testing.T) {
	_, report := probed(t, "local s, u = ('é'):rep(150) .. 'x', {}\nfor i = 1, 25 do u[i] = i end\nu.z = 1\nlocal v = {}\nfor i = 1, 25 do v['k' .. i] = ('x'):rep(100) end\nfor i = 1, 110 do u[i] = 0 end\nreturn s")
	last := report.Lines[len(report.Lines)-1]
	if got, want := last.Locals[0].Value, `"`+strings.Repeat("é", 100)+`"… (301 bytes)`; got != want {
		t.Errorf("a long string is %s, want %s", got, want)
	}
	if got, want := last.Locals[1].Value, "{"+strings.Repeat("0, ", 20)+"…}"; got != want {
		t.Errorf("a long array is %s, want %s", got, want)
	}
	v := last.Locals[2].Value
	if !strings.HasPrefix(v, `{k1 = "`+strings.Repeat("x", 60)+`"… (100 bytes), k10 = `) || !strings.HasSuffix(v, ", … 5 more}") {
		t.Errorf("a large table is %s", v)
	}
	for _, e := range report.Lines {
		if e.Line.Line == 4 && e.Locals[1].Value != "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, … 5 more, … 1 more}" {
			t.Errorf("an array with a field is %s", e.Locals[1].Value)
		}
	}
}

// passesOf lists which passes of the loop around a line are told of.
func passesOf(report luaprobe.Report, line int) string {
	var seen []string
	for _, l := range report.Lines {
		if l.Line.Line == line {
			seen = append(seen, fmt.Sprint(l.Passes[len(l.Passes)-1]))
		}
	}
	return strings.Join(seen, " ")
}

func TestLongLoopsKeepTheirEnds(t *testing.T) {
	_, report := probed(t, "local n = 0\nfor i = 1, 1000 do\n  n = n + 1\nend\nreturn n")
	want := "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 981 982 983 984 985 986 987 988 989 990 991 992 993 994 995 996 997 998 999 1000"
	if got := passesOf(report, 3); got != want {
		t.Errorf("the passes kept are %s", got)
	}
	if report.Total != 1003 || len(report.Lines) != 43 || report.Reply.Int != 1000 {
		t.Errorf("%d lines of %d, reply %v", len(report.Lines), report.Total, report.Reply)
	}
}

func TestEventsAreBounded(t *testing.T) {
	_, report := probed(t, "local n = 0\nfor a = 1, 35 do\n  for b = 1, 35 do\n    n = n + 1\n    n = n + 1\n  end\nend\nreturn n")
	if n := len(report.Lines); n != 2000 {
		t.Errorf("%d lines are kept", n)
	}
	first, last := report.Lines[0], report.Lines[len(report.Lines)-1]
	if first.N != 1 || last.N != report.Total || report.Total < 2400 || last.Line.Line != 8 {
		t.Errorf("lines %d to %d of %d are kept", first.N, last.N, report.Total)
	}
	for i, e := range report.Lines[1:] {
		if e.N <= report.Lines[i].N {
			t.Fatalf("line %d comes after %d", e.N, report.Lines[i].N)
		}
	}
}

// TestLoopsThatEndOtherwise leaves loops by break, return, error and in
// coroutines, and looks for the lines after them outside of any pass.
func TestLoopsThatEndOtherwise(t *testing.T) {
	for _, script := range []string{
		"for i = 1, 9 do\n  if i == 2 then break end\nend\nlocal last = 1",
		"local function f() for i = 1, 9 do\n  if i == 2 then return i end\nend end\nf()\nlocal last = 1",
		"for i = 1, 2 do\n  pcall(function() for j = 1, 9 do\n    error('x') end end)\nend\nlocal last = 1",
		"local co = coroutine.wrap(function() for i = 1, 9 do\n  coroutine.yield(i) end end)\nfor j = 1, 3 do co() end\nlocal last = 1",
	} {
		probe, report := probed(t, script)
		last := report.Lines[len(report.Lines)-1]
		if !strings.HasPrefix(strings.Split(probe.Shown, "\n")[last.Line.Line-1], "local last") || len(last.Passes) > 0 {
			t.Errorf("%s\nends with line %d in %v", script, last.Line.Line, last.Passes)
		}
	}
	_, report := probed(t, "local co = coroutine.wrap(function() for i = 1, 9 do\n  coroutine.yield(i) end end)\nfor j = 1, 3 do co() end\nlocal last = 1")
	if got := passesOf(report, 2); got != "1 2 3" {
		t.Errorf("the coroutine's loop has the passes %s", got)
	}
}

// TestScriptsNearTheLimits run with fewer probes.
func TestScriptsNearTheLimits(t *testing.T) {
	var locals, sum, up strings.Builder
	for i := range 180 {
		fmt.Fprintf(&locals, "local v%d = %d\n", i, i)
	}
	for i := range 58 {
		fmt.Fprintf(&sum, "+ v%d ", i)
		fmt.Fprintf(&up, "local v%d = %d\n", i, i)
	}
	for name, c := range map[string]struct {
		script string
		want   int64
	}{
		"locals":   {locals.String() + "for i = 1, 3 do v0 = v0 + i end return v0 + v179", 185},
		"upvalues": {up.String() + "local function f()\n  for i = 1, 1 do v0 = 1 redis.call('get', 'x') end\n  return 0 " + sum.String() + "\nend\nreturn f()", 1654},
	} {
		probe, err := luaprobe.Rewrite(c.script, nil)
		if err != nil {
			t.Fatal(err)
		}
		for engine, s := range servers(t) {
			report, err := probe.Decode(eval(s, probe.Text, nil, nil))
			if err != nil || report.Reply.Int != c.want || len(report.Lines) < 58 {
				t.Errorf("%s on %s: %v, %d lines, reply %s, want %d", name, engine, err, len(report.Lines), show(report.Reply), c.want)
			}
		}
		silent := 0
		for _, s := range probe.Statements {
			if !s.Probed {
				silent++
			}
		}
		if (silent > 0) != (name == "upvalues") {
			t.Errorf("%s: %d statements are silent", name, silent)
		}
	}
}

func TestDecodeRefusesWhatIsNoReport(t *testing.T) {
	probe, err := luaprobe.Rewrite("return 1", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []reply.Reply{{}, {Kind: reply.Int, Int: 1}, {Kind: reply.Array}} {
		if _, err := probe.Decode(answer); err == nil {
			t.Errorf("%s passes for a report", show(answer))
		}
	}
}

// TestErrorsInPlaceOfAReport are those that no script can catch.
func TestErrorsInPlaceOfAReport(t *testing.T) {
	probe, err := luaprobe.Rewrite("while true do end", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &embedded{tb: t}
	s.renew()
	plain, answer := eval(s, probe.Source, nil, nil), eval(s, probe.Text, nil, nil)
	report, err := probe.Decode(answer)
	if err != nil {
		t.Fatal(err)
	}
	if withoutLines(show(report.Reply)) != withoutLines(show(plain)) {
		t.Errorf("%s, want %s", show(report.Reply), show(plain))
	}
}
