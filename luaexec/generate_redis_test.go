package luaexec_test

import (
	"fmt"
	"strconv"
	"strings"
)

func (g generator) failing() string {
	wrong := pick(g, "nil", "true", "{}", "'x'", "function() end", "5")
	statement := pick(g,
		"local a = "+wrong+" return a.b", "local a = "+wrong+" return a.b.c", "local a = "+wrong+" a.b = 1", "local a = "+wrong+" a[1][2] = 3",
		"local a = "+wrong+" return a()", "local a = "+wrong+" return a:method()", "local a = "+wrong+" return a + 1", "local a = "+wrong+" return 1 - a",
		"local a = "+wrong+" return a .. 'x'", "local a = "+wrong+" return 'x' .. a .. 'y'", "local a = "+wrong+" return a < 1", "local a = "+wrong+" return a <= {}",
		"local a = "+wrong+" return #a", "local a = "+wrong+" return -a", "local t = {} return t.x.y", "local t = {} t.f()", "local t = {x = {}} t.x.y.z = 1",
		"local t = {} return t.a + t.b", "return KEYS[5].x", "return undefined_global", "undefined_function()", "new_global = 1", "return ('x'):nosuch()",
		"string.sub()", "return string.rep('x', 'y')", "return table.concat({{}})", "return tonumber({})", "return ipairs()", "return setmetatable(1, {})",
		"for i = 1, 'x' do end", "for i = {}, 2 do end", "for k in 5 do end", "return math.floor('a')", "return string.format('%d', 'x')",
		"return redis.call('get', {})", "return redis.call('nosuch')", "return redis.call('set', 'a')", "redis.call('set', 'k', 'v') return redis.call('lpush', 'k', 1)",
		"error('plain')", "error('level 0', 0)", "error('level 2', 2)", "error({err = 'CODE text'})", "error()", "assert(false)", "assert(nil, 'because')", "assert(1 == 2, 42)",
		"local t = {} t[nil] = 1", "local t = {} t[0/0] = 1", "redis.call = 1", "string.x = 2", "return select(0)", "return unpack({}, 1, 1e6)", "return next({}, 'x')",
		"local up = "+wrong+" local function f() return up.x end return f()", "local up = "+wrong+" local function f() return up + 1 end f()")
	switch g.IntN(7) {
	case 0:
		return "local ok, e = pcall(function() " + statement + " end) return {ok, tostring(e)}"
	case 1:
		return "local function f()\n  " + statement + "\nend\nlocal function g()\n  f()\nend\ng()\nreturn 1"
	case 2:
		return "local x = 1\nlocal y = 2\n\n" + statement
	case 3:
		return "local ok, e = pcall(function()\n" + statement + "\nend)\nif not ok then error(e) end\nreturn 'fine'"
	case 4:
		return "return {xpcall(function() " + statement + " end, function(e) return 'handled: ' .. tostring(e) end)}"
	}
	return statement
}

// broken takes a script apart and leaves something out, or puts it in twice.
func (g generator) broken() string {
	sources := []string{
		"local x = 1 if x == 1 then return 'a' else return 'b' end", "for i = 1, 10 do redis.call('incr', KEYS[1]) end return 1",
		"local t = {1, 2, a = 3, ['b'] = 4} return t.a", "local function f(a, b, ...) return a + b end return f(1, 2)",
		"for k in pairs(KEYS) do break end return 'x' .. 'y'", "if KEYS then local x = 1 end return #KEYS", "return redis.call('get', KEYS[1])",
		"local s = [[long]] return s:upper()", "local a, b = 1, 2\na, b = b, a\nreturn {a, b}", "return not (1 ~= 2) and 3 >= 4 or nil",
	}
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", "{", " { ", "}", " } ", ",", " , ", "=", " = ", "[", " [ ", "]", " ] ").Replace(pick(g, sources...)))
	i := g.IntN(len(words))
	switch g.IntN(4) {
	case 0:
		words = append(words[:i:i], words[i+1:]...)
	case 1:
		words = append(words[:i:i], append([]string{words[g.IntN(len(words))]}, words[i:]...)...)
	case 2:
		words[i] = pick(g, "end", "then", "=", "==", "..", "'open", "1x", "0x", "local", ")", "}", "@", "!", "~", "[[", "--[[", "3..2", "function", ";", ":", "...", "goto", "nil")
	default:
		words = words[:i]
	}
	return strings.Join(words, pick(g, " ", " ", "\n"))
}

