package portable_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/portable"
)

// empty is a server that holds nothing.
type empty struct{}

func (empty) Source(string) (string, bool) { return "", false }
func (empty) Hashes() []engine.Key         { return nil }

func refused(args ...string) bool {
	_, ok := portable.Refuse(engine.Op{Args: args}, empty{})
	return ok
}

// TestNoCommandIsForgotten: what no lesson could use is refused with a reason, such as that
// it needs a connection of its own, would wait, or does not exist.
func TestNoCommandIsForgotten(t *testing.T) {
	const seen = " eval eval_ro evalsha evalsha_ro script wait " // to by a node or the engine, and so are those that block
	for _, c := range keyspace.CommandDocs() {
		needed := c.Is(keyspace.NoScript) && !c.Is(keyspace.Blocking) && !strings.Contains(seen, " "+c.Name()+" ")
		if needed && !refused(c.Name(), "a", "b", "c") {
			t.Errorf("%s is not refused", c.Name())
		}
		if c.Is(keyspace.Absent) && !refused(c.Name()) {
			t.Errorf("%s is not there, and not refused", c.Name())
		}
	}
	for _, d := range conversations.Differences {
		for name := range strings.FieldsSeq(d.Absent) {
			if name, _, _ := strings.Cut(name, "|"); !refused(name, "a", "b") {
				t.Errorf("%s is not there, and not refused", name)
			}
		}
	}
}

// TestPlaces: what a text may not do is found where it stands, once.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		source   string
		program  bool
		findings string
	}{
		{source: "return redis.call('get', KEYS[1])"},
		{source: "return (", findings: ""},
		{source: "#!lua flags=no-writes\n\nreturn redis.call('TIME')", findings: ""},
		{source: "redis.call(\n'time')\nredis.pcall('spop', 'a')", findings: "3 SPOP"},
		{source: "local c, d = redis.call, redis.pcall\nlocal function f() return d [[time]] end", findings: ""},
		{source: "local r = redis\nreturn r.call('time')", findings: ""},
		{source: "f = server.call\nreturn f('time')", findings: ""},
		{source: "return pcall(redis.call, 'time')", findings: ""},
		{source: "redis.call('hget', KEYS[1], 'time') error('time') return 'scan'"},
		{source: "return redis.call('set', 'k', 'v', 'exat', 1)", findings: ""},
		{source: "return redis.call('set', 'k', 'v', 'ex', 1)"},
		{source: "return redis.call('smembers', 's')", findings: "1 SMEMBERS"},
		{source: "local m = redis.call('smembers', 's') table.sort(m) return m"},
		{source: "local random = math.random\nreturn random()", findings: "1 math.random"},
		{source: "math.randomseed(1) return math.random()"},
		{source: "local random, os = ARGV[1], ARGV[2]\nreturn random .. os"},
		{source: "return redis.call('blmpop', 0, 1, 'q', 'left')"},
		{source: "return redis.call('xread', 'block', 0, 'streams', 'x', 0)"},
		{source: "return os.time() + cjson.encode_max_depth(2)", findings: "1 cjson.encode_max_depth, 1 os"},
		{program: true, source: "work('1s')\nredis.call('blpop', 'q', 0) redis.call('wait', 1, 0)"},
		{program: true, source: "node('n2').call('XREAD', 'BLOCK', 0, 'STREAMS', 'x', '$')", findings: "1 XREAD … BLOCK"},
		{program: true, source: "redis.call('SMEMBERS', 's') redis.call('XADD', 'x', '*', 'f', 'v') math.random()"},
	} {
		var found []string
		for _, r := range portable.In(c.source, c.program) {
			found = append(found, fmt.Sprintf("%d %s", r.Line, r.What))
		}
		if got := strings.Join(found, ", "); got != c.findings {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.findings)
		}
	}
}

// TestClock: what looks at the clock goes through a function, and nothing else moves.
func TestClock(t *testing.T) {
	for source, want := range map[string]string{
		"return redis.call('TIME')":                              "return at(redis.call)('TIME')",
		"#!lua flags=no-writes\n\nreturn redis.call ( 'time' )":  "#!lua flags=no-writes\n\nreturn at(redis.call) ( 'time' )",
		"local c = redis.pcall\nlocal t = c [[time]] c('get')":   "local c = redis.pcall\nlocal t = at(c) [[time]] c('get')",
		"return pcall(redis.call, 'time')":                       "return pcall(at(redis.call), 'time')",
		`redis["call"]("PEXPIREAT", KEYS[1], ARGV[1])`:           `at(redis["call"])("PEXPIREAT", KEYS[1], ARGV[1])`,
		"redis.call('set', 'k', redis.call('time')[1], 'ex', 1)": "redis.call('set', 'k', at(redis.call)('time')[1], 'ex', 1)",
		"redis.call('set', 'k', 'v', 'exat', 1)":                 "at(redis.call)('set', 'k', 'v', 'exat', 1)",
		"redis.call(ARGV[1]) return 'time'":                      "redis.call(ARGV[1]) return 'time'",
	} {
		if got := portable.WithClock(source, "at"); got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
		if portable.LooksAtClock(source) != (source != want) {
			t.Errorf("%s: looks at the clock: %t", source, source == want)
		}
	}
}

