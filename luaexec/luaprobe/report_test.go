package luaprobe_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/luaexec/luaprobe"
	"lockstep/node/redis"
)

// story writes a report as a person follows it.
func story(probe *luaprobe.Probe, report luaprobe.Report) string {
	lines := strings.Split(probe.Shown, "\n")
	var b strings.Builder
	last := 0
	for _, line := range report.Lines {
		l := line.Line
		if l.N > last+1 {
			fmt.Fprintf(&b, "… %d more\n", l.N-last-1)
		}
		last = l.N
		for _, pass := range l.Passes {
			fmt.Fprintf(&b, "%d ", pass)
		}
		if l.Call == nil {
			fmt.Fprintf(&b, "%d: %s", l.Line, strings.TrimSpace(lines[l.Line-1]))
			for _, v := range l.Locals {
				fmt.Fprintf(&b, " | %s = %s", v.Name, v.Value)
			}
		} else {
			fmt.Fprintf(&b, "%d:  ", l.Line)
			for _, a := range l.Call.Args {
				fmt.Fprintf(&b, " %s", a)
			}
			fmt.Fprintf(&b, " → %s", l.Call.Reply)
			for _, k := range line.Seen {
				key := engine.Key{Type: engine.KeyType(k.Type)} // servers differ in the order of members and fields
				redis.Fill(&key, k.Elems)
				fmt.Fprintf(&b, " | %s %s %d", k.Key, key.Value(), k.PTTL)
			}
		}
		b.WriteString("\n")
	}
	if report.Total > last {
		fmt.Fprintf(&b, "… %d more\n", report.Total-last)
	}
	return b.String()
}