func (g generator) lock() string {
	ttl := g.IntN(90000) + 10000
	return pick(g,
		fmt.Sprintf("if redis.call('exists', KEYS[1]) == 0 then redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], %d) return nil end return redis.call('pttl', KEYS[1]) > 0", ttl),
		fmt.Sprintf("redis.call('set', KEYS[1], %s, 'px', %d) if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end", pick(g, "ARGV[1]", "'other'"), ttl),
		fmt.Sprintf("return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', %d)", ttl),
		fmt.Sprintf("redis.call('hincrby', KEYS[1], ARGV[1], %d) local c = redis.call('hincrby', KEYS[1], ARGV[1], -1) if c > 0 then redis.call('expire', KEYS[1], 30) return 0 else redis.call('del', KEYS[1]) redis.call('publish', 'ch', 0) return 1 end", g.IntN(3)),
		fmt.Sprintf("redis.call('zadd', KEYS[1], %d, 'a', %d, 'b') redis.call('rpush', KEYS[2], 'a', 'b') local first = redis.call('lindex', KEYS[2], 0) return {first, redis.call('zscore', KEYS[1], first)}", g.IntN(100), g.IntN(100)),
		"if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end return redis.call('hget', KEYS[1], ARGV[1])",
		"local v = redis.call('incr', KEYS[1]) if v == 1 then redis.call('expire', KEYS[1], 100) end return {v, redis.call('ttl', KEYS[1]) > 0}",
		fmt.Sprintf("for i = 1, %d do redis.call('hincrby', KEYS[1], 'f' .. i, i) end return redis.call('hlen', KEYS[1])", g.IntN(6)))
}

func (g generator) limiter() string {
	rate, n := g.IntN(10)+1, g.IntN(8)
	return pick(g,
		fmt.Sprintf("local rate, now = %d, %d local last = tonumber(redis.call('hget', KEYS[1], 'last') or 0) local left = math.min(rate, (now - last) * 0.5) redis.call('hset', KEYS[1], 'left', left, 'last', now) return {left >= 1 and 1 or 0, tostring(left)}", rate, n),
		fmt.Sprintf("for i = 1, %d do redis.call('zadd', KEYS[1], i, 'm' .. i) end redis.call('zremrangebyscore', KEYS[1], '-inf', %d) local c = redis.call('zcard', KEYS[1]) return {c, c < %d}", n, g.IntN(8), rate),
		fmt.Sprintf("local c = redis.call('incrby', KEYS[1], %d) if c > %d then redis.call('decrby', KEYS[1], %d) return 0 end return c", n, rate, n),
		fmt.Sprintf("local t = {} for i = 1, %d do t[#t + 1] = i t[#t + 1] = 'm' .. i end if #t > 0 then redis.call('zadd', KEYS[1], unpack(t)) end return redis.call('zrange', KEYS[1], 0, -1, 'withscores')", n),
		fmt.Sprintf("redis.call('set', KEYS[1], '%d') local v = tonumber(redis.call('get', KEYS[1])) if v and v > %d then return redis.error_reply('LIMIT reached ' .. v) end return v", rate, n),
		fmt.Sprintf("local used = 0 for _, v in ipairs({%s}) do used = used + v end return {used, used / %d > 0.8}", g.integers(), rate))
}