// TestLogs: where a script could write to the log of the server is told, whatever that server is called.
func TestLogs(t *testing.T) {
	for source, line := range map[string]int{
		"return math.log(2)":                               0,
		"local t = {log = 1} return t.log":                 0,
		"-- redis.log\nreturn 'redis.log'":                 0,
		"local r = redis return r.call('get', KEYS[1])":    0,
		"\nredis.log(3, 'x')":                              2,
		"redis['log'](3, 'x')":                             1,
		"local write\nwrite = redis.log write(3, 'x')":     2,
		"local math = redis math.log(3, 'x')":              1,
		"_G.redis.log(3, 'x')":                             1,
		"redis[ARGV[1]](3, 'x')":                           1,
		"local r = redis\nlocal f = r['lo'..'g'] f(3, '')": 2,
		"for name, f in pairs(redis) do f(3, name) end":    1,
		"rawget(redis, 'log')(3, 'x')":                     1,
	} {
		if got := portable.Logs(source); got != line {
			t.Errorf("%s: on line %d, want %d", source, got, line)
		}
	}
}

// TestSpelled: a name may be passed on, put together and compared with others, but not
// looked at.
func TestSpelled(t *testing.T) {
	for _, c := range []struct{ source, what string }{
		{"return redis.call('get', KEYS[1])", ""},
		{"return redis.call('del', unpack(KEYS))", ""},
		{"return #KEYS", ""},
		{"for i, k in ipairs(KEYS) do redis.call('del', k .. ':' .. i) end return KEYS", ""},
		{"if KEYS[2] and KEYS[1] ~= KEYS[2] and KEYS[1] ~= nil then return {KEYS[1]} end", ""},
		{"local k = string.format('%s:%d', KEYS[1], 1) return redis.call('get', k)", ""},
		{"local t = {} t[KEYS[1]] = true return #ARGV[1] + #redis.call('get', KEYS[1])", ""},
		{"local function get(k, f) return redis.call('hget', k, f) end return #get(KEYS[1], 'a')", ""},
		{"return string.len(ARGV[1]) .. ARGV[1]:upper() .. KEYS[1]", ""},
		{"return #KEYS[1]", "#"},
		{"return string.sub(KEYS[1], 1, 4)", "sub"},
		{"return KEYS[1]:sub(1, 4)", "sub"},
		{"return #(KEYS[1] .. 'x')", "#"},
		{"local key = KEYS[1]\nlocal other = key .. ':x'\nreturn other:match('lock')", "match"},
		{"local a, b = unpack(KEYS) return b:len()", "len"},
		{"for _, k in ipairs(KEYS) do if k == ARGV[1] then return 1 end end", "=="},
		{"return KEYS[1] < 'm'", "<"},
		{"local function size(k) return #k end return size(KEYS[2])", "#"},
		{"local size = function(n, k) return string.len(k) end return size(1, KEYS[2])", "len"},
		{"return cjson.encode(KEYS)", "encode"},
		{"return redis.sha1hex(KEYS[1])", "sha1hex"},
		{"return tonumber(KEYS[1])", "tonumber"},
	} {
		if what, line := portable.Spelled(c.source); what != c.what || (line > 0) != (what != "") {
			t.Errorf("%s: got %q on line %d, want %q", c.source, what, line, c.what)
		}
	}
}

// TestReplicasRefuseWrites: a replica reads, and a leader writes.
func TestReplicasRefuseWrites(t *testing.T) {
	for _, c := range []struct {
		op      engine.Op
		refused bool
	}{
		{engine.Op{Args: []string{"SET", "k", "v"}, ReadOnly: true}, true},
		{engine.Op{Args: []string{"GET", "k"}, ReadOnly: true}, false},
		{engine.Op{Args: []string{"SET", "k", "v"}}, false},
	} {
		r, refused := portable.Refuse(c.op, empty{})
		if refused != c.refused || refused && !strings.HasPrefix(r.Str, "READONLY ") {
			t.Errorf("%v, read-only %v, answers %q", c.op.Args, c.op.ReadOnly, r.Str)
		}
	}
}
