package luaprobe_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/parse"

	"lockstep/luaexec/luaprobe"
	"lockstep/luaexec/syntax"
	"lockstep/node/sample"
)

// tree is what a source means, without lines.
func tree(source string) (string, error) {
	stmts, err := parse.Parse(strings.NewReader(source), "source")
	if err != nil {
		return "", err
	}
	return parse.Dump(stmts), nil
}

func TestLayOut(t *testing.T) {
	cases := map[string]struct{ source, want string }{
		"one line": {
			"if (redis.call('exists', KEYS[1]) == 0) then redis.call('hincrby', KEYS[1], ARGV[2], 1); return nil; end; return redis.call('pttl', KEYS[1]);",
			"if (redis.call('exists', KEYS[1]) == 0) then\n  redis.call('hincrby', KEYS[1], ARGV[2], 1);\n  return nil;\nend;\nreturn redis.call('pttl', KEYS[1]);\n",
		},
		"blocks": {
			"for i=1,2 do while x do f() end repeat y=1 until z end if a then b() elseif c then d() else e() end",
			"for i=1,2 do\n  while x do\n    f()\n  end\n  repeat\n    y=1\n  until z\nend\nif a then\n  b()\nelseif c then\n  d()\nelse\n  e()\nend\n",
		},
		"functions": {
			"local f = function(a) local b = a return b end local t = {x = function() end, y = 1} do end",
			"local f = function(a)\n  local b = a\n  return b\nend\nlocal t = {x = function() end, y = 1}\ndo end\n",
		},
		"comments": {
			"-- first\na = 1 -- why\n\n\n-- then\nb = 2 --[[ long ]] c = 3 --[[ over\nlines ]] return",
			"-- first\na = 1 -- why\n\n-- then\nb = 2 --[[ long ]]\nc = 3 --[[ over\nlines ]]\nreturn\n",
		},
		"lines within a statement": {
			"if a and\n        b then f(1,\n 2\n) end",
			"if a and\n  b then\n  f(1,\n    2\n  )\nend\n",
		},
		"no space where there was none": {"a=-1;b=#'x'..[[\ny]]return(a)", "a=-1;\nb=#'x'..[[\ny]]\nreturn(a)\n"},
		"nothing":                       {"", ""},
		"shebang":                       {"#!lua name=x\nlocal a = 1 return a", "#!lua name=x\nlocal a = 1\nreturn a\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := luaprobe.LayOut(c.source)
			if err != nil || got != c.want {
				t.Errorf("LayOut(%q), %v:\n%s\nwant:\n%s", c.source, err, got, c.want)
			}
		})
	}
}

// TestLayOutKeepsTheProgram compares syntax trees, and lays out twice.
func TestLayOutKeepsTheProgram(t *testing.T) {
	scripts := append(sample.Sample(t, collected(t), collectedInSample), handwritten(t)...)
	for _, seed := range sample.LaidOutScripts.Seeds(t) {
		scripts = append(scripts, generate(seed))
	}
	compared := 0
	for _, script := range scripts {
		want, err := tree(script)
		if err != nil {
			continue
		}
		text, err := luaprobe.LayOut(script)
		if err != nil {
			continue // TestProbedAndPlainAgree finds those that Redis would run
		}
		if got, err := tree(text); err != nil || got != want {
			t.Errorf("%s\nis laid out as another program, %v:\n%s", script, err, text)
		}
		if again, err := luaprobe.LayOut(text); err != nil || again != text {
			t.Errorf("%s\nis laid out, and then again as (%v)\n%s", text, err, again)
		}
		compared++
	}
	if compared < len(scripts)*3/4 {
		t.Errorf("only %d of %d scripts were compared", compared, len(scripts))
	}
}

// TestLaidOutAndPlainAgree runs both, on the embedded engine: errors may name
// other lines.
func TestLaidOutAndPlainAgree(t *testing.T) {
	s := &embedded{t, nil}
	for seed := range uint64(100) {
		script := generate(seed)
		if differs("embedded", script) != "" {
			continue
		}
		text, err := luaprobe.LayOut(script)
		if err != nil {
			t.Fatal(err)
		}
		s.renew()
		want := eval(s, script, []string{"k1", "k2"}, []string{"a1", "20"})
		before := state(s)
		s.renew()
		got := eval(s, text, []string{"k1", "k2"}, []string{"a1", "20"})
		if withoutLines(show(got)) != withoutLines(show(want)) || state(s) != before {
			t.Errorf("%s\n laid out %s\n plain    %s", script, show(got), show(want))
		}
	}
}

var lineNumber = regexp.MustCompile(`user_script:\d+|script: \w+`)

func withoutLines(text string) string { return lineNumber.ReplaceAllString(text, "") }

func TestWhatIsNoLuaIsRefused(t *testing.T) {
	for source, line := range map[string]int{
		"return 'a":                    1,
		"\n\nlocal = 1":                3,
		"; return 1":                   1,
		"goto x":                       1,
		"x = y\n(f)()\n":               2,
		"return 3..2":                  1,
		"--[[ no end":                  1,
		"if x then":                    1,
		"function() end":               1,
		"(a) = 1":                      1,
		"a.b":                          1,
		"f() = 1":                      1,
		"return ... ;\nend":            2,
		"function f() return ... end":  1,
		strings.Repeat("(", 500) + "1": 1,
		"return " + strings.Repeat("{", 190) + strings.Repeat("}", 190): 1,
	} {
		_, err := luaprobe.Rewrite(source, nil)
		var refused *syntax.Error
		if !errors.As(err, &refused) || refused.Line != line {
			t.Errorf("%.40q: %v, want an error on line %d", source, err, line)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	for _, script := range append(collected(f), handwritten(f)...) {
		f.Add(script)
	}
	for seed := range uint64(20) {
		f.Add(generate(seed))
	}
	f.Fuzz(func(t *testing.T, source string) {
		probe, err := luaprobe.Rewrite(source, writes)
		text, layoutErr := luaprobe.LayOut(source)
		if (err == nil) != (layoutErr == nil) {
			t.Fatalf("%v and %v", err, layoutErr)
		}
		if err != nil {
			return
		}
		want, err := tree(source)
		if err != nil {
			return // Lua that gopher-lua does not know
		}
		if _, err := parse.Parse(strings.NewReader(probe.Text), "probed"); err != nil {
			t.Errorf("the probed text does not parse: %v\n%s", err, probe.Text)
		}
		if got, err := tree(text); err != nil || got != want {
			t.Errorf("laid out, it is another program: %v\n%s", err, text)
		}
	})
}