func (g generator) queue() string {
	n := g.IntN(6) + 1
	return pick(g,
		fmt.Sprintf("for i = 1, %d do redis.call('rpush', KEYS[1], i) end local t = {} while true do local v = redis.call('lpop', KEYS[1]) if not v then break end t[#t + 1] = v end return t", n),
		fmt.Sprintf("for i = 1, %d do redis.call('lpush', KEYS[1], 'j' .. i) end redis.call('ltrim', KEYS[1], 0, %d) return redis.call('lrange', KEYS[1], 0, -1)", n, g.IntN(4)),
		fmt.Sprintf("redis.call('rpush', KEYS[1], %s) local v = redis.call('rpoplpush', KEYS[1], KEYS[2]) return {v, redis.call('llen', KEYS[1]), redis.call('llen', KEYS[2])}", g.integers()),
		fmt.Sprintf("redis.call('zadd', KEYS[1], %d, 'x', %d, 'y', %d, 'z') local due = redis.call('zrangebyscore', KEYS[1], '-inf', %d) for _, m in ipairs(due) do redis.call('zrem', KEYS[1], m) redis.call('rpush', KEYS[2], m) end return {#due, due}", g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9)),
		fmt.Sprintf("redis.call('rpush', KEYS[1], %s) return redis.call('lrem', KEYS[1], %d, '%d')", g.integers(), g.IntN(3)-1, g.IntN(9)),
		"redis.call('sadd', KEYS[1], 'a', 'b', 'c') redis.call('srem', KEYS[1], ARGV[1]) return {redis.call('scard', KEYS[1]), redis.call('sismember', KEYS[1], 'a')}")
}

func (g generator) call() string {
	k, v, n := pick(g, "KEYS[1]", "KEYS[2]", "'k3'"), pick(g, "'v'", "'10'", "5", "ARGV[1]", "2.5"), strconv.Itoa(g.IntN(20)-5)
	return "redis." + pick(g, "call", "call", "pcall") + "(" + pick(g,
		"'set', "+k+", "+v, "'get', "+k, "'incr', "+k, "'incrby', "+k+", "+n, "'append', "+k+", "+v, "'strlen', "+k, "'getrange', "+k+", 0, "+n,
		"'hset', "+k+", 'f', "+v, "'hget', "+k+", 'f'", "'hgetall', "+k, "'hmget', "+k+", 'f', 'g'", "'hdel', "+k+", 'f'", "'hincrby', "+k+", 'f', "+n,
		"'rpush', "+k+", "+v+", 'w'", "'lrange', "+k+", 0, -1", "'lpop', "+k, "'lindex', "+k+", "+n, "'llen', "+k,
		"'sadd', "+k+", "+v, "'scard', "+k, "'zadd', "+k+", "+n+", 'm'", "'zscore', "+k+", 'm'", "'zrange', "+k+", 0, -1", "'zincrby', "+k+", "+n+", 'm'",
		"'del', "+k, "'exists', "+k, "'type', "+k, "'expire', "+k+", 100", "'persist', "+k, "'ttl', "+k+")  + (-1", "'setnx', "+k+", "+v, "'mset', "+k+", 1, 'k3', 2", "'mget', KEYS[1], KEYS[2]",
		"'setex', "+k+", 100, "+v, "'getset', "+k+", "+v, "'rename', "+k+", 'k3'", "'echo', "+v, "'ping'", "'select', 0", "'subscribe', 'c'", "'multi'", "'publish', 'c', 'm'") + ")"
}

func (g generator) calls() string {
	var b strings.Builder
	b.WriteString("local t = {}\n")
	for range g.IntN(5) + 1 {
		fmt.Fprintf(&b, "t[#t + 1] = %s or 'none'\n", g.call())
	}
	b.WriteString(pick(g, "return t", "return t[#t]", "return #t", "local r = t[1] return type(r) == 'table' and (r.err or r.ok) or r"))
	return b.String()
}

func (g generator) jsonText(depth int) string {
	if depth == 0 || g.IntN(3) == 0 {
		return pick(g, "1", "-2.5", "1e3", "true", "false", "null", `"text"`, `"a\u00e9\n\/"`, `""`, "[]", "{}", "12345678901234567890", `"\ud83d\ude00"`)
	}
	items := make([]string, g.IntN(3)+1)
	for i := range items {
		items[i] = g.jsonText(depth - 1)
	}
	if g.IntN(2) == 0 {
		return "[" + strings.Join(items, ", ") + "]"
	}
	return `{"` + pick(g, "a", "key", "x y") + `": ` + items[0] + "}"
}

