package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// drawn are lines of programs, by what they are about. "got" is what a line was answered.
var drawn = map[string][]string{
	"hash": {
		`got=redis.call("HKEYS","h")`, `got=redis.eval("keys",{"h","oh"})`, `redis.call("HSET","h","a",1)`, `redis.call("HSET","h","b",2)`, `redis.call("HDEL","h","a")`,
	},
	"set": {
		`got=redis.call("SMEMBERS","s")`, `got=redis.call("SCARD","s")`, `redis.call("SADD","s","a","b")`, `redis.call("SADD","s","b","a")`, `redis.call("SREM","s","a")`,
	},
	"string": {
		`got=redis.call("GET","k")`, `got=redis.call("PTTL","k")`, `got=redis.call("KEYS","*")`, `got=redis.call("SET","k",me,"NX","PX",2000)`,
		`redis.call("DEL","k")`, `redis.call("SET","k",me)`, `redis.call("INCR","n")`, `redis.call("EXPIRE","k",3)`, `redis.call("PERSIST","k")`,
		`redis.call("SET","j",me,"PX",1000)`, `redis.call("RENAME","k","j")`, `redis.call("APPEND","k",me)`, `redis.call("SET","k",me,"KEEPTTL")`,
	},
	"list": {
		`got=redis.call("LPOP","l")`, `got=redis.call("LRANGE","l","0","-1")`, `got=redis.call("BLPOP","l","2")`, `got=redis.call("BLPOP","l","0")`,
		`redis.call("RPUSH","l",me)`, `redis.call("LPUSH","l",me)`, `redis.call("LREM","l","0",me)`, `got=redis.call("BLMOVE","l","m","LEFT","RIGHT","1")`,
	},
	"zset": {
		`got=redis.call("ZRANGE","z","0","-1","WITHSCORES")`, `got=redis.call("ZPOPMIN","z")`, `got=redis.call("ZRANGEBYSCORE","z","-inf",now())`,
		`got=redis.eval("due",{"z"},{stamp()})`, `redis.call("ZADD","z",1,"a")`, `redis.call("ZADD","z",now(),"b")`, `redis.call("ZADD","z",stamp("2s"),"a")`,
		`redis.call("ZREM","z","a")`, `got=redis.call("BZPOPMIN","z","1")`,
	},
	"stream": {
		`got=redis.call("XADD","st","*","f",me)`, `got=redis.call("XLEN","st")`, `got=redis.call("XRANGE","st","-","+")`, `redis.call("XADD","st","MAXLEN","1","*","f",me)`,
		`redis.call("XTRIM","st","MAXLEN","0")`, `got=redis.multi(function(tx) tx.call("XADD","st","*","f",me) tx.call("INCR","n") end)`, `redis.call("DEL","st")`,
	},
	"clock": {
		`got=now()`, `got=date("%S")`, `got=redis.eval("lease",{"k"},{now(),now()+2000})`, `got=redis.eval("lease",{"k"},{stamp(),stamp("2s")})`,
		`t0=t0 or now() got=now()-t0`, `redis.call("SET","k",now())`, `redis.call("SET","k",stamp())`, `redis.call("SET","k",date("%M:%S"))`,
	},
	"section": {
		`enter("k")`, `want("k")`, `if inside then leave("k") inside=false else enter("k") inside=true end`,
		`if redis.call("SET","k",me,"NX","PX","2000") then enter("k") work("1s") leave("k") redis.call("DEL","k") end`,
		`want("k") subscribe("c") while not redis.call("SET","k",me,"NX") do receive("c") end enter("k")`, `redis.call("DEL","k")`, `redis.call("PUBLISH","c",me)`,
		`subscribe("c") got=receive("c","1s")`, `subscribe("c") got=receive("c")`,
		`subscribe("c") got=receive("c","1s","go")`, `pcall(spawn,"t",function() subscribe("c") got=receive("c","2s","go") redis.call("INCR","n") end)`, `redis.call("PUBLISH","c","go")`,
	},
	"program": {
		`sleep("1s")`, `work("2s")`, `pcall(function() redis.call("INCR","h") error("x") end)`, `if got then error("boom") end`, `error("boom")`,
		`shared.set("x",me)`, `got=shared.get("x")`, `pcall(spawn,"t",function() sleep("1s") redis.call("INCR","n") end)`, `pcall(spawn,"t",function() redis.call("INCR","n") error("x") end)`,
		`pcall(spawn,"t",function() error(str(redis.call("GET","n"))) end)`, `pcall(await,"t")`, `got=select(2,pcall(await,"t"))`, `pcall(cancel,"t")`, `got=redis.multi(function(tx) tx.call("INCR","n") tx.call("GET","k") end)`,
		`redis.watch("k")`, `got=redis.eval("random")`, `t=t or {} t[me]=1 t[#t+1]=str(got)`, `got=str(t)`, `got=redis.eval("shuffle",{"n"})`, `redis.call("INCR","n")`,
	},
	"waking": { // clients that keep nothing but what their process, or a server, keeps of them
		`sleep("1s")`, `sleep("1s")`, `got=nil`, `shared.set("x",tostring(redis.call("GET","k")))`, `if shared.get("x")==me then return end`, `if shared.get("x")~=me then redis.call("GET","k") end`,
		`redis.call("SET","k",me)`, `redis.call("DEL","k")`, `enter("k")`, `want("k")`, `shared.set("x","")`,
	},
	"leaving": { // clients that end with a transaction
		`sleep("1s")`, `sleep("1s")`, `got=nil`, `db.begin()`, `db.exec("UPDATE stock SET n = n + 1 WHERE id = 1 AND n < 3")`, `db.exec("UPDATE stock SET n = n - 1 WHERE id = 1")`, `db.commit()`,
		`got=pcall(db.query,"SELECT n FROM stock WHERE id = 1 FOR UPDATE NOWAIT")`, `if got then return end`, `enter("k")`, `pcall(spawn,"t",function() db.begin() pcall(db.exec,"UPDATE stock SET n = 5 WHERE id = 1") sleep("1s") end)`,
	},
	"replica": {
		`got=node("r").call("GET","k")`, `redis.call("SET","k",me)`, `redis.call("SET","k",me,"PX",2000)`, `got=redis.call("WAIT","1","1000")`, `got=redis.call("WAIT","1","0")`, `redis.call("INCR","n")`,
		`got=node("r").call("PTTL","k")`, `got=master().call("SET","k",me,"NX")`,
	},
	"script": { // those that a server has loaded
		`got=select(2,pcall(redis.call,"EVALSHA",one,"0"))`, `got=redis.call("SCRIPT","LOAD","return redis.call('incr','n')")`, `redis.call("SCRIPT","FLUSH")`,
		`got=redis.call("SCRIPT","EXISTS",one)`, `got=redis.call("EVAL","return redis.call('incr','n')","0")`, `redis.call("DEL","n")`,
	},
	"transaction": {
		`redis.watch("k")`, `redis.unwatch()`, `redis.call("SET","k",me,"PX",1000)`, `redis.call("INCR","n")`, `redis.call("DEL","k")`, `redis.call("PERSIST","k")`,
		`got=redis.multi(function(tx) tx.call("GET","k") tx.call("INCR","n") end)`, `got=redis.multi(function(tx) tx.call("PTTL","k") tx.call("SET","k",me,"KEEPTTL") end)`,
		`redis.multi(function(tx) tx.call("PUBLISH","c",me) tx.call("DEL","k") end)`, `pcall(redis.multi,function(tx) tx.call("LPUSH","k",1) tx.call("INCR","n") end)`,
	},
	"message": { // to several who listen in a process
		`subscribe("c") got=receive("c","1s")`, `subscribe("d") got=receive("d","2s")`, `subscribe("c")`, `unsubscribe("c")`, `subscribe("c") subscribe("d")`, `redis.call("PUBLISH","d",me)`,
		`redis.call("PUBLISH","c","go")`, `got=redis.call("PUBLISH","c",me)`, `subscribe("c") got=receive("c","2s","go")`, `pcall(cancel,"t")`, `pcall(await,"u")`,
		`pcall(spawn,"t",function() subscribe("c") redis.call("SET","ot",tostring(receive("c","1s"))) end)`,
		`pcall(spawn,"u",function() subscribe("c") redis.call("SET","ou",tostring(receive("c","2s","go"))) unsubscribe("c") end)`,
	},
	"newer": {
		`got=redis.call("DELEX","k","IFEQ",me)`, `got=redis.call("SET","k",me,"IFEQ","A","PX",1000)`, `got=redis.call("SET","k",me,"NX","PX",2000)`, `got=redis.call("GET","k")`,
		`redis.call("DEL","k")`, `redis.call("SET","k","A")`,
	},
	"servers": { // without a leader
		`got=node("n1").call("SET","k",me,"NX","PX",2000)`, `got=node("n2").call("SET","k",me,"NX","PX",1000)`, `got=node("n2").call("GET","k")`, `node("n1").call("DEL","k")`,
		`got=node("n1").call("PTTL","k")`, `if got==nil then node("n2").call("DEL","k") end`, `node("n1").call("SET","k",now())`, `got=node("n2").eval("lease",{"k"},{now(),now()+1000})`,
		`pcall(spawn,"t",function() node("n2").call("SET","k",me,"NX") end)`, `pcall(await,"t")`, `pcall(function() got=node("n2").call("INCR","n") end)`, `node("n1").call("INCR","n")`,
	},
	"cluster": {
		`got=select(2,pcall(node("n1").call,"INCR","foo"))`, `got=select(2,pcall(node("n2").call,"INCR","foo"))`, `got=select(2,pcall(node("n2",{asking=true}).call,"SET","foo",me,"PX",2000))`,
		`got=select(2,pcall(node("n1").call,"GET","foo"))`, `pcall(node("n1").call,"DEL","foo")`, `pcall(node("n1").call,"MSET","foo",1,"bar",2)`, `got=select(2,pcall(node("n1").call,"SET","bar",me))`,
	},
	"crowd": {`got=redis.call("GET","n")`, `redis.call("INCR","n")`, `got=redis.call("SET","k",me,"NX","PX",1000)`, `if got then redis.call("SET","n",got) end`, `if not got then refused("k") end`},
	"pool": { // sessions that end when they stay idle, locks with a name, a connection for all actors of a process
		`got=db.query("SELECT GET_LOCK('g', 0)")`, `got=db.query("SELECT RELEASE_LOCK('g')")`, `db.begin()`, `db.commit()`, `db.exec("SET SESSION wait_timeout = 1")`,
		`db.exec("SET idle_transaction_timeout = 1")`, `db.exec("SET innodb_lock_wait_timeout = 1")`, `sleep("1s")`, `work("2s")`, `db.exec("UPDATE stock SET n = n + 1 WHERE id = 1")`,
		`got=db.query("SELECT * FROM stock WHERE id = 1 FOR UPDATE")`, `got=select(2,pcall(db.query,"SELECT n FROM stock WHERE id = 1 FOR UPDATE NOWAIT"))`,
		`got=db.query("SELECT n FROM stock WHERE id = 1 LOCK IN SHARE MODE")`, `got=db.query("SELECT n FROM stock WHERE id = 1 FOR UPDATE SKIP LOCKED")`, `db=node("db",{connection="c"})`,
		`db.exec("INSERT IGNORE INTO stock VALUES (3, 1)")`, `pcall(db.exec,"UPDATE stock SET n = n - 1 WHERE id = 2")`,
	},
	"both": { // a lock in one, what it guards in the other
		`got=redis.call("SET","k",me,"NX","PX",2000)`, `redis.call("DEL","k")`, `db.begin()`, `db.exec("UPDATE stock SET n = n + 1 WHERE id = 1")`, `db.commit()`, `got=redis.call("GET","k")`,
		`got=db.query("SELECT n FROM stock WHERE id = 1 FOR UPDATE")`, `sleep("1s")`,
	},
	"sql": {
		`got=db.query("SELECT * FROM stock WHERE id = 1")`, `got=db.query("SELECT n FROM stock WHERE id = 1 FOR UPDATE")`, `db.begin()`, `db.commit()`, `db.rollback()`,
		`db.begin("READ COMMITTED")`, `db.exec("UPDATE stock SET n = n - 1 WHERE id = 1 AND n > 0")`, `db.exec("UPDATE stock SET n = n + 1 WHERE id = 2")`,
		`got=db.exec("INSERT INTO stock VALUES (3, 1)")`, `db.exec("DELETE FROM stock WHERE id = 1")`, `got=db.query("SELECT * FROM stock WHERE id = 3 FOR UPDATE")`,
		`got=select(2,pcall(db.query,"SELECT n FROM stock WHERE id = 2 FOR UPDATE"))`,
	},
	"replicas": {
		`got=node("r").call("GET","k")`, `got=node("q").call("GET","k")`, `master().call("SET","k",me)`, `redis.call("SET","k",me,"PX",2000)`, `pcall(master().call,"SET","k",me,"PX","1000")`, `got=select(2,pcall(master().call,"WAIT","1","1000"))`,
		`got=redis.call("WAIT","2","1000")`, `got=redis.call("WAIT","2","0")`, `redis.call("INCR","n")`, `pcall(redis.call,"DEL","k")`, `got=select(2,pcall(master().call,"BLPOP","l","1"))`, `pcall(master().call,"RPUSH","l",me)`,
		`got=select(2,pcall(master().call,"BLPOP","l","0"))`, `pcall(spawn,"t",function() pcall(master().call,"RPUSH","l",me) got=select(2,pcall(master().call,"WAIT","1","1000")) end)`, `pcall(await,"t")`, `pcall(cancel,"t")`,
		`pcall(redis.watch,"k")`, `got=select(2,pcall(redis.multi,function(tx) tx.call("INCR","n") tx.call("GET","k") end))`, `pcall(master().watch,"k")`, `got=select(2,pcall(master().multi,function(tx) tx.call("INCR","n") end))`,
		`got=select(2,pcall(redis.eval,"lease",{"k"},{now(),now()+1000}))`, `got=select(2,pcall(node("r").eval,"ttl",{"k"}))`, `subscribe("c") got=receive("c","1s")`, `pcall(redis.call,"PUBLISH","c",me)`, `sleep("1s")`, `got=node("r").call("PTTL","k")`, `redis.call("PERSIST","k")`,
	},
	"blocks": {
		`got=redis.call("BLPOP","l","1")`, `got=redis.call("BLPOP","l","m","2")`, `got=redis.call("BLPOP","m","l","0")`, `got=redis.call("BRPOPLPUSH","l","m","1")`, `redis.multi(function(tx) tx.call("RPUSH","l",me) tx.call("RPUSH","m",me) end)`,
		`got=redis.multi(function(tx) tx.call("RPUSH","l",me) tx.call("LPOP","l") end)`, `redis.eval("push",{"l","m"},{me})`, `pcall(spawn,"t",function() redis.call("SET","ot",redis.call("BLPOP","l","m","2") and 1 or 0) end)`, `pcall(cancel,"t")`, `pcall(await,"t")`,
		`redis.call("RPUSH","l",me)`, `redis.call("RPUSH","m",me,"x")`, `redis.call("DEL","l")`, `redis.call("SET","l",me,"PX",1000)`, `redis.call("RENAME","l","m")`, `got=redis.call("BZPOPMIN","z","1")`, `redis.call("ZADD","z",1,me)`, `got=redis.call("BLMPOP","1","2","l","m","LEFT")`, `sleep("1s")`,
		`pcall(spawn,"u",function() got=redis.call("BLPOP","m","0") end)`, `got=redis.call("LLEN","l")`,
	},
	"watches": {
		`zk.create("/a",me,{ephemeral=true})`, `got=zk.create("/q/n-",me,{sequential=true,ephemeral=true})`, `got=zk.exists("/a",true)`, `got=zk.children("/q")[1]`, `got=zk.get("/q",true)`, `pcall(zk.delete,"/a")`, `pcall(zk.set,"/q",me)`, `pcall(zk.set,"/a",me,0)`, `got=zk.event("/a","1s")`, `got=zk.event("/q","1s")`,
		`got=zk.event("/a")`, `pcall(zk.create,"/a",me)`, `zk.children("/q",true)`, `pcall(spawn,"t",function() pcall(zk.exists,"/a",true) got=zk.event("/a","2s") pcall(zk.create,"/a","t") end)`, `pcall(await,"t")`, `pcall(cancel,"t")`, `sleep("1s")`, `pcall(zk.delete,"/q/"..tostring(got))`, `pcall(zk.create,"/q/x",me,{ephemeral=true})`,
		`enter("k")`, `want("k")`, `shared.set("x",tostring(got))`, `got=shared.get("x")`,
	},
	"clocks": {
		`got=node("n1").call("SET","k",me,"NX","PX",2000)`, `got=node("n2").call("SET","k",me,"NX","PX",1000)`, `got=node("n1").call("TIME")[1]`, `node("n2").call("PEXPIREAT","k",now()+1000)`, `got=now()`, `node("n1").call("SET","t",stamp())`, `got=node("n1").call("EXISTS","k")`, `got=node("n2").call("PTTL","k")`,
		`got=node("n1").call("BLPOP","l","1")`, `node("n1").call("RPUSH","l",me)`, `sleep("1s")`, `node("n1").call("XADD","s","*","f",me)`, `got=node("n2").eval("lease",{"k"},{now(),now()+1000})`, `got=node("n2").call("ZRANGEBYSCORE","z","-inf",now())`, `node("n2").call("ZADD","z",now()+1000,me)`,
	},
	"zookeeper": {
		`zk.create("/a",me,{ephemeral=true})`, `got=zk.create("/q/n-",me,{sequential=true})`, `got=zk.exists("/a",true)`, `got=zk.children("/q")`, `got=zk.get("/q")`,
		`zk.delete("/a")`, `zk.set("/q",me)`, `got=zk.event("/a","1s")`, `got=zk.event("/a")`, `pcall(zk.create,"/a",me)`, `zk.children("/q",true)`,
	},
}

