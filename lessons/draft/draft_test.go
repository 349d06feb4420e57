package draft_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/draft"
)

// made is the lesson that is made of scripts, each of which begins with its name.
func made(t *testing.T, chosen draft.Chosen, texts ...string) (draft.Lesson, *lessons.Lesson) {
	t.Helper()
	var scripts []draft.Script
	for _, text := range texts {
		name, source, _ := strings.Cut(text, ": ")
		found, err := draft.Scripts(name+".lua", source)
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, found...)
	}
	d, err := draft.New(t.Context(), "my-lock", scripts, chosen)
	if err != nil {
		t.Fatal(err)
	}
	l, problems := author.Reader{}.Read("01-my-lock", d.Files)
	if l == nil {
		t.Fatalf("%v\n%s", problems, d.Files[0].Text)
	}
	return d, l
}

const (
	setNX   = "lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0"
	several = "lock: local all = {} for _, key in ipairs(KEYS) do table.insert(all, key) table.insert(all, ARGV[1]) end if redis.call('msetnx', unpack(all)) == 0 then return 0 end for _, key in ipairs(KEYS) do redis.call('pexpire', key, ARGV[2]) end return 1"
	delete  = "unlock: if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
)

// What each program passes, and what it takes for a yes.
func TestALessonCallsTheScriptsAsTheyWantIt(t *testing.T) {
	tests := []struct {
		name    string
		scripts []string
		says    []string // in the programs
		doubts  int
	}{
		{"a string", []string{setNX, delete}, []string{`redis.eval("lock", {"lock"}, {me, 10000})`, "if reply == 1", `redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"only what gives it back", []string{delete}, []string{`redis.call("SET", "lock", me, "NX", "PX", 10000) == "OK"`}, 1},
		{"a key that is compared alone", []string{"lock: if KEYS[2] == '' then return 0 end if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0", delete}, []string{`{"lock", "lock:2"}, {me, 10000}`}, 0},
		{"a limit for each of several keys", []string{"acquire: for i = 1, #KEYS do redis.call('zremrangebyscore', KEYS[i], '-inf', ARGV[1]) if redis.call('zcard', KEYS[i]) >= tonumber(ARGV[3 + i]) then return 0 end end for i = 1, #KEYS do redis.call('zadd', KEYS[i], ARGV[1] + ARGV[2], ARGV[3]) end return 1"}, []string{`{"lock"}, {stamp(), 10000, me, 1}`, "if reply == 1"}, 1},
		{"seconds, in another order", []string{"acquire: local ttl = tonumber(ARGV[1]) local id = ARGV[2] if redis.call('setnx', KEYS[1], id) == 1 then redis.call('expire', KEYS[1], ttl) return id end return false", delete}, []string{`{10, me}`, "if reply ~= nil"}, 0},
		{"milliseconds, which it makes seconds", []string{"lock: if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('expire', KEYS[1], math.ceil(ARGV[2] / 1000)) return 1 end return 0", delete}, []string{`{me, 10000}`, "if reply == 1"}, 0},
		{"a hash, nil is a yes", []string{"take: if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end return redis.call('pttl', KEYS[1])", "release: if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then redis.call('pexpire', KEYS[1], ARGV[2]) return 0 end redis.call('del', KEYS[1]) redis.call(ARGV[4], KEYS[2], ARGV[1]) return 1"}, []string{`redis.eval("take", {"lock"}, {10000, me})`, "reply == nil", `redis.eval("release", {"lock", "lock:channel"}, {"released", 10000, me, "PUBLISH"})`}, 1}, // B counts from 0 to -1
		{"an error is a no", []string{"lock: if redis.call('exists', KEYS[1]) == 1 then return redis.error_reply('BUSY taken') end return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])", delete}, []string{`local took = pcall(redis.eval, "lock", {"lock"}, {me, 10000})`, "if took then"}, 0},
		{"an option", []string{"lock: if ARGV[3] == 'yes' and redis.call('exists', KEYS[1]) == 0 then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1 end return 0", delete}, []string{`{me, 10000, "yes"}`}, 0},
		{"a sorted set with a limit", []string{"acquire: redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) < tonumber(ARGV[3]) then redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[4]) return 1 end return 0", "release: return redis.call('zrem', KEYS[1], ARGV[1])"}, []string{`{stamp(), 10000, 1, me}`}, 0},
		{"permits that are there at first", []string{"acquire: local n = redis.call('get', KEYS[1]) if n and tonumber(n) > 0 then redis.call('decr', KEYS[1]) return 1 end return 0", "release: return redis.call('incr', KEYS[1])"}, []string{`redis.eval("acquire", {"lock"}, {})`}, 0},
		{"a table", []string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return {1, ARGV[1]} end return {0, redis.call('get', KEYS[1])}", delete}, []string{"reply[1] == 1"}, 0},
		{"through functions and loops", []string{"lock: local function renew(span) for _, key in ipairs(KEYS) do redis.call('pexpire', key, span) end end if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then renew(ARGV[2]) return 1 end return 0", delete}, []string{`{me, 10000}`}, 0},
		{"with an extension", []string{setNX, delete, "extend: if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"}, []string{`redis.eval("extend", {"lock"}, {me, 10000})`}, 0},
		{"a release that asks nobody", []string{setNX, "unlock: return redis.call('del', KEYS[1])"}, []string{`redis.eval("unlock", {"lock"}, {})`}, 1},
		{
			"an index in a loop, a name that is counted",
			[]string{
				"lock: for i = 0, 0 do local limit = tonumber(ARGV[3 + i]) if redis.call('zcard', KEYS[1]) >= limit then return 0 end end redis.call('zadd', KEYS[1], ARGV[1], ARGV[2]) redis.call('pexpire', KEYS[1], 10000) return 1",
				"unlock: return redis.call('zrem', KEYS[1], ARGV[1])",
			},
			[]string{`{stamp(), me, 1}`},
			1, // its members stay
		},
		{"a command in a variable, a list in which one tells", []string{"lock: local SET = 'set' if redis.call(SET, KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return {'1', ARGV[2], 1} end return {1, '5', false}", delete}, []string{`{me, 10000}`, "reply[3] ~= nil"}, 0},
		{"all of ARGV at once", []string{"lock: if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('sadd', KEYS[1], unpack(ARGV)) redis.call('pexpire', KEYS[1], 10000) return 1", "unlock: return redis.call('srem', KEYS[1], ARGV[1])"}, []string{`redis.eval("lock", {"lock"}, {me})`}, 0},
		{"all of ARGV, each in a variable", []string{"lock: local me, ttl = unpack(ARGV) if redis.call('set', KEYS[1], me, 'NX', 'PX', ttl) then return 1 end return 0", delete}, []string{`redis.eval("lock", {"lock"}, {me, 10000})`}, 0},
		{"a span and a value at once", []string{"lock: if redis.call('exists', KEYS[1]) == 0 then return redis.call('psetex', KEYS[1], unpack(ARGV)) end", delete}, []string{`{10000, me}`, "if reply ~= nil"}, 0},
		{"instants in seconds", []string{"acquire: redis.call('zremrangebyscore', KEYS[1], 0, ARGV[2]) redis.call('expire', KEYS[1], ARGV[3]) if redis.call('zcard', KEYS[1]) >= 1 then return 0 end redis.call('zadd', KEYS[1], ARGV[2] + ARGV[3], ARGV[1]) return 1", "release: return redis.call('zrem', KEYS[1], ARGV[1])"}, []string{`redis.call("PING")`, `{me, string.format("%.3f", now() / 1000), 10}`}, 0},
		{"keys that one of them does not name by itself", []string{"lock: for i, v in pairs(redis.call('mget', unpack(KEYS))) do if not v then redis.call('set', KEYS[i], ARGV[1], 'PX', ARGV[2]) return i end end", delete}, []string{`redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"values of several keys, by their index", []string{several, "unlock: local has = redis.call('mget', unpack(KEYS)) for i, _ in ipairs(KEYS) do if has[i] ~= ARGV[1] then return 0 end end return redis.call('del', unpack(KEYS))"}, []string{`redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"values of several keys, in a loop", []string{several, "unlock: local has = redis.call('mget', unpack(KEYS)) for _, owner in ipairs(has) do if owner ~= ARGV[1] then return 0 end end return redis.call('del', unpack(KEYS))"}, []string{`redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"one of several fields", []string{"lock: if redis.call('hsetnx', KEYS[1], 'by', ARGV[1]) == 0 then return 0 end redis.call('hset', KEYS[1], 'at', 1) redis.call('pexpire', KEYS[1], ARGV[2]) return 1", "unlock: local has = redis.call('hmget', KEYS[1], 'at', 'by') local by = has[2] if by == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"}, []string{`redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"the holder's name for a no", []string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return ARGV[1] end return redis.call('get', KEYS[1])", delete}, []string{"if reply == me"}, 0},
		{"the holder's name among other things", []string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return ARGV[1] .. '@@' .. ARGV[2] end return redis.call('get', KEYS[1]) .. '@@' .. redis.call('pttl', KEYS[1])", delete}, []string{`if reply:find(me .. "@", 1, true) ~= nil`}, 0},
		{"fields of a table", []string{"lock: local data = cjson.encode({['owner']=ARGV[1], ['leaseMillis']=ARGV[2]}) if redis.call('set', KEYS[1], data, 'NX', 'PX', ARGV[2]) then return data end return redis.call('get', KEYS[1])", "unlock: local data = redis.call('get', KEYS[1]) if data and cjson.decode(data)['owner'] == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"}, []string{`{me, 10000}`, `redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"values among keys", []string{"lock: if redis.call('setnx', KEYS[1], KEYS[2]) == 1 then redis.call('pexpire', KEYS[1], KEYS[3]) return 1 end return 0", delete}, []string{`redis.eval("lock", {"lock", me, tostring(10000)}, {})`}, 2},
		{"when it ends, beside the present, which is no bound itself", []string{"acquire: local expires_at = ARGV[3] redis.call('zremrangebyscore', KEYS[1], '-inf', '(' .. ARGV[1]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end redis.call('zadd', KEYS[1], expires_at, ARGV[4]) return 1", "release: return redis.call('zrem', KEYS[1], ARGV[1])"}, []string{`{stamp(), 1, stamp(10000), me}`}, 0},
		{"what renews takes, too", []string{"renew-leader: local owner = redis.call('get', KEYS[1]) if owner == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end if not owner then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 2 end return 0", delete}, []string{`redis.eval("renew-leader", {"lock"}, {me, 10000})`, "if reply == 2"}, 0},
		{"keys that are called the same", []string{"lock: local lock, owner = KEYS[1], KEYS[2] if redis.call('exists', lock) == 1 then return 0 end redis.call('set', lock, 1, 'PX', ARGV[2]) redis.call('set', owner, ARGV[1], 'PX', ARGV[2]) return 1", "unlock: local owner, lock = KEYS[1], KEYS[2] if redis.call('get', owner) == ARGV[1] then return redis.call('del', lock, owner) end return 0"}, []string{`redis.eval("unlock", {"lock:2", "lock"}, {me})`}, 0},
		{"the name of a key that is kept in another", []string{"lock: local lockKey, idKey, fullKey = KEYS[1], KEYS[2], ARGV[3] if redis.call('exists', lockKey) == 1 then return 0 end redis.call('set', lockKey, ARGV[1], 'PX', ARGV[2]) redis.call('set', idKey, fullKey, 'PX', ARGV[2]) return 1", "unlock: local idKey = KEYS[1] local lockKey = redis.call('get', idKey) if not lockKey or redis.call('get', lockKey) ~= ARGV[1] then return 0 end return redis.call('del', lockKey, idKey)"}, []string{`{me, 10000, "lock"}`, `redis.eval("unlock", {"lock:2"}, {me})`}, 0},
		{"a field in a variable", []string{"lock: local field, val = 'w', ARGV[1] if redis.call('hget', KEYS[1], field) then return 0 end redis.call('hset', KEYS[1], field, val) redis.call('pexpire', KEYS[1], ARGV[2]) return 1", "unlock: if redis.call('hget', KEYS[1], 'w') == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"}, []string{`{me, 10000}`}, 0},
		{"a number that it draws", []string{"lock: if redis.call('zcard', KEYS[1]) > 0 then return 0 end redis.call('zadd', KEYS[1], ARGV[1], ARGV[1] .. '-' .. math.random(1000)) redis.call('pexpire', KEYS[1], 10000) return 1"}, []string{`redis.eval("lock", {"lock"}, {stamp(), string.byte(me)})`}, 3},
		{"a token that the lock answers", []string{"lock: if redis.call('exists', KEYS[1]) == 1 then return {0, 0} end local token = redis.call('incr', KEYS[2]) redis.call('set', KEYS[1], token, 'PX', ARGV[1]) return {1, token}", delete, strings.Replace(delete, "unlock: ", "renew: ", 1)[:len(delete)-47] + " return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"}, []string{`redis.eval("renew", {"lock"}, {reply[2], 10000})`, `redis.eval("unlock", {"lock"}, {reply[2]})`}, 0},
		{"one script that does what it is told", []string{"my: local does = ARGV[1] if does == 'lock' then if redis.call('set', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[3]) then return 1 end elseif does == 'unlock' then if redis.call('get', KEYS[1]) == ARGV[2] then return redis.call('del', KEYS[1]) end end return 0"}, []string{`redis.eval("lock", {"lock"}, {"lock", me, 10000})`, `redis.eval("unlock", {"lock"}, {"unlock", me, 10000})`}, 0},
		{"who writes, not who reads and gets a number, too", []string{"lock: local ends = redis.call('exists', KEYS[1]) if ends == 1 and (ARGV[1] == 'write' or redis.call('get', KEYS[1]) ~= 'read') then return {'NO'} end if ARGV[1] == 'read' then redis.call('set', KEYS[1], 'read', 'PX', ARGV[2]) else redis.call('set', KEYS[1], ARGV[3], 'PX', ARGV[2]) end return {'YES', redis.call('incr', KEYS[2])}"}, []string{`redis.eval("lock-write", {"lock", "lock:2"}, {"write", 10000, me})`, `reply[1] == "YES"`}, 1},
		{"how many are left is no refusal", []string{"limit: local n = redis.call('incr', KEYS[1]) redis.call('pexpire', KEYS[1], 10000) if n > 5 then return {0, 0} end return {1, 5 - n}"}, []string{`redis.eval("limit", {"lock"}, {})`}, 1},
		{"a score and a TTL of one span in seconds", []string{"acquire: redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) >= 1 then return 0 end redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[3]) redis.call('expire', KEYS[1], ARGV[2]) return 1", "release: return redis.call('zrem', KEYS[1], ARGV[1])"}, []string{`{string.format("%.3f", now() / 1000), 10, me}`}, 0},
		{"a key beside those of a queue, which one alone can make", []string{"enqueue: if redis.call('set', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then redis.call('lpush', KEYS[1], ARGV[1]) return 1 end return 0", delete}, []string{`redis.eval("enqueue", {"lock:queue", "lock"}, {me, 10000})`, `redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"when it was taken, and before when that is too long ago", []string{"acquire: redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end redis.call('zadd', KEYS[1], ARGV[3], ARGV[4]) return 1", "release: return redis.call('zrem', KEYS[1], ARGV[1])"}, []string{`{now() - 10000, 1, stamp(), me}`}, 0},
		{"when it ends, beside the present", []string{"acquire: local expires_at = ARGV[3] redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end redis.call('zadd', KEYS[1], expires_at, ARGV[4]) return 1", "release: return redis.call('zrem', KEYS[1], ARGV[1])"}, []string{`{stamp(), 1, stamp(10000), me}`}, 0},
		{"a limiter that says when the client may go on", []string{"bucket: local seconds, microseconds, pause = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[1]) local now = seconds * 1000 + microseconds / 1000 local free = math.max(now, tonumber(redis.call('get', KEYS[1]) or 0)) redis.call('setex', KEYS[1], 30, free + pause) return free"}, []string{`{1, math.floor(now() / 1000), 1}`, `enter("lock")`}, 1},
		{"a list of permits, which the clients take from", []string{"semaphore: if redis.call('setnx', KEYS[2], 1) == 1 then local all = {'rpush', KEYS[1]} for _ = 1, tonumber(ARGV[1]) do table.insert(all, 1) end redis.call(unpack(all)) return 1 end return 0"}, []string{`redis.eval("semaphore", {"lock:1", "lock"}, {1})`}, 1},
		{"a key whose name the script makes", []string{"lock: local key = '{' .. KEYS[1] .. '}' if redis.call('set', key, ARGV[1], 'NX', 'PX', ARGV[2]) then redis.call('set', key .. ':count', 1, 'PX', ARGV[2]) return 1 end return 0", "unlock: local key = '{' .. KEYS[1] .. '}' if redis.call('get', key) == ARGV[1] then return redis.call('del', key, key .. ':count') end return 0"}, []string{`redis.eval("lock", {"lock"}, {me, 10000})`, `enter("{lock}")`, `refused("{lock}")`}, 0},
		{"one key of several types", []string{"lock: if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1", "unlock: if redis.call('type', KEYS[1]).ok == 'hash' then return redis.call('hdel', KEYS[1], ARGV[1]) end if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"}, []string{`redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"values among keys, compared as variables", []string{"lock: local key, id = KEYS[1], KEYS[2] if redis.call('set', key, id, 'NX', 'PX', 10000) then return 1 end return 0", "unlock: local key, id = KEYS[1], KEYS[2] local has = redis.call('get', key) if has == id then return redis.call('del', key) end return 0"}, []string{`redis.eval("unlock", {"lock", me}, {})`}, 2},
		{"an extension that asks nobody", []string{setNX, delete, "renew: return redis.call('pexpire', KEYS[1], ARGV[1])"}, []string{`redis.eval("renew", {"lock"}, {10000})`}, 1},
		{"an address", []string{"lock: local ok = redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) redis.call('set', 'result', tostring(ok)) if ok then return 1 end return 0", delete}, []string{"if reply == 1"}, 1},
		{"a key whose name the script makes, beside one that refuses nobody", []string{"lock: local at = 'at:' .. KEYS[1] if redis.call('exists', at) == 1 then return 0 end redis.call('set', 'by:' .. KEYS[1], ARGV[1]) redis.call('set', at .. ':x', 1) redis.call('set', at, 1, 'PX', ARGV[2]) return 1"}, []string{`enter("at:lock")`}, 1},
		{"a span after the server's time", []string{"lock: local t = redis.call('TIME') local at = t[1] * 1000 + math.floor(t[2] / 1000) if tonumber(redis.call('hget', KEYS[1], 'until') or 0) > at then return 0 end redis.call('hset', KEYS[1], 'owner', ARGV[1], 'until', at + ARGV[2]) return 1", "unlock: if redis.call('hget', KEYS[1], 'owner') == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"}, []string{`{me, 10000}`}, 0},
		{"a span after the server's seconds", []string{"lock: local t = tonumber(redis.call('TIME')[1]) if tonumber(redis.call('hget', KEYS[1], 'until') or 0) > t then return 0 end redis.call('hset', KEYS[1], 'owner', ARGV[1], 'until', t + ARGV[2]) return 1", "unlock: if redis.call('hget', KEYS[1], 'owner') == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"}, []string{`{me, 10}`}, 0},
		{"a span after the client's time", []string{"lock: local now = tonumber(ARGV[2]) local ends = tonumber(redis.call('get', KEYS[1])) if ends and ends > now then return 0 end redis.call('set', KEYS[1], now + tonumber(ARGV[1])) return 1", "unlock: return redis.call('del', KEYS[1])"}, []string{`{10000, stamp()}`}, 1},
		{"what stands last", []string{"lock: if redis.call('set', KEYS[1], ARGV[#ARGV], 'NX', 'PX', ARGV[1]) then return 1 end return 0"}, []string{`{10000, me}`}, 1},
		{"a lock for reading", []string{"read-lock: if redis.call('hexists', KEYS[1], 'writer') == 1 then return 0 end redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2]) return 1", "read-unlock: if tonumber(redis.call('hget', KEYS[1], ARGV[1]) or 0) < 1 then return 0 end redis.call('hincrby', KEYS[1], ARGV[1], -1) return 1"}, []string{`redis.eval("read-lock", {"lock"}, {me, 10000})`, `redis.eval("read-unlock", {"lock"}, {me})`}, 1},
		{"what never refuses", []string{"lock: redis.call('set', KEYS[1], ARGV[1]) return 1", delete}, []string{`enter("lock")`}, 1},
	}
	for _, tt := range tests {
		d, l := made(t, draft.Chosen{}, tt.scripts...)
		for _, a := range l.Actors {
			for _, want := range tt.says {
				if !strings.Contains(a.Program, want) {
					t.Errorf("%s: the program has no %s\n%s", tt.name, want, a.Program)
				}
			}
		}
		if len(d.Doubts) != tt.doubts {
			t.Errorf("%s: it doubts %v", tt.name, d.Doubts)
		}
	}
}

// What holds and what breaks is the scripts' doing.
func TestALessonOfScriptsCanBeSearched(t *testing.T) {
	tests := []struct {
		name    string
		scripts []string
		breaks  string
	}{
		{"a lock", []string{setNX, delete}, ""},
		{"an unlock that asks nobody", []string{setNX, "unlock: return redis.call('del', KEYS[1])"}, ""},
		{"a lock without a TTL", []string{"lock: return redis.call('setnx', KEYS[1], ARGV[1])", delete}, "no-lock-without-ttl"},
		{"a lock without a TTL whose name the script makes", []string{"lock: return redis.call('setnx', 'lock:' .. KEYS[1], ARGV[1])", "unlock: if redis.call('get', 'lock:' .. KEYS[1]) == ARGV[1] then return redis.call('del', 'lock:' .. KEYS[1]) end return 0"}, "no-lock-without-ttl"},
		{"a lock for reading", []string{"r-lock: redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2]) return 1", "r-unlock: redis.call('hdel', KEYS[1], ARGV[1]) return 1"}, ""},
		{"a lock that says to everybody that it is theirs", []string{"lock: redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return ARGV[1]", delete}, "mutual-exclusion"},
		{"scores that end in place of a TTL", []string{"acquire: redis.call('zremrangebyscore', KEYS[1], 0, ARGV[1]) if redis.call('zcard', KEYS[1]) >= 1 then return 0 end redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[3]) return 1", "release: return redis.call('zrem', KEYS[1], ARGV[1])"}, ""},
		{"a value that says when it ends", []string{"lock: local now = tonumber(ARGV[1]) if redis.call('setnx', KEYS[1], ARGV[2]) == 1 then return 1 end if tonumber(redis.call('get', KEYS[1]) or 0) < now then redis.call('set', KEYS[1], ARGV[2]) return 2 end return 0"}, ""},
		{"a field that says when it ends", []string{"lock: local now, expires_at = tonumber(ARGV[1]), tonumber(ARGV[2]) local old = tonumber(redis.call('hget', KEYS[1], 'ends')) if old and old > now then return {'locked'} end redis.call('hset', KEYS[1], 'ends', expires_at) if old then return {'recovered'} end return {'acquired'}"}, ""},
		{"a lease that is too short", []string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 30) then return 1 end return 0", delete}, "mutual-exclusion"},
	}
	for _, tt := range tests {
		_, l := made(t, draft.Chosen{}, tt.scripts...)
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		breaks := ""
		if v.Ending == search.Breaks {
			breaks = v.Violation.Invariant
		}
		if breaks != tt.breaks {
			t.Errorf("%s: %q breaks, want %q", tt.name, breaks, tt.breaks)
		}
	}
}

// What no rule about two clients tells is tried.
func TestWhatIsWrongWithAReleaseIsSaid(t *testing.T) {
	const counts = "lock: if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[1]) == 1 then redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end return 0"
	const once = "unlock: if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end if redis.call('hincrby', KEYS[1], ARGV[1], -1) <= 0 then redis.call('del', KEYS[1]) end return 1"
	const fair = "lock: redis.call('zadd', KEYS[2], 'NX', ARGV[3], ARGV[1]) if redis.call('zrank', KEYS[2], ARGV[1]) == 0 and redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0"
	tests := []struct {
		scripts []string
		code    string // empty: nothing is wrong
	}{
		{[]string{counts, once}, ""},
		{[]string{counts, "unlock: local said = redis.call('get', KEYS[2]) if said then return tonumber(said) end " + strings.Replace(strings.TrimPrefix(once, "unlock: "), "if redis.call('hincrby'", "redis.call('set', KEYS[2], 1, 'PX', ARGV[2]) if redis.call('hincrby'", 1)}, ""}, // a latch of one request
		{[]string{counts, strings.Replace(once, "<= 0", "<= 1", 1)}, "draft-frees-nested"},
		{[]string{strings.Replace(counts, "1) redis", "1) redis.call('incr', KEYS[2]) redis", 1), "unlock: if redis.call('hincrby', KEYS[1], ARGV[1], -1) == 0 and redis.call('get', KEYS[2]) == '1' then redis.call('del', KEYS[1]) end return 1"}, "draft-keeps-nested"},
		{[]string{fair, "unlock: redis.call('del', KEYS[1]) redis.call('zrem', KEYS[2], ARGV[1]) return 1"}, "draft-frees-anothers"},
		{[]string{"lock: redis.call('zadd', KEYS[2], 'NX', ARGV[3], ARGV[1]) if redis.call('zrange', KEYS[2], 0, 0)[1] ~= ARGV[1] or redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) redis.call('zrem', KEYS[2], ARGV[1]) return 1", delete}, "draft-keeps-place"},
		{[]string{"lock: redis.call('zadd', KEYS[2], 'NX', ARGV[3], ARGV[1]) if redis.call('zrange', KEYS[2], 0, 0)[1] ~= ARGV[1] or redis.call('exists', KEYS[1]) == 1 then return redis.call('pttl', KEYS[1]) end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) redis.call('zrem', KEYS[2], ARGV[1]) return nil", delete}, "draft-keeps-place"},
		{[]string{"lock: if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('incr', KEYS[2]) redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1", "unlock: if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end if redis.call('decr', KEYS[2]) > 0 then return 0 end return redis.call('del', KEYS[1])"}, "draft-leaves-behind"},
		{[]string{strings.Replace(setNX, "ARGV[2]", "500", 1), delete}, "draft-ends-during-work"},
		{[]string{setNX, delete, "renew: if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('expire', KEYS[1], 2) end return 0"}, "draft-ends-during-work"},
		{[]string{setNX, strings.Replace(delete, "ARGV[1]", "ARGV[2]", 1)}, "draft-unused-argument"},
		{[]string{setNX, strings.Replace(delete, "if ", "local there = redis.call('exists', KEYS[1]) if there and ", 1)}, "draft-zero-is-true"},
	}
	for _, tt := range tests {
		d, _ := made(t, draft.Chosen{}, tt.scripts...)
		said := slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == tt.code })
		if tt.code == "" && len(d.Doubts) > 0 || tt.code != "" && !said {
			t.Errorf("%v\nit doubts %v, want %s", tt.scripts, d.Doubts, tt.code)
		}
	}
}

func TestScriptsCanBeChosen(t *testing.T) {
	all := []string{setNX, delete, "force-unlock: return redis.call('del', KEYS[1])", "peek: return redis.call('get', KEYS[1])"}
	if d, _ := made(t, draft.Chosen{}, all...); !slices.Equal(d.Played, []string{"lock", "unlock"}) || !slices.Equal(d.Left, []string{"force-unlock", "peek"}) {
		t.Errorf("it plays %v and leaves %v", d.Played, d.Left)
	}
	if d, _ := made(t, draft.Chosen{Give: "force-unlock"}, all...); !slices.Equal(d.Played, []string{"lock", "force-unlock"}) {
		t.Errorf("it plays %v", d.Played)
	}
	scripts, err := draft.Scripts("peek.lua", "return redis.call('get', KEYS[1])")
	if err != nil {
		t.Fatal(err)
	}
	for _, chosen := range []draft.Chosen{{}, {Take: "nobody"}} {
		if _, err := draft.New(t.Context(), "my-lock", scripts, chosen); err == nil {
			t.Errorf("a lesson is made of what takes no lock, with %v", chosen)
		}
	}
}

// closely is how a search ends that looks closely.
func closely(t *testing.T, l *lessons.Lesson) search.Ending {
	t.Helper()
	nodes := l.Open(lessons.Embedded)
	v, err := l.Explore(t.Context(), nodes, lessons.Question{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	closer, err := l.Finer(t.Context(), nodes, lessons.Question{}, v)
	if err != nil {
		t.Fatal(err)
	}
	return closer.Verdict.Ending
}