func (g generator) json() string {
	return pick(g,
		"return cjson.encode("+g.value(2)+")",
		"return cjson.encode({"+g.items()+"})",
		"return cjson.encode({"+pick(g, "a", "b")+" = "+g.value(1)+"})",
		"return cjson.encode({[1] = 'a', [2] = 'b', ["+strconv.Itoa(g.IntN(30))+"] = 'c'})",
		"return cjson.encode(cjson.decode('"+g.jsonText(3)+"'))",
		"local v = cjson.decode('"+g.jsonText(2)+"') return {type(v), tostring(v == cjson.null)}",
		"return cjson.decode('"+g.jsonText(2)+"')",
		"return {pcall(cjson.decode, '"+pick(g, "{", "[1,", `{"a"}`, "tru", "1 2", `"open`, "[1 2]", "{1:2}", "nan", "", "01", "+1", `"\x"`, `"\u12"`, "[,]", "{\"a\":}")+"')}",
		"return {pcall(cjson.encode, "+pick(g, "0/0", "1/0", "function() end", "{[true] = 1}", "{1, 2, [1000] = 3}", "nil", "print")+")}",
		"return cjson.encode({n = "+g.number()+"})",
		"return cjson.encode("+g.text()+")",
		"return {cjson.encode({}), cjson.encode({{}}), cjson.encode({a = {}}), cjson.encode({1, nil, 3})}")
}

func (g generator) packed() string {
	hex := "(%s:gsub('.', function(c) return ('%%02x'):format(c:byte()) end))"
	return "return " + pick(g,
		fmt.Sprintf(hex, "cmsgpack.pack("+g.value(2)+")"),
		fmt.Sprintf(hex, "cmsgpack.pack("+g.number()+", "+g.text()+")"),
		"{cmsgpack.unpack(cmsgpack.pack("+g.value(2)+"))}",
		"{pcall(cmsgpack.unpack, '"+pick(g, "\\193", "\\145", "\\218\\0", "abc", "")+"')}",
		fmt.Sprintf(hex, "struct.pack('"+pick(g, "I2", "i4", "b", "Bc0", "Lc0", "d", "f", "hh", "s", "c3", "x", "i33", "z")+"', "+pick(g, g.number(), "3", "'abc'")+", "+pick(g, "'abc'", "7")+")"),
		"{struct.unpack('"+pick(g, "I2", "I4", "b", "d", "Bc0", "s", "c2", "i3")+"', '"+pick(g, "\\1\\2\\3\\4\\5\\6\\7\\8", "\\3abcdef", "xy\\0z", "a")+"')}")
}

func (g generator) order() string {
	names := strings.Fields("a b c d name id value key user lock ttl count owner x y z one two three f1 f2 f3 first last time score member")
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:g.IntN(9)+1]
	fields := make([]string, len(names))
	sets := make([]string, len(names))
	for i, name := range names {
		fields[i] = name + " = " + strconv.Itoa(i)
		sets[i] = "t." + name + " = " + strconv.Itoa(i)
	}
	table := pick(g,
		"local t = {"+strings.Join(fields, ", ")+"}",
		"local t = {} "+strings.Join(sets, " "),
		"local t = {"+g.integers()+", "+strings.Join(fields, ", ")+"}",
		"local t = {"+strings.Join(fields, ", ")+"} t."+names[0]+" = nil t.later = 1",
		"local t = cjson.decode('{\""+strings.Join(names, `": 1, "`)+"\": 2}')",
		"local t = {} for i = "+strconv.Itoa(g.IntN(30))+", 1, -3 do t[i] = i end "+sets[0])
	return table + " " + pick(g, "return cjson.encode(t)", "local r = {} for k in pairs(t) do r[#r + 1] = tostring(k) end return r", "return next(t)",
		"return #t")
}