// mixes are what the lines of one lesson are about, and its nodes.
var mixes = []struct {
	nodes string
	about []string
}{
	{"nodes: {m: {}, r: {replica-of: m}, q: {replica-of: m}}\n", []string{"replicas"}},
	{"nodes: {m: {}, r: {replica-of: m}, q: {replica-of: m}}\n", []string{"replicas", "replica", "program"}},
	{"nodes: {m: {min-replicas-to-write: 1, min-replicas-max-lag: 1s}, r: {replica-of: m, min-replicas-to-write: 1, min-replicas-max-lag: 1s}, q: {replica-of: m}}\n", []string{"replicas"}},
	{"", []string{"blocks"}},
	{"", []string{"blocks", "program", "section"}},
	{"nodes: {zk: {kind: zookeeper, session: 2s}}\ngiven: {/q: \"\"}\n", []string{"watches"}},
	{"nodes: {zk: {kind: zookeeper, session: 1s}}\ngiven: {/q: \"\"}\n", []string{"watches"}},
	{"nodes: {n1: {}, n2: {}}\n", []string{"clocks"}},
	{"nodes: {n1: {}, n2: {}}\n", []string{"clocks", "servers"}},
	{"", []string{"hash"}},
	{"", []string{"hash", "program"}},
	{"", []string{"string", "set", "program"}},
	{"", []string{"string", "section"}},
	{"", []string{"list", "section", "program"}},
	{"", []string{"zset", "clock"}},
	{"", []string{"stream", "program"}},
	{"", []string{"clock", "string", "section"}},
	{"", []string{"program", "section"}},
	{"nodes: {m: {}, r: {replica-of: m}}\n", []string{"replica", "program"}},
	{"nodes: {m: {min-replicas-to-write: 1, min-replicas-max-lag: 1s}, r: {replica-of: m}}\n", []string{"replica"}},
	{"nodes: {db: {kind: sql, lock-wait: 2s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1], [2, 1]]}}}}\n", []string{"sql"}},
	{"nodes: {zk: {kind: zookeeper}}\ngiven: {/q: \"\"}\n", []string{"zookeeper"}},
	{"nodes: {zk: {kind: zookeeper, session: 2s}}\ngiven: {/q: \"\"}\n", []string{"zookeeper"}},
	{"", []string{"script", "program"}},
	{"", []string{"transaction", "string"}},
	{"", []string{"message"}},
	{"", []string{"message", "section", "program"}},
	{"nodes: {redis: {version: redis 8.4}}\n", []string{"newer", "section"}},
	{"nodes: {n1: {}, n2: {}}\n", []string{"servers"}},
	{"cluster: {n1: \"0-16000, 12182 to n2\", n2: 16001-16383}\n", []string{"cluster"}},
	{"", []string{"crowd"}},
	{"", []string{"waking"}},
	{"nodes: {db: {kind: sql, lock-wait: 2s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 2], [2, 1]]}}}}\n", []string{"leaving"}},
	{"nodes: {db: {kind: sql, wait-timeout: 3s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1], [2, 1]]}}}}\n", []string{"pool", "sql"}},
	{"nodes: {db: {kind: sql, lock-wait: 1s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1], [2, 1]]}}}}\n", []string{"pool"}},
	{"nodes: {redis: {}, db: {kind: sql, lock-wait: 1s, wait-timeout: 4s, tables: {stock: {columns: {id: INT, n: INT}, rows: [[1, 1]]}}}}\n", []string{"both"}},
}

