package lessons_test

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

const lease = `scripts:
  lease:
    source: |
      if tonumber(redis.call('get', KEYS[1]) or '0') > tonumber(ARGV[1]) then return 0 end
      redis.call('set', KEYS[1], ARGV[2])
      return 1
actors:
  A: {process: p1, program: 'if redis.eval("lease", {"until"}, {stamp(), stamp("5s")}) == 1 then enter("lock") redis.call("GET", "x") leave("lock") end'}
  B: {process: p2, program: 'if redis.eval("lease", {"until"}, {stamp(), stamp("5s")}) == 1 then enter("lock") redis.call("GET", "x") leave("lock") end'}
`

// overlooked are lessons of which a search once said that they hold, though a learner could break them by hand.
var overlooked = []struct {
	name, time, lesson string
	length             int
}{
	{"time passes where only a rule could tell", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "door", me) enter("door") leave("door") redis.call("DEL", "door")'}
  B: {process: p2, program: 'want("door") subscribe("c") while not redis.call("SET", "door", me, "NX") do receive("c") end enter("door")'}
invariants: [no-idle-wait]
`, 5},
	{"a lease that is kept as a value", "any", lease + "invariants: [mutual-exclusion]\n", 3},
	{"the same while a client sleeps for long", "late=6s", lease + `  C: {process: p3, program: 'sleep("60s")'}
invariants: [mutual-exclusion]
`, 3},
	{"the time that a key still lasts", "any", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000) local t = redis.call("PTTL", "k") if t > 0 and t < 3000 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 4},
	{"a rule about the time that a key still lasts", "any", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000) redis.call("DEL", "k")'}
invariants: [{name: never, lua: 'not exists("k") or ttl("k") > 3000'}]
`, 2},
	{"the order of the fields of a hash", "arrive", `actors:
  A: {process: p1, program: 'redis.call("HSET", "h", "a", 1) redis.call("SET", "o", table.concat(redis.call("HKEYS", "h"), ""))'}
  B: {process: p2, program: 'redis.call("HSET", "h", "b", 1)'}
invariants: [{name: never, lua: 'get("o") ~= "ba"'}]
`, 4},
	{"a program that broke off", "arrive", `actors:
  A: {process: p1, program: 'redis.call("GET", "x") error("boom")'}
  B: {process: p2, program: 'redis.call("GET", "x") redis.call("GET", "x")'}
invariants: [{name: never, lua: 'not (status("A") == "failed" and status("B") == "finished")'}]
`, 3},
	{"a process that crashed, and one that finished", "arrive", `actors:
  A: {process: p1, program: 'redis.call("GET", "x") redis.call("GET", "x")'}
  B: {process: p2, program: 'redis.call("GET", "x") redis.call("GET", "x")'}
faults: [crash p1]
invariants: [{name: never, lua: 'not (status("A") == "crashed" and status("B") == "finished")'}]
`, 3},
	{"a task that broke off while a server that stood still had its wish to listen", "arrive", `actors:
  A: {process: p1, program: 'spawn("t", function() subscribe("c") redis.call("SET", "ot", tostring(receive("c", "1s"))) end) redis.call("SET", "heard", redis.call("PUBLISH", "c", me))'}
  B: {process: p2, program: 'spawn("u", function() subscribe("c") redis.call("SET", "ou", tostring(receive("c"))) end)'}
faults: [pause redis]
invariants: [{name: never, lua: 'not (get("heard") == 1 and get("ot") == "nil" and get("ou") == nil)'}]
`, 9},
	{"why a task broke off", "arrive", `actors:
  A: {process: p1, program: 'spawn("t", function() error("n is " .. tostring(redis.call("GET", "n"))) end) sleep("1s") local _, why = pcall(await, "t") redis.call("SET", "why", tostring(why))'}
  B: {process: p2, program: 'redis.call("SET", "n", 7)'}
invariants: [{name: never, lua: 'not string.find(get("why") or "", "n is 7", 1, true)'}]
`, 4},
	{"date", "any", `actors:
  A: {process: p1, program: 'redis.call("GET", "x") redis.call("SET", "s", date("%S"))'}
  B: {process: p2, program: 'sleep("7s")'}
invariants: [{name: never, lua: 's ~= 27'}]
`, 3},
	{"an id that has the instant in it", "any", `actors:
  A: {process: p1, program: 'redis.call("XADD", "s", "*", "f", 1)'}
  B: {process: p2, program: 'sleep("7s") local first = redis.call("XRANGE", "s", "-", "+")[1] redis.call("SET", "id", first and first[1] or "")'}
invariants: [{name: never, lua: 'get("id") ~= "1700000007000-0"'}]
`, 4},
	{"a lease that ends while its server is paused", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 2000) redis.call("GET", "x")'}