// TestReport tells the same story on every engine.
func TestReport(t *testing.T) {
	all := servers(t)
	for name, c := range map[string]struct{ script, want string }{
		"lines, locals and calls": {
			"local key = KEYS[1]\nif redis.call('exists', key) == 0 then\n  redis.call('hset', key, 'A', 1)\n  return 1\nend\nreturn 0",
			`
1: local key = KEYS[1]
2: if redis.call('exists', key) == 0 then | key = "k1"
2:   "exists" "k1" → 0
3: redis.call('hset', key, 'A', 1) | key = "k1"
3:   "hset" "k1" "A" 1 → 1 | k1 hash {A: 1} -1
4: return 1 | key = "k1"
`,
		},
		"a script on one line": {
			"local n = 1; redis.call('set', 'a', n); if n > 1 then return n; elseif n == 1 then redis.call('mset', 'a', 2, 'b', 3); return redis.call('del', 'a', 'nokey'); end",
			`
1: local n = 1;
2: redis.call('set', 'a', n); | n = 1
2:   "set" "a" 1 → OK | a string 1 -1
3: if n > 1 then | n = 1
5: elseif n == 1 then | n = 1
6: redis.call('mset', 'a', 2, 'b', 3); | n = 1
6:   "mset" "a" 2 "b" 3 → OK | a string 2 -1 | b string 3 -1
7: return redis.call('del', 'a', 'nokey'); | n = 1
7:   "del" "a" "nokey" → 1 | a none {} -2 | nokey none {} -2
`,
		},
		"loops": {
			"local n = 0\nfor i = 1, 2 do\n  while n < i do\n    n = n + 1\n  end\nend\nrepeat\n  local m = n\nuntil m == 2",
			`
1: local n = 0
2: for i = 1, 2 do | n = 0
1 0 3: while n < i do | n = 0 | i = 1
1 1 4: n = n + 1 | n = 0 | i = 1
1 1 3: while n < i do | n = 1 | i = 1
2 0 3: while n < i do | n = 1 | i = 2
2 1 4: n = n + 1 | n = 1 | i = 2
2 1 3: while n < i do | n = 2 | i = 2
7: repeat | n = 2
1 8: local m = n | n = 2
1 9: until m == 2 | n = 2 | m = 2
`,
		},
		"functions": {
			"local base = 10\nlocal unused = 1\nlocal function add(n, ...)\n  local sum = base + n\n  return sum\nend\nlocal a, b = add(1), add\nreturn a",
			`
1: local base = 10
2: local unused = 1 | base = 10
3: local function add(n, ...) | base = 10 | unused = 1
7: local a, b = add(1), add | base = 10 | unused = 1 | add = function
4: local sum = base + n | base = 10 | n = 1
5: return sum | base = 10 | n = 1 | sum = 11
8: return a | base = 10 | unused = 1 | add = function | a = 11 | b = function
`,
		},
		"values": {
			"local a, b, c, d, e = nil, false, 0.1, 1e15, 'q\"\\n é\\0'\nlocal t = {1, {2}, nil, x = {}, ['a b'] = true, [2.5] = 'h'}\nlocal s = string.rep('é', 150)\nlocal u = {}\nfor i = 1, 25 do u[i] = i end\nreturn",
			`
1: local a, b, c, d, e = nil, false, 0.1, 1e15, 'q"\n é\0'
2: local t = {1, {2}, nil, x = {}, ['a b'] = true, [2.5] = 'h'} | a = nil | b = false | c = 0.1 | d = 1e+15 | e = "q\"\n é\x00"
`,
		},
		"errors": {
			"local ok = redis.pcall('incr', 'str')\nlocal l = redis.call('lrange', 'list', 0, -1)\nredis.call('incr', l[1])\nredis.call('get', 'list')",
			`
1: local ok = redis.pcall('incr', 'str')
1:   "incr" "str" → (error) ERR value is not an integer or out of range
2: local l = redis.call('lrange', 'list', 0, -1) | ok = {err = "ERR value is not an integer or out of range", ignore_error_stats_update = true}
2:   "lrange" "list" 0 -1 → ["a", "b"]
3: redis.call('incr', l[1]) | ok = {err = "ERR value is not an integer or out of range", ignore_error_stats_update = true} | l = {"a", "b"}
3:   "incr" "a" → 1 | a string 1 -1
4: redis.call('get', 'list') | ok = {err = "ERR value is not an integer or out of range", ignore_error_stats_update = true} | l = {"a", "b"}
4:   "get" "list" → (error) WRONGTYPE Operation against a key holding the wrong kind of value
`,
		},
		"keys of all types": {
			"redis.call('hset', 'h', 'b', 1, 'a', 2)\nredis.call('rpush', 'l', 'x', 'y')\nredis.call('sadd', 's', 'n', 'm')\nredis.call('zadd', 'z', 2, 'two', 1, 'one')\nredis.call('del', 'h', 'l', 's', 'z')",
			`
1: redis.call('hset', 'h', 'b', 1, 'a', 2)
1:   "hset" "h" "b" 1 "a" 2 → 2 | h hash {a: 2, b: 1} -1
2: redis.call('rpush', 'l', 'x', 'y')
2:   "rpush" "l" "x" "y" → 2 | l list [x, y] -1
3: redis.call('sadd', 's', 'n', 'm')
3:   "sadd" "s" "n" "m" → 2 | s set {m, n} -1
4: redis.call('zadd', 'z', 2, 'two', 1, 'one')
4:   "zadd" "z" 2 "two" 1 "one" → 2 | z zset {one: 1, two: 2} -1
5: redis.call('del', 'h', 'l', 's', 'z')
5:   "del" "h" "l" "s" "z" → 4 | h none {} -2 | l none {} -2 | s none {} -2 | z none {} -2
`,
		},
	} {
		probe, err := luaprobe.Rewrite(c.script, writes)
		if err != nil {
			t.Fatal(err)
		}
		for server, s := range all {
			s.do("FLUSHALL")
			s.do("SET", "str", "text")
			s.do("RPUSH", "list", "a", "b")
			report, err := probe.Decode(eval(s, probe.Text, []string{"k1"}, nil))
			if err != nil {
				t.Fatal(err)
			}
			if got := story(probe, report); !strings.HasPrefix(got, strings.TrimPrefix(c.want, "\n")) || name != "values" && got != strings.TrimPrefix(c.want, "\n") {
				t.Errorf("%s on %s:\n%s\nwant:%s", name, server, got, c.want)
			}
		}
	}
}