// faultsOf are faults by what must be in the lesson for them.
var faultsOf = map[string][]string{
	"redis":     {"crash p1", "pause p1", "pause redis", "save redis, crash redis", "drop p1", "clock p1 +1s", "clock redis +1s", "clock redis -1s", "cut p1 redis", "cut redis p1"},
	"replica":   {"crash p1", "pause r", "crash m, promote r", "cut m r, promote r", "pause m", "save m, crash m", "cut r m", "pause m, pause p1"},
	"replicas":  {"crash p1", "pause r", "crash m, promote r", "cut m r, promote r", "pause m, promote r", "save m, crash m", "cut r m", "pause m, pause p1", "clock r +1s", "clock r -1s", "clock m -1s", "clock m +1s, clock m -1s", "cut m r, cut r m", "cut m r, cut r m, promote r", "cut p1 m, promote r", "crash r", "promote r, promote q, crash m", "cut m p1", "cut r q, promote r", "crash q, cut m q", "promote r, promote m"},
	"blocks":    {"crash p1", "pause p1", "pause redis", "cut p1 redis", "cut redis p1", "crash redis", "save redis, crash redis", "clock redis +1s", "clock redis -1s"},
	"watches":   {"crash p1", "pause p1", "cut p1 zk", "cut zk p1", "pause p1, cut p1 zk", "crash p1, cut p1 zk", "clock p1 +1s", "drop p1", "cut p1 zk, cut zk p1", "drop p1, cut zk p1"},
	"clocks":    {"clock n1 +1s", "clock n1 -1s", "clock n1 +1s, clock n2 -1s", "clock p1 +1s, clock n1 -1s", "clock p1 -1s", "pause n1, clock n1 +1s", "pause n1, clock n1 -1s", "crash n1, clock n1 -1s", "save n1, crash n1, clock n1 -1s", "clock n1 +2s, clock n1 -1s", "pause p1, clock p1 +1s", "cut p1 n1, clock n1 -1s"},
	"sql":       {"crash p1", "pause p1", "pause db", "cut db p1"},
	"zookeeper": {"crash p1", "pause p1", "cut p1 zk", "cut zk p1"},
	"servers":   {"crash n1", "pause n2", "save n1, crash n1", "cut p1 n2", "cut n2 p1", "clock n1 +1s", "crash p1", "pause p1"},
	"cluster":   {"crash n2", "pause n1", "cut p1 n2", "cut n1 p1", "crash p1"},
	"crowd":     {"pause redis", "save redis, crash redis"},
	"leaving":   {"crash p1", "pause p1"},
	"pool":      {"crash p1", "pause p1", "pause db", "cut db p1", "cut p1 db"},
	"both":      {"crash p1", "pause p1", "pause db", "pause redis", "crash redis", "cut db p1", "cut redis p1"},
}