faults: [pause redis]
invariants: [{name: never, lua: 'exists("k") or not exists("seen")'}]
given: {seen: "1", k: {value: "1", ttl: 2s}}
`, 1},
	{"what a snapshot has", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1) redis.call("SET", "k", 2)'}
faults: [save redis, crash redis]
invariants: [{name: never, lua: 'not (status("A") == "finished" and get("k") == 1)'}]
`, 5},
	{"time passes twice while nothing is due", "any", `actors:
  A: {process: p1, program: 'local a=now() redis.call("GET","x") local b=now() redis.call("GET","x") local c=now() if b-a>3000 and b-a<5000 and c-b>3000 and c-b<5000 then redis.call("SET","bad",1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 5},
	{"two leases that are kept as values end one after the other", "any", lease + `  C: {process: p3, program: 'if redis.eval("lease", {"until"}, {stamp(), stamp("5s")}) == 1 then enter("lock") redis.call("GET", "x") leave("lock") end'}
invariants: [{name: never, lua: 'inside("lock") < 3'}]
`, 5},
	{"a client that is late twice", "late=2s", `actors:
  A: {process: p1, program: 'redis.call("SET","k",1,"PX",3000) redis.call("GET","x") redis.call("SET","e",redis.call("EXISTS","k"))'}
invariants: [{name: never, lua: 'e ~= 0'}]
`, 6},
	{"what a rule without the name asks of time", "any", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000) redis.call("DEL", "k")'}
invariants: [{name: never, lua: 'not exists("k") or _G["tt".."l"]("k") > 3000'}]
`, 2},
	{"what a rule without the name asks a server of time", "any", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000) redis.call("DEL", "k")'}
invariants: [{name: never, lua: 'not exists("k") or node("redis")["tt".."l"]("k") > 3000'}]
`, 2},
	{"what a rule that finds the function by itself asks a server of time", "any", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000) redis.call("DEL", "k")'}
invariants: [{name: never, lua: 'not exists("k") or rawget(node("redis"), "tt".."l")("k") > 300'}]
`, 2},
	{"a script that compares how long a key still lasts", "arrive", `scripts:
  late: {source: "local t = redis.call('pttl', KEYS[1]) if t > 0 and t < 2000 then redis.call('set', KEYS[2], 1) end return t"}
actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 5000)'}
  B: {process: p2, program: 'redis.eval("late", {"k", "late"})'}
invariants: [{name: never, lua: 'not exists("late")'}]
`, 3},
	{"a command that compares how long a key still lasts", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 5000)'}
  B: {process: p2, program: 'if redis.call("EXPIRE", "k", 3, "GT") == 1 then redis.call("SET", "more", 1) end'}
invariants: [{name: never, lua: 'not exists("more")'}]
`, 4},
	{"a span that is a key's value", "arrive", `given: {lease: "7000"}