// opensOf are the connections that programs open first, by what must be in the lesson for them.
var opensOf = map[string]string{
	"sql": `local db = node("db")`, "leaving": `local db = node("db")`, "pool": `local db = node("db")`, "both": `local db = node("db")`, "zookeeper": `local zk = node("zk")`, "watches": `local zk = node("zk")`,
	"script": `local one = "a4714296f52e633140579c84b172b63da7bce890"`,
}

const drawnScripts = `scripts:
  keys: {source: 'local r = redis.call("hkeys", KEYS[1]) redis.call("set", KEYS[2], table.concat(r, "")) return r'}
  due: {source: 'return redis.call("zrangebyscore", KEYS[1], "-inf", ARGV[1])'}
  ttl: {source: 'return redis.call("pttl", KEYS[1])'}
  push: {source: 'redis.call("rpush", KEYS[1], ARGV[1]) redis.call("rpush", KEYS[2], ARGV[1]) return redis.call("lpop", KEYS[2])'}
  random: {source: 'math.randomseed(7) return math.random(1, 3)'}
  shuffle: {source: 'math.randomseed(tonumber(redis.call("get", KEYS[1]) or "1") or 1) return math.random(1, 9)'}
  lease:
    source: |
      local u = tonumber(redis.call('get', KEYS[1]) or '0')
      if not u or u > tonumber(ARGV[1]) then return 0 end
      redis.call('set', KEYS[1], ARGV[2])
      return 1
`

// drawLesson writes a small random lesson.
func drawLesson(r *rand.Rand) string {
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	mix := mixes[r.IntN(len(mixes))]
	about := mix.about[0]
	var b strings.Builder
	b.WriteString("title: {en: x, zh: x}\nsummary: {en: x, zh: x}\nchapter: more\nlevel: advanced\n" + mix.nodes)
	faults, special := faultsOf[about]
	if !special {
		faults = faultsOf["redis"]
	}
	opens, alone := opensOf[about], !special || about == "crowd"
	if alone && r.IntN(3) == 0 {
		b.WriteString("given: {k: " + pick([]string{`{value: "1", ttl: 2s}`, `"5"`, `{value: "1", ttl: 1s}`}) + "}\n")
	}
	sql := slices.Contains([]string{"sql", "pool", "both", "leaving"}, about)
	redis := !sql && about != "zookeeper" && about != "watches" || about == "both"
	if redis {
		b.WriteString(drawnScripts)
	}
	var lines []string // few, so that actors meet
	for range 3 + r.IntN(3) {
		lines = append(lines, pick(drawn[mix.about[max(0, r.IntN(len(mix.about)+2)-2)]])) // most are about the first
	}
	b.WriteString("actors:\n")
	actors, alike := 2, r.IntN(6) == 0
	if r.IntN(4) == 0 {
		actors = 3
	}
	for i := range actors {
		process := fmt.Sprintf("p%d", i+1)
		if alike {
			process = "p1"
		}
		fmt.Fprintf(&b, "  %c:\n    process: %s\n", 'A'+i, process)
		if about == "crowd" && i == 0 {
			b.WriteString("    count: 2\n")
		}
		fmt.Fprintf(&b, "    program: |\n      local got, t, t0, inside\n      %s\n", opens)
		b.WriteString("      local function str(v) if type(v) ~= \"table\" then return tostring(v) end local s = \"\" for _, x in ipairs(v) do s = s .. str(x) .. \",\" end return s end\n")
		for range 2 + r.IntN(3) {
			fmt.Fprintf(&b, "      %s\n", pick(lines))
		}
		if redis && about != "cluster" && r.IntN(3) > 0 {
			b.WriteString("      redis.call(\"SET\", \"o\" .. me, str(got))\n")
		}
		if sql && r.IntN(3) > 0 {
			b.WriteString("      if got and type(got) == \"table\" and got[1] then db.exec(\"INSERT INTO stock VALUES (?, ?)\", me == \"A\" and 7 or 8, got[1].n or 0) end\n")
		}
	}
	if r.IntN(3) > 0 {
		fmt.Fprintf(&b, "faults: [%s]\n", pick(faults))
	}
	b.WriteString("story: [{run: A}]\n")
	return b.String()
}