actors:
  A: {process: p1, program: 'redis.call("SET", "at", now())'}
  B: {process: p2, program: 'local at, lease = redis.call("GET", "at"), redis.call("GET", "lease") local t = now() - (at or now()) if t > tonumber(lease) and t < lease + 500 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 5},
	{"the next minute", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "minute", date("%M"))'}
  B: {process: p2, program: 'local m = redis.call("GET", "minute") if m and m ~= date("%M") then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 4},
	{"what a process remembers when a client wakes", "arrive", `actors:
  A: {process: p1, program: 'local function keep() shared.set("x", redis.call("GET", "k") or "0") end keep() keep = nil sleep("1s") if shared.get("x") == "1" then redis.call("GET", "k") enter("s") redis.call("GET", "k") end'}
  B: {process: p2, program: 'enter("s") redis.call("SET", "k", 1) redis.call("SET", "k", 1) sleep("3s") redis.call("GET", "k")'}
invariants: [mutual-exclusion]
`, 5},
	{"a connection that ends as its client wakes", "any", `nodes: {db: {kind: sql, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1]]}}}}
actors:
  A: {process: p1, program: 'local db = node("db") db.begin() db.exec("UPDATE stock SET n = 2 WHERE id = 1") sleep("1s")'}
  B: {process: p2, program: 'local db = node("db") local function locks() return pcall(db.query, "SELECT n FROM stock WHERE id = 1 FOR UPDATE NOWAIT") end if not locks() and locks() then enter("s") db.query("SELECT n FROM stock WHERE id = 1") end'}
  C: {process: p3, program: 'enter("s") node("db").query("SELECT n FROM stock WHERE id = 1") sleep("9s")'}
invariants: [mutual-exclusion]
`, 5},
	{"a rule that makes the names of what it asks", "any", `actors:
  A: {process: p1, program: 'redis.call("GET", "x")'}
  B: {process: p2, program: 'redis.call("GET", "x")'}
invariants: [{name: never, lua: 'not (_G["stat".."us"]("A") == "finished" and _G["stat".."us"]("B") == "finished")'}]
`, 2},
	{"a span with an exponent", "any", `actors:
  A: {process: p1, program: 'local t = now() redis.call("GET", "x") if now() - t > 1e4 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"a span in seconds with a fraction", "any", `actors:
  A: {process: p1, program: 'local t = now() redis.call("GET", "x") local d = (now() - t) / 1000 if d > 2.5 and d < 2.8 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"powers", "any", `actors:
  A: {process: p1, program: 'local t = now() redis.call("GET", "x") local d = now() - t if d > 10^5 and d < 2 * 10^5 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"products of a number and one with a name", "any", `actors:
  A: {process: p1, program: 'local minute = 60 * 1000 local t = now() redis.call("GET", "x") local d = now() - t if d > 4 * minute and d < minute * 5 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"a command that is told before its name what to compare", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 5000)'}
  B: {process: p2, program: 'local how = "GT" if redis.call("EXPIRE", "k", 3, how) == 1 then redis.call("SET", "more", 1) end'}
invariants: [{name: never, lua: 'not exists("more")'}]
`, 4},
	{"an instant that is a field's value", "arrive", `given: {lock: {value: {owner: Z, until: "1700000009000"}}}
scripts:
  steal: {source: "if tonumber(redis.call('hget', KEYS[1], 'until')) < tonumber(ARGV[2]) then redis.call('hset', KEYS[1], 'owner', ARGV[1]) end"}
actors:
  A: {process: p1, program: 'redis.eval("steal", {"lock"}, {me, stamp()})'}
invariants: [{name: never, lua: 'hget("lock", "owner") == "Z"'}]
`, 2},
	{"time passes in a lesson that names none", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "at", now())'}
  B: {process: p2, program: 'local at = redis.call("GET", "at") if at and now() > tonumber(at) then redis.call("SET", "late", me) end'}
invariants: [{name: never, lua: 'not exists("late")'}]
`, 4},
	{"two whole numbers that Lua cannot tell apart", "arrive", `given: {a: "9007199254740992", b: "9007199254740992"}
actors:
  A: {process: p1, program: 'redis.call("INCR", "b")'}
invariants: [{name: never, lua: 'a == b'}]
`, 1},
	{"a text that is not a number", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "owner", "nan")'}
invariants: [{name: never, lua: 'owner ~= "nan"'}]
`, 1},
	{"a span that is a product", "any", `actors:
  A: {process: p1, program: 'local t = now() redis.call("GET", "x") if now() - t > 24 * 60 * 60 * 1000 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"a span that is a quotient", "arrive", `actors:
  A: {process: p1, program: 'local t = now() redis.call("GET", "x") local d = now() - t if d > 2 * 30000 / 6 and d < 30000/3 + 200 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"a span of whole hours in seconds", "any", `actors:
  A: {process: p1, program: 'local t = redis.call("TIME")[1] if redis.call("TIME")[1] - t == 86400 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 4},
	{"a span in hexadecimal digits", "any", `actors:
  A: {process: p1, program: 'local t = now() redis.call("GET", "x") local d = now() - t if d > 0x2328 and d < 0x2710 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"a span that no text has", "any", `actors:
  A: {process: p1, program: 'local t, most = now(), tonumber("3" .. "0" .. "000") redis.call("GET", "x") if now() - t > most then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"a program that compares the TTL that a script returns", "arrive", `scripts:
  left: {source: "return redis.call('pttl', KEYS[1])"}
actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000)'}
  B: {process: p2, program: 'local left = redis.eval("left", {"k"}) if left > 0 and left < 3000 then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 4},
	{"a rule that compares the TTL that a script keeps", "arrive", `scripts:
  keep: {source: "redis.call('set', KEYS[2], redis.call('pttl', KEYS[1]))"}
actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1, "PX", 10000)'}
  B: {process: p2, program: 'redis.eval("keep", {"k", "left"})'}
invariants: [{name: never, lua: '(left or -1) < 0 or left > 3000'}]
`, 3},
	{"a reply that is lost when a wait in the server ends", "arrive", `actors:
  A: {process: p1, program: 'redis.call("BLPOP", "l", 2)'}
  B: {process: p2, program: 'sleep("2500ms") redis.call("SET", "k", 1)'}
faults: [cut redis p1]
invariants: [{name: never, lua: 'not (status("A") == "unanswered" and exists("k"))'}]
`, 4},
	{"a text that reads NULL, and NULL", "arrive", `nodes: {r: {}, db: {kind: sql, tables: {t: {columns: {id: INT, note: VARCHAR(9) NULL}, rows: [[1, x]]}}}}
actors:
  A: {process: p1, program: 'node("db").exec("UPDATE t SET note = NULL WHERE id = 1")'}
  B: {process: p2, program: 'node("db").exec("UPDATE t SET note = ? WHERE id = 1", "NULL")'}
  C: {process: p3, program: 'if node("db").query("SELECT note FROM t")[1].note == "NULL" then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 3},
	{"two texts of a row that a transaction still sees", "arrive", `nodes: {r: {}, db: {kind: sql, tables: {t: {columns: {id: INT, a: VARCHAR(9), b: VARCHAR(9)}, rows: [[1, "", ""]]}}}}
given: {turn: "1"}
actors:
  A: {process: p1, program: 'if redis.call("GET", "turn") == "1" then node("db").exec("UPDATE t SET a = ?, b = ? WHERE id = 1", "van der", "Berg") redis.call("SET", "turn", "2") end'}
  B: {process: p2, program: 'if redis.call("GET", "turn") == "1" then node("db").exec("UPDATE t SET a = ?, b = ? WHERE id = 1", "van", "der Berg") redis.call("SET", "turn", "2") end'}
  C: {process: p3, program: 'local db = node("db") db.begin() db.query("SELECT id FROM t") if redis.call("GET", "turn") == "3" then redis.call("SET", "b", db.query("SELECT b FROM t")[1].b) end'}
  D: {process: p4, program: 'if redis.call("GET", "turn") == "2" then node("db").exec("UPDATE t SET a = ?, b = ? WHERE id = 1", "x", "x") redis.call("SET", "turn", "3") end'}
invariants: [{name: never, lua: 'b ~= "der Berg"'}]
`, 11},
	{"which of two equal whole numbers is the key of a table", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "same", 1)'}
  B: {process: p2, program: 'local a, b = int64(7), int64(7) if redis.call("GET", "same") then b = a end redis.call("PING") local t = {} t[a] = "a" redis.call("SET", "found", t[b] or "none")'}
invariants: [{name: never, lua: 'get("found") ~= "a"'}]
`, 4},
	{"which of two functions on a line a program keeps", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "k", 1)'}
  B: {process: p2, program: 'local by = redis.call("GET", "k") and function() return "INCR" end or function() return "DECR" end redis.call("PING") redis.call(by(), "n")'}
invariants: [{name: never, lua: 'n ~= 1'}]
`, 4},
	{"how long a table with holes is, which depends on how it was made", "arrive", `actors:
  A: {process: p1, program: 'redis.call("SET", "long", 1)'}
  B: {process: p2, program: 'local t = {} if redis.call("GET", "long") then t = {nil, nil, nil} end redis.call("PING") t[1], t[3] = 1, 3 redis.call("SET", "n", #t)'}
invariants: [{name: never, lua: 'n ~= 3'}]
`, 4},
	{"time that passes for a client, where another one that also looks at its clock has ended in like states met before", "any", `actors:
  B: {process: p2, program: 'if redis.call("INCR", "n") == 2 and redis.call("GET", "n") == "12" then local t = now() redis.call("PING") if now() - t > 5000 then redis.call("SET", "bad", 1) end end'}
  A: {process: p1, program: 'redis.call("INCR", "n") local t = now() redis.call("INCRBY", "n", 10)'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 7},
	{"how the entries of a stream are packed, one that was deleted among them", "arrive", `actors:
  A: {process: p1, program: 'redis.call("XADD", "s", "0-1", "f", "x") redis.call("XADD", "s", "1-1", "f", redis.call("GET", "k") and string.rep("x", 3000) or "x") redis.call("XDEL", "s", "1-1") redis.call("XADD", "s", "2-1", "f", string.rep("x", 1200)) redis.call("XADD", "s", "3-1", "f", "x") redis.call("XTRIM", "s", "MAXLEN", "~", 2) redis.call("SET", "n", redis.call("XLEN", "s"))'}
  B: {process: p2, program: 'redis.call("SET", "k", 1)'}
invariants: [{name: never, lua: 'n ~= 2'}]
`, 10},
	{"an item that is moved to where somebody waits for one", "prompt", `actors:
  A: {process: p1, program: 'redis.call("BLPOP", "m", 0) redis.call("SET", "bad", 1)'}
  B: {process: p2, program: 'sleep("1s") redis.call("RPUSH", "l", "x") redis.call("BLMOVE", "l", "m", "LEFT", "RIGHT", 0)'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 6},
	{"a listener that crashed behind a link that is cut", "arrive", `nodes: {redis: {}, zk: {kind: zookeeper, session: 2s}}
actors:
  A: {process: p1, program: 'node("zk").create("/a", me, {ephemeral = true}) subscribe("c") receive("c")'}
  B: {process: p2, program: 'local zk = node("zk") if zk.exists("/a", true) and zk.event("/a") == "NodeDeleted" then redis.call("SET", "heard", redis.call("PUBLISH", "c", me)) end'}
faults: [cut p1 redis, crash p1]
invariants: [{name: never, lua: 'heard ~= 1'}]
`, 9},
	{"a key that a script has deleted in a slot that moves", "arrive", `cluster: {n1: "0-16000, 12182 to n2", n2: 16001-16383}
given: {foo: {value: [x]}}
scripts:
  take: {source: "redis.call('lpop', KEYS[1]) return redis.call('llen', KEYS[1])"}
actors:
  A: {process: p1, program: 'redis.eval("take", {"foo"})'}
invariants: [{name: never, lua: 'status("A") ~= "failed"'}]
`, 1},
	{"what a transaction takes back before who waits is answered", "prompt", `actors:
  A: {process: p1, program: 'redis.call("BLPOP", "l", 0)'}
  B: {process: p2, program: 'sleep("1s") local r = redis.multi(function(tx) tx.call("RPUSH", "l", me) tx.call("LPOP", "l") end) if r[2] == me then redis.call("SET", "bad", 1) end'}
invariants: [{name: never, lua: 'not exists("bad")'}]
`, 4},
	{"a rule that is false from the start", "any", `actors:
  A: {process: p1, program: 'redis.call("SET", "lock", 1)'}
invariants: [{name: never, lua: 'exists("lock")'}]
`, 1},
}

func TestASearchFindsWhatItOnceOverlooked(t *testing.T) {
	for _, c := range overlooked {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			text := "title: {en: x, zh: x}\nsummary: {en: x, zh: x}\nchapter: more\nlevel: advanced\n" + c.lesson + "story: [{run: A}]\n"
			l := written(t, text)
			bound, err := search.ParseTimeBound(c.time)
			if err != nil {
				t.Fatal(err)
			}
			v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Bounds: search.Bounds{Time: bound, Idle: 2, Faults: l.OneFault()}}, nil)
			if err != nil || v.Ending != search.Breaks || len(v.Schedule) != c.length {
				t.Errorf("it %s, %v, in %d: %v; want a break in %d", v.Ending, err, len(v.Schedule), v.Schedule, c.length)
			}
		})
	}
}

// A replica that is sent a key past its end has it until its clock moves: its search once went round for ever.
func TestASearchEndsWhereAReplicaGetsAKeyThatHasEnded(t *testing.T) {
	v := explored(t, `nodes: {m: {}, r: {replica-of: m}, s: {replica-of: m}}
actors:
  A: {process: p1, program: 'redis.call("SET","k",me) redis.call("EXPIRE","k",1) redis.call("SET","o",1)'}
faults: [clock m +1s]
invariants: [{name: never, lua: 'status("A") ~= "crashed"'}]
`)
	if v.Ending != search.Holds {
		t.Errorf("it %s", v.Ending)
	}
}

// Where a client looks at its clock and another waits for nothing that is due, time once passed for ever.
func TestASearchEndsWhereTimePassesForARuleAlone(t *testing.T) {
	text := `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
given: {door: "x"}
actors:
  A: {process: p1, program: 'redis.call("SET", "at", now())'}
  B: {process: p2, program: 'want("door") subscribe("c") receive("c") redis.call("SET", "at", now())'}
  C: {process: p3, program: 'redis.call("PUBLISH", "c", "x")'}
invariants: [no-idle-wait]
story: [{run: A}]
`
	l := written(t, text)
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Bounds: search.Bounds{Time: search.AnyLate, States: 1_000}}, nil)
	if err != nil || v.Ending != search.Holds {
		t.Errorf("it %s, %v, after %d choices", v.Ending, err, v.Depth)
	}
}

// What programs do before their first requests has happened.
func TestASearchSeesWhatHappensAtTheBeginning(t *testing.T) {
	v := explored(t, `actors:
  A: {process: p1, program: 'enter("k") redis.call("GET","x")'}
  B: {process: p2, program: 'want("k") redis.call("GET","x") error("late")'}
  C: {process: p3, program: 'error("at once")'}
invariants: [mutual-exclusion]
`)
	seen := map[string]bool{}
	for _, s := range v.Sometimes {
		seen[string(s.Name)+s.Of] = s.Seen
	}
	if !seen["contended"] || !seen["entersA"] || seen["entersB"] || !seen["failsC"] {
		t.Errorf("it has seen %v", seen)
	}
}

// Two threads of a process that watch one znode are both told: a client of ZooKeeper calls each watcher.
func TestAWatchTellsEachThreadThatWaits(t *testing.T) {
	v := explored(t, `nodes: {zk: {kind: zookeeper, session: 2s}}
given: {/a: ""}
actors:
  A: {process: p1, program: 'local zk = node("zk") if zk.exists("/a", true) then zk.event("/a") end'}
  A2: {process: p1, program: 'local zk = node("zk") if zk.exists("/a", true) then zk.event("/a") end'}
  B: {process: p2, program: 'node("zk").delete("/a")'}
faults: [cut p1 zk]
invariants: [nobody-waits-forever]
`)
	if v.Ending != search.Holds {
		t.Errorf("it %s: %v", v.Ending, v.Schedule)
	}
}

// Moves of the clock in a row count as one, also where both must be made: a lease ends, and time passes while the lock is free.
func TestAVerdictCountsMovesAsLearnersDo(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:
  A: {process: p1, program: 'redis.call("SET", "door", me, "PX", 2000) enter("door") leave("door") redis.call("GET", "x") sleep("9s") redis.call("GET", "y")'}
  B: {process: p2, program: 'want("door") subscribe("c") while not redis.call("SET", "door", me, "NX") do receive("c") end enter("door")'}
invariants: [no-idle-wait]
verdicts: [{breaks: no-idle-wait, in: 5}]
story: [{run: A}]
`)
	if got := proven(t, l); got != "" {
		t.Error(got)
	}
}

// Nor does it count one more where another choice, and a move of the clock, lead to one state after as few: of these, the move of the
// clock goes on.
func TestAVerdictCountsOneMoveThatPassesAStateAsOne(t *testing.T) {
	v := explored(t, `nodes: {zk: {kind: zookeeper, session: 2s}}
given: {/q: ""}
actors:
  A: {process: p1, program: 'local zk = node("zk") if not pcall(zk.create, "/q/a", me, {ephemeral = true}) then sleep("2s") if zk.exists("/q/a") then enter("s") zk.get("/q") end end'}
faults: [cut zk p1]
invariants: [{name: never, lua: 'inside("s") == 0'}]
`)
	if v.Ending != search.Breaks || v.Moves() != 5 {
		t.Errorf("it %s in %d: %v", v.Ending, v.Moves(), v.Schedule)
	}
}

func explored(t *testing.T, lesson string) search.Verdict {
	t.Helper()
	text := "title: {en: x, zh: x}\nsummary: {en: x, zh: x}\nchapter: more\nlevel: advanced\n" + lesson + "story: [{run: A}]\n"
	l := written(t, text)
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Bounds: search.Bounds{Faults: l.OneFault()}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Who asks again without a sleep lets no time pass where nobody is late: that it holds says little, and the verdict says so.
func TestAVerdictSaysWhoLetsNoTimePass(t *testing.T) {
	for _, c := range []struct{ between, time, want string }{{`redis.call("GET", "x")`, "prompt", "B"}, {`sleep("1s")`, "prompt", ""}, {"", "arrive", "B"}, {"", "late=1s", ""}} {
		bound, err := search.ParseTimeBound(c.time)
		if err != nil {
			t.Fatal(err)
		}
		l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
given: {lock: {value: A, ttl: 9s}}
actors:
  B: {process: p2, program: 'while not redis.call("SET", "lock", me, "NX") do `+c.between+` end'}
invariants: [mutual-exclusion]
story: [{run: B}]
`)
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Bounds: search.Bounds{Time: bound}}, nil)
		if err != nil || v.Spins != c.want || len(bound.Assumed(&v)) != 2+len(c.want) {
			t.Errorf("%s, %q: %q lets no time pass, %v", c.time, c.between, v.Spins, err)
		}
	}
}

// A lock that is made without a TTL, and gets one before anybody is inside, is one without when its client crashes in between: the rule
// does not count that, and the verdict says so.
func TestAVerdictSaysWhichLockHadNoTTL(t *testing.T) {
	for take, bare := range map[string]string{
		`redis.call("SET", "door", me, "NX", "PX", 9000)`:                                                     "",
		`redis.call("SETNX", "door", me) == 1 and redis.call("PEXPIRE", "door", 9000)`:                        "door",
		`redis.multi(function(tx) tx.call("SETNX", "door", me) tx.call("PEXPIRE", "door", 9000) end)[1] == 1`: "",
	} {
		v := explored(t, `actors:
  [A, B]: {process: [p1, p2], program: 'if `+take+` then enter("door") sleep("1s") leave("door") redis.call("DEL", "door") end'}
invariants: [no-lock-without-ttl]
faults: [crash p1]
`)
		if v.Ending != search.Holds || v.Bare != bare || len(search.Arrive.Assumed(&v)) != 2+min(1, len(bare)) {
			t.Errorf("%s: it %s, and %q had no TTL", take, v.Ending, v.Bare)
		}
	}
}

// A member of a cluster lets nobody watch a key that another one has.
func TestAClusterRefusesToWatchAKeyThatIsElsewhere(t *testing.T) {
	v := explored(t, `cluster: {n1: 0-15000, n2: 15001-16383}
actors:
  A: {process: p1, program: 'redis.watch("a") redis.multi(function(tx) tx.call("SET", "foo", 1) end)'}
invariants: [{name: never, lua: 'not exists("foo")'}]
`)
	if v.Ending != search.Holds {
		t.Errorf("it %s: %v", v.Ending, v.Schedule)
	}
}

// What has reached a server that stands still it hears when it goes on, though the link was cut since: the request of a client that
// waits, and that this one has crashed.
func TestWhatHasReachedAServerIsHeardThoughTheLinkIsCut(t *testing.T) {
	l := written(t, `title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
actors:
  A: {process: p1, program: 'redis.call("BLPOP", "l", 0)'}
  B: {process: p2, program: 'redis.call("RPUSH", "l", "x")'}
faults: [pause redis, crash p1, cut p1 redis]
story: [{run: A}]
`)
	scenario, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	pause, crash := engine.Choice{Kind: engine.Pause, Target: "redis"}, engine.Choice{Kind: engine.Crash, Target: "p1"}
	cut, heal := engine.Choice{Kind: engine.Cut, Target: "p1", Other: "redis"}, engine.Choice{Kind: engine.Heal, Target: "p1", Other: "redis"}
	asks, resume, gives := engine.Choice{Kind: engine.Run, Target: "A"}, engine.Choice{Kind: engine.Resume, Target: "redis"}, engine.Choice{Kind: engine.Run, Target: "B"}
	for _, c := range []struct {
		choices []engine.Choice
		stays   bool
	}{
		{[]engine.Choice{pause, asks, crash, cut, resume, gives}, true},
		{[]engine.Choice{pause, asks, cut, crash, resume, gives}, false},
		{[]engine.Choice{pause, asks, cut, crash, heal, cut, resume, gives}, true},
	} {
		_, trace, err := engine.Replay(t.Context(), scenario, c.choices)
		if err != nil {
			t.Fatal(err)
		}
		if _, stays := trace.At(len(trace.Steps)).Nodes[0].Key("l"); stays != c.stays {
			t.Errorf("after %v there is an item: %v", c.choices, stays)
		}
	}
}
