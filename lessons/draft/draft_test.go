package draft_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
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
	setNX  = "lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0"
	delete = "unlock: if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
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
		{"a limit for each of several keys", []string{
			"acquire: for i = 1, #KEYS do redis.call('zremrangebyscore', KEYS[i], '-inf', ARGV[1]) if redis.call('zcard', KEYS[i]) >= tonumber(ARGV[3 + i]) then return 0 end end for i = 1, #KEYS do redis.call('zadd', KEYS[i], ARGV[1] + ARGV[2], ARGV[3]) end return 1",
		}, []string{`{"lock"}, {stamp(), 10000, me, 1}`, "if reply == 1"}, 1},
		{"seconds, in another order", []string{
			"acquire: local ttl = tonumber(ARGV[1]) local id = ARGV[2] if redis.call('setnx', KEYS[1], id) == 1 then redis.call('expire', KEYS[1], ttl) return id end return false", delete,
		}, []string{`{10, me}`, "if reply ~= nil"}, 0},
		{"milliseconds, which it makes seconds", []string{
			"lock: if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('expire', KEYS[1], math.ceil(ARGV[2] / 1000)) return 1 end return 0", delete,
		}, []string{`{me, 10000}`, "if reply == 1"}, 0},
		{"a hash, nil is a yes", []string{
			"take: if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end return redis.call('pttl', KEYS[1])",
			"release: if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then redis.call('pexpire', KEYS[1], ARGV[2]) return 0 end redis.call('del', KEYS[1]) redis.call(ARGV[4], KEYS[2], ARGV[1]) return 1",
		}, []string{`redis.eval("take", {"lock"}, {10000, me})`, "reply == nil", `redis.eval("release", {"lock", "lock:channel"}, {"released", 10000, me, "PUBLISH"})`}, 1}, // B counts from 0 to -1
		{
			"an error is a no",
			[]string{"lock: if redis.call('exists', KEYS[1]) == 1 then return redis.error_reply('BUSY taken') end return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])", delete},
			[]string{`local took = pcall(redis.eval, "lock", {"lock"}, {me, 10000})`, "if took then"},
			0,
		},
		{
			"an option",
			[]string{"lock: if ARGV[3] == 'yes' and redis.call('exists', KEYS[1]) == 0 then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1 end return 0", delete},
			[]string{`{me, 10000, "yes"}`},
			0,
		},
		{"a sorted set with a limit", []string{
			"acquire: redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) < tonumber(ARGV[3]) then redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[4]) return 1 end return 0",
			"release: return redis.call('zrem', KEYS[1], ARGV[1])",
		}, []string{`{stamp(), 10000, 1, me}`}, 0},
		{"permits that are there at first", []string{
			"acquire: local n = redis.call('get', KEYS[1]) if n and tonumber(n) > 0 then redis.call('decr', KEYS[1]) return 1 end return 0",
			"release: return redis.call('incr', KEYS[1])",
		}, []string{`redis.eval("acquire", {"lock"}, {})`}, 0},
		{
			"a table",
			[]string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return {1, ARGV[1]} end return {0, redis.call('get', KEYS[1])}", delete},
			[]string{"reply[1] == 1"},
			0,
		},
		{"through functions and loops", []string{
			"lock: local function renew(span) for _, key in ipairs(KEYS) do redis.call('pexpire', key, span) end end if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then renew(ARGV[2]) return 1 end return 0", delete,
		}, []string{`{me, 10000}`}, 0},
		{
			"with an extension",
			[]string{setNX, delete, "extend: if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"},
			[]string{`redis.eval("extend", {"lock"}, {me, 10000})`},
			0,
		},
		{"a release that asks nobody", []string{setNX, "unlock: return redis.call('del', KEYS[1])"}, []string{`redis.eval("unlock", {"lock"}, {})`}, 1},
		{
			"an index in a loop, a name that is counted",
			[]string{
				"lock: for i = 0, 0 do local limit = tonumber(ARGV[3 + i]) if redis.call('zcard', KEYS[1]) >= limit then return 0 end end redis.call('zadd', KEYS[1], ARGV[1], ARGV[2]) redis.call('pexpire', KEYS[1], 10000) return 1",
				"unlock: return redis.call('zrem', KEYS[1], ARGV[1])",
			},
			[]string{`{stamp(), me, 1}`},
			0,
		},
		{"a command in a variable, a list in which one tells", []string{
			"lock: local SET = 'set' if redis.call(SET, KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return {'1', ARGV[2], 1} end return {1, '5', false}", delete,
		}, []string{`{me, 10000}`, "reply[3] ~= nil"}, 0},
		{"all of ARGV at once", []string{"lock: if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('sadd', KEYS[1], unpack(ARGV)) redis.call('pexpire', KEYS[1], 10000) return 1", "unlock: return redis.call('srem', KEYS[1], ARGV[1])"}, []string{`redis.eval("lock", {"lock"}, {me})`}, 0},
		{"a span and a value at once", []string{"lock: if redis.call('exists', KEYS[1]) == 0 then return redis.call('psetex', KEYS[1], unpack(ARGV)) end", delete}, []string{`{10000, me}`, "if reply ~= nil"}, 0},
		{"instants in seconds", []string{
			"acquire: redis.call('zremrangebyscore', KEYS[1], 0, ARGV[2]) redis.call('expire', KEYS[1], ARGV[3]) if redis.call('zcard', KEYS[1]) >= 1 then return 0 end redis.call('zadd', KEYS[1], ARGV[2] + ARGV[3], ARGV[1]) return 1",
			"release: return redis.call('zrem', KEYS[1], ARGV[1])",
		}, []string{`redis.call("PING")`, `{me, string.format("%.3f", now() / 1000), 10}`}, 0},
		{"keys that one of them does not name by itself", []string{
			"lock: for i, v in pairs(redis.call('mget', unpack(KEYS))) do if not v then redis.call('set', KEYS[i], ARGV[1], 'PX', ARGV[2]) return i end end", delete,
		}, []string{`redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"the holder's name for a no", []string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return ARGV[1] end return redis.call('get', KEYS[1])", delete}, []string{"if reply == me"}, 0},
		{"the holder's name among other things", []string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return ARGV[1] .. '@@' .. ARGV[2] end return redis.call('get', KEYS[1]) .. '@@' .. redis.call('pttl', KEYS[1])", delete}, []string{`if reply:find(me .. "@", 1, true) ~= nil`}, 0},
		{"fields of a table", []string{
			"lock: local data = cjson.encode({['owner']=ARGV[1], ['leaseMillis']=ARGV[2]}) if redis.call('set', KEYS[1], data, 'NX', 'PX', ARGV[2]) then return data end return redis.call('get', KEYS[1])",
			"unlock: local data = redis.call('get', KEYS[1]) if data and cjson.decode(data)['owner'] == ARGV[1] then return redis.call('del', KEYS[1]) end return 0",
		}, []string{`{me, 10000}`, `redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"values among keys", []string{"lock: if redis.call('setnx', KEYS[1], KEYS[2]) == 1 then redis.call('pexpire', KEYS[1], KEYS[3]) return 1 end return 0", delete}, []string{`redis.eval("lock", {"lock", me, tostring(10000)}, {})`}, 2},
		{"when it ends, beside the present, which is no bound itself", []string{
			"acquire: local expires_at = ARGV[3] redis.call('zremrangebyscore', KEYS[1], '-inf', '(' .. ARGV[1]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end redis.call('zadd', KEYS[1], expires_at, ARGV[4]) return 1",
			"release: return redis.call('zrem', KEYS[1], ARGV[1])",
		}, []string{`{stamp(), 1, stamp(10000), me}`}, 0},
		{"what renews takes, too", []string{
			"renew-leader: local owner = redis.call('get', KEYS[1]) if owner == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end if not owner then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 2 end return 0", delete,
		}, []string{`redis.eval("renew-leader", {"lock"}, {me, 10000})`, "if reply == 2"}, 0},
		{"keys that are called the same", []string{
			"lock: local lock, owner = KEYS[1], KEYS[2] if redis.call('exists', lock) == 1 then return 0 end redis.call('set', lock, 1, 'PX', ARGV[2]) redis.call('set', owner, ARGV[1], 'PX', ARGV[2]) return 1",
			"unlock: local owner, lock = KEYS[1], KEYS[2] if redis.call('get', owner) == ARGV[1] then return redis.call('del', lock, owner) end return 0",
		}, []string{`redis.eval("unlock", {"lock:2", "lock"}, {me})`}, 0},
		{"the name of a key that is kept in another", []string{
			"lock: local lockKey, idKey, fullKey = KEYS[1], KEYS[2], ARGV[3] if redis.call('exists', lockKey) == 1 then return 0 end redis.call('set', lockKey, ARGV[1], 'PX', ARGV[2]) redis.call('set', idKey, fullKey, 'PX', ARGV[2]) return 1",
			"unlock: local idKey = KEYS[1] local lockKey = redis.call('get', idKey) if not lockKey or redis.call('get', lockKey) ~= ARGV[1] then return 0 end return redis.call('del', lockKey, idKey)",
		}, []string{`{me, 10000, "lock"}`, `redis.eval("unlock", {"lock:2"}, {me})`}, 0},
		{"a field in a variable", []string{
			"lock: local field, val = 'w', ARGV[1] if redis.call('hget', KEYS[1], field) then return 0 end redis.call('hset', KEYS[1], field, val) redis.call('pexpire', KEYS[1], ARGV[2]) return 1",
			"unlock: if redis.call('hget', KEYS[1], 'w') == ARGV[1] then return redis.call('del', KEYS[1]) end return 0",
		}, []string{`{me, 10000}`}, 0},
		{"a number that it draws", []string{"lock: if redis.call('zcard', KEYS[1]) > 0 then return 0 end redis.call('zadd', KEYS[1], ARGV[1], ARGV[1] .. '-' .. math.random(1000)) redis.call('pexpire', KEYS[1], 10000) return 1"}, []string{`redis.eval("lock", {"lock"}, {stamp(), string.byte(me)})`}, 2},
		{"how many are left is no refusal", []string{"limit: local n = redis.call('incr', KEYS[1]) redis.call('pexpire', KEYS[1], 10000) if n > 5 then return {0, 0} end return {1, 5 - n}"}, []string{`redis.eval("limit", {"lock"}, {})`}, 1},
		{"a score and a TTL of one span in seconds", []string{
			"acquire: redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) >= 1 then return 0 end redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[3]) redis.call('expire', KEYS[1], ARGV[2]) return 1",
			"release: return redis.call('zrem', KEYS[1], ARGV[1])",
		}, []string{`{string.format("%.3f", now() / 1000), 10, me}`}, 0},
		{"a key beside those of a queue, which one alone can make", []string{
			"enqueue: if redis.call('set', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then redis.call('lpush', KEYS[1], ARGV[1]) return 1 end return 0", delete,
		}, []string{`redis.eval("enqueue", {"lock:queue", "lock"}, {me, 10000})`, `redis.eval("unlock", {"lock"}, {me})`}, 0},
		{"when it was taken, and before when that is too long ago", []string{
			"acquire: redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end redis.call('zadd', KEYS[1], ARGV[3], ARGV[4]) return 1",
			"release: return redis.call('zrem', KEYS[1], ARGV[1])",
		}, []string{`{now() - 10000, 1, stamp(), me}`}, 0},
		{"when it ends, beside the present", []string{
			"acquire: local expires_at = ARGV[3] redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end redis.call('zadd', KEYS[1], expires_at, ARGV[4]) return 1",
			"release: return redis.call('zrem', KEYS[1], ARGV[1])",
		}, []string{`{stamp(), 1, stamp(10000), me}`}, 0},
		{"a limiter that says when the client may go on", []string{
			"bucket: local seconds, microseconds, pause = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[1]) local now = seconds * 1000 + microseconds / 1000 local free = math.max(now, tonumber(redis.call('get', KEYS[1]) or 0)) redis.call('setex', KEYS[1], 30, free + pause) return free",
		}, []string{`{1, math.floor(now() / 1000), 1}`, `enter("lock")`}, 1},
		{"a list of permits, which the clients take from", []string{
			"semaphore: if redis.call('setnx', KEYS[2], 1) == 1 then local all = {'rpush', KEYS[1]} for _ = 1, tonumber(ARGV[1]) do table.insert(all, 1) end redis.call(unpack(all)) return 1 end return 0",
		}, []string{`redis.eval("semaphore", {"lock:1", "lock"}, {1})`}, 1},
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

// bucketOfRate is a bucket with a token for each unit of a time that it calls by a name.
func bucketOfRate(now string) string {
	return "bucket: local rate, capacity, " + now + ` = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
		local b = redis.call('hmget', KEYS[1], 'tokens', 'at') local tokens = tonumber(b[1]) or capacity
		tokens = math.min(capacity, tokens + (` + now + " - (tonumber(b[2]) or " + now + `)) * rate)
		if tokens < 1 then return {0, tokens} end
		redis.call('hset', KEYS[1], 'tokens', tokens - 1, 'at', ` + now + ") return {1, tokens - 1}"
}

// A limiter is told from a lock, and how long it keeps a second call back is measured.
func TestALimiterHasASpan(t *testing.T) {
	tests := []struct{ name, script, span string }{
		{"a window", "rate-limit: local n = redis.call('incr', KEYS[1]) if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end if n > tonumber(ARGV[2]) then return 0 end return 1", "10000"},
		{"a count, which the client compares", "window: local n = redis.call('incr', KEYS[1]) if n == 1 then redis.call('expire', KEYS[1], ARGV[1]) end return n", "10000"},
		{"a bucket of its own clock", `bucket: local rate, capacity, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
			local b = redis.call('hmget', KEYS[1], 'tokens', 'at') local tokens = tonumber(b[1]) or capacity
			tokens = math.min(capacity, tokens + (now - (tonumber(b[2]) or now)) * rate / 2000)
			if tokens < 1 then return {0, tokens} end
			redis.call('hset', KEYS[1], 'tokens', tokens - 1, 'at', now) return {1, tokens - 1}`, "2000"},
		{"a bucket that counts in seconds", bucketOfRate("now"), "1000"},
		{"a bucket that keeps when it was filled", `bucket: local capacity, interval, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
			local b = redis.call('hmget', KEYS[1], 'refilledAt', 'tokens') local refilledAt, tokens = now, capacity if b[1] then refilledAt, tokens = tonumber(b[1]), tonumber(b[2]) end
			local times = math.floor((now - refilledAt) / interval) tokens = math.min(capacity, tokens + times) refilledAt = refilledAt + times * interval
			if tokens == 0 then return -1 end redis.call('hset', KEYS[1], 'refilledAt', refilledAt, 'tokens', tokens - 1) return tokens - 1`, "10000"},
		{"a bucket that says milliseconds", bucketOfRate("now_ms"), "2"},
		{"a bucket whose lease follows from its rate", `bucket: local capacity, rate = tonumber(ARGV[1]), tonumber(ARGV[2], 10) or 5
			local time = redis.call('TIME') local now = time[1] + time[2] / 1000000
			local tokens = tonumber(redis.call('get', KEYS[1])) or capacity
			tokens = math.min(capacity, tokens + (now - (tonumber(redis.call('get', KEYS[2])) or now)) * rate)
			if tokens < 1 then return {0, tokens} end
			redis.call('setex', KEYS[1], math.ceil(capacity / rate) + 1, tokens - 1) redis.call('setex', KEYS[2], math.ceil(capacity / rate) + 1, now) return {1, tokens - 1}`, "1000"},
		{"a window of the server's seconds", `window: local now = tonumber(redis.call('TIME')[1]) redis.call('zremrangebyscore', KEYS[1], 0, now - tonumber(ARGV[1]))
			if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end redis.call('zadd', KEYS[1], now, now) return 1`, "10000"},
		{"a list of the client's seconds", `window: local now, limit, expiry = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
			local oldest = redis.call('lindex', KEYS[1], limit - 1) if oldest and tonumber(oldest) > now - expiry then return 0 end
			redis.call('lpush', KEYS[1], now) redis.call('expire', KEYS[1], expiry) return 1`, "10000"},
		{"a list whose age is compared with seconds", `throttle: local limit, ttl, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
			if limit <= redis.call('llen', KEYS[1]) and now - redis.call('lindex', KEYS[1], -1) < ttl then return 1 end
			redis.call('lpush', KEYS[1], now) redis.call('expire', KEYS[1], ttl) return 0`, "10000"},
		{"a count that goes down to what is refused", `rate-limit: local limit, span = ARGV[1], ARGV[2] if redis.call('set', KEYS[1], limit, 'PX', span, 'NX') then redis.call('decr', KEYS[1]) return 0 end
			if redis.call('decr', KEYS[1]) < 0 then return 1 end return 0`, "10000"},
		{"a span that is kept in a hash", `limit: local left = redis.call('hmget', KEYS[1], 'count', 'span') if left[1] then return redis.call('hincrby', KEYS[1], 'count', -1) end
			local of = {tonumber(ARGV[1]), tonumber(ARGV[2])} redis.call('hmset', KEYS[1], 'count', of[1] - 1, 'span', of[2]) redis.call('pexpire', KEYS[1], of[2]) return of[1] - 1`, "10000"},
		{"a count with a fraction", `limit: local n = redis.call('incrbyfloat', KEYS[1], tonumber(ARGV[1])) if redis.call('ttl', KEYS[1]) == -1 then redis.call('expire', KEYS[1], ARGV[2]) end return n`, "10000"},
		{"an end that is kept in a hash", `limit: if redis.call('exists', KEYS[1]) == 1 and ARGV[1] >= redis.call('hget', KEYS[1], 'since') and ARGV[1] < redis.call('hget', KEYS[1], 'until') then return 0 end
			redis.call('hset', KEYS[1], 'since', ARGV[2], 'until', ARGV[2] + ARGV[3]) redis.call('expire', KEYS[1], ARGV[3] * 2) return 1`, "10000"},
	}
	for _, tt := range tests {
		_, l := made(t, draft.Chosen{}, tt.script)
		if want := "\"PX\", " + tt.span + ")"; !strings.Contains(l.Actors[0].Program, want) {
			t.Errorf("%s: the program has no %s\n%s", tt.name, want, l.Actors[0].Program)
		}
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{}, nil)
		if err != nil || v.Ending == search.Breaks {
			t.Errorf("%s: %v, %v", tt.name, v.Ending, err)
		}
	}
}

// A counter whose TTL is never set, because a number is no text, lets nobody pass again: that is said.
func TestALimiterThatNeverEndsIsSaid(t *testing.T) {
	d, l := made(t, draft.Chosen{}, "window: local n = redis.call('incrby', KEYS[1], ARGV[2]) if n == ARGV[2] then redis.call('pexpire', KEYS[1], ARGV[1]) end return n")
	if len(d.Doubts) != 1 || d.Doubts[0].Code != "draft-counts-forever" {
		t.Errorf("it doubts %v", d.Doubts)
	}
	if v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{}, nil); err != nil || v.Ending != search.Breaks || v.Violation.Invariant != "no-lock-without-ttl" {
		t.Errorf("%v, %v", v.Ending, err)
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
		{"a lock that says to everybody that it is theirs", []string{"lock: redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return ARGV[1]", delete}, "mutual-exclusion"},
		{"scores that end in place of a TTL", []string{
			"acquire: redis.call('zremrangebyscore', KEYS[1], 0, ARGV[1]) if redis.call('zcard', KEYS[1]) >= 1 then return 0 end redis.call('zadd', KEYS[1], ARGV[1] + ARGV[2], ARGV[3]) return 1",
			"release: return redis.call('zrem', KEYS[1], ARGV[1])",
		}, ""},
		{"a lease that is too short", []string{"lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 10) then return 1 end return 0", delete}, "mutual-exclusion"},
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

// Who takes for writing does not give back for reading, and what extends takes nothing, whatever it is called.
func TestScriptsThatDoNotGoTogetherAreNotPlayed(t *testing.T) {
	tests := []struct{ scripts, played []string }{
		{[]string{"write-" + setNX, "read-unlock: return redis.call('srem', KEYS[1], ARGV[1])"}, []string{"write-lock"}},
		{[]string{
			"freeze: if tonumber(redis.call('hget', KEYS[1], 'left') or 0) < 1 then return 0 end redis.call('hincrbyfloat', KEYS[1], 'left', -1) redis.call('hincrbyfloat', KEYS[1], 'frozen', 1) return 1",
			"unfreeze: if tonumber(redis.call('hget', KEYS[1], 'frozen') or 0) < 1 then return 0 end redis.call('hincrbyfloat', KEYS[1], 'frozen', -1) redis.call('hincrbyfloat', KEYS[1], 'left', 1) return 1",
		}, []string{"freeze"}},
		{[]string{delete, "reacquire: if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('pexpire', KEYS[1], ARGV[2]) return 1"}, []string{"unlock", "reacquire"}},
		{[]string{delete, "extend: if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1"}, []string{"unlock", "extend"}},
	}
	for _, tt := range tests {
		if d, _ := made(t, draft.Chosen{}, tt.scripts...); !slices.Equal(d.Played, tt.played) {
			t.Errorf("it plays %v, want %v", d.Played, tt.played)
		}
	}
}

// What only deletes gives a lock back, even if it has the lock's name.
func TestWhatOnlyDeletesTakesNoLock(t *testing.T) {
	d, l := made(t, draft.Chosen{}, strings.Replace(delete, "unlock", "my-lock", 1))
	if !strings.Contains(l.Actors[0].Program, `redis.call("SET", "lock", me`) {
		t.Errorf("nobody takes the lock with SET: %v\n%s", d.Doubts, l.Actors[0].Program)
	}
}

// What nobody gives back and no time ends is no lock: one client gets it.
func TestWhatIsKeptIsNoLock(t *testing.T) {
	for _, script := range []string{
		"reserve: if redis.call('scard', KEYS[1]) >= tonumber(ARGV[1]) then redis.call('set', KEYS[2], 1, 'EX', ARGV[3]) return 0 end return redis.call('sadd', KEYS[1], ARGV[2])",
		"buy: if redis.call('incr', KEYS[1]) > tonumber(ARGV[1]) then redis.call('decr', KEYS[1]) return 0 end redis.call('hset', KEYS[2], ARGV[2], 1) return 1",
		"code: if redis.call('hlen', KEYS[1]) >= tonumber(KEYS[2]) then return 'none' end redis.call('hsetnx', KEYS[1], ARGV[1], KEYS[3]) return 'ok'",
		"add-job: if redis.call('exists', KEYS[1]) == 1 then return nil end redis.call('hset', KEYS[1], 'owner', ARGV[1]) redis.call('lpush', KEYS[2], 'job') return 'added'",
	} {
		d, l := made(t, draft.Chosen{}, script)
		if len(d.Doubts) == 0 || d.Doubts[0].Code != "draft-keeps" || !strings.Contains(l.Actors[0].Program, `"SET", "got:" .. me`) {
			t.Errorf("%s\nit doubts %v\n%s", script, d.Doubts, l.Actors[0].Program)
		}
		if v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{}, nil); err != nil || v.Ending == search.Breaks {
			t.Errorf("%s\n%v, %v", script, v.Ending, err)
		}
	}
	for _, script := range []string{
		"mark: return redis.call('setnx', KEYS[1], ARGV[1])",
		"acquire: if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('hset', KEYS[1], 'owner', ARGV[1]) return 1",
		"semaphore: if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('rpush', KEYS[1], 1) return 1",
	} {
		if d, _ := made(t, draft.Chosen{}, script); slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-keeps" }) {
			t.Errorf("%s\nis no lock: %v", script, d.Doubts)
		}
	}
}

// A limiter may forget what it counted when it refuses somebody.
func TestALimiterIsAskedOnceMore(t *testing.T) {
	d, l := made(t, draft.Chosen{}, `rate-limit: local limit, limit_time, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
		if redis.call('llen', KEYS[1]) >= limit and now - redis.call('lindex', KEYS[1], -1) < limit_time then redis.call('pexpire', KEYS[1], 2000 * limit) return 1 end
		redis.call('lpush', KEYS[1], now) redis.call('ltrim', KEYS[1], 0, limit - 1) return 0`)
	if ending := closely(t, l); ending != search.Breaks {
		t.Errorf("%v: %v\n%s", ending, d.Doubts, l.Actors[0].Program)
	}
}

// A client passes no time where the server's own is asked instead.
func TestTheServersClockIsPreferred(t *testing.T) {
	_, l := made(t, draft.Chosen{}, `bucket: local capacity, now = tonumber(ARGV[1]), tonumber(ARGV[2]) or redis.call('TIME')[1]
		local left = math.min(capacity, (tonumber(redis.call('get', KEYS[1])) or capacity) + now - (tonumber(redis.call('get', KEYS[2])) or 0))
		if left < 1 then return 0 end redis.call('set', KEYS[1], left - 1) redis.call('set', KEYS[2], now) return 1`)
	if strings.Contains(l.Actors[0].Program, "now()") || !strings.Contains(l.Actors[0].Program, `""})`) {
		t.Error(l.Actors[0].Program)
	}
}

// Numbers that only grow refuse nobody, whatever is removed meanwhile.
func TestAnIDIsNoLock(t *testing.T) {
	found, err := draft.Scripts("queue.js", "const addJob = `local id = redis.call('incr', KEYS[1]) redis.call('hset', KEYS[2], id, ARGV[1]) return id`\nconst removeJob = `return redis.call('hdel', KEYS[1], ARGV[1])`")
	if err != nil {
		t.Fatal(err)
	}
	if d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{}); err == nil {
		t.Errorf("a lesson is made of %v: %v", d.Played, d.Doubts)
	}
}

// A script that has no key of the lock does not give it back.
func TestWhatHasOtherKeysGivesNothingBack(t *testing.T) {
	d, _ := made(t, draft.Chosen{}, "enqueue-unique: if redis.call('set', KEYS[1], 1, 'NX', 'EX', 60) then redis.call('lpush', KEYS[2], ARGV[1]) return 'ok' end return 'dup'",
		"delete-single: return redis.call('zrem', KEYS[1], ARGV[1])")
	if !slices.Equal(d.Played, []string{"enqueue-unique"}) {
		t.Errorf("it plays %v", d.Played)
	}
}

// What the code sends by itself gives back what a script has taken.
func TestASemaphoreIsGivenBackByTheCode(t *testing.T) {
	found, err := draft.Scripts("sem.py", `
ACQUIRE = """
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[3]) redis.call('pexpire', KEYS[1], 10000) return 1
"""
def leave(self): self.client.zrem(self.key, self.id)
`)
	if err != nil {
		t.Fatal(err)
	}
	d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if err != nil || !slices.Equal(d.Played, []string{"acquire", "zrem"}) || !slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-of-code" }) {
		t.Errorf("it plays %v and doubts %v, want that the code gives back (%v)", d.Played, d.Doubts, err)
	}
}

// A script that finds an empty queue is given a job, which one client alone claims.
func TestAClaimIsPlayedWithAJob(t *testing.T) {
	tests := []struct{ name, script, given, taken string }{
		{"a list", "pop: local job = redis.call('rpop', KEYS[1]) if job then redis.call('zadd', KEYS[2], ARGV[1], job) end return job", `given: {"jobs": {type: list, value: [job-1]}}`, "if reply ~= nil"},
		{"what is due", "pop: local due = redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1]) for _, job in ipairs(due) do redis.call('zrem', KEYS[2], job) redis.call('lpush', KEYS[1], job) end return due", `given: {"jobs:order": {type: zset, value: {job-1: 1}}}`, "if #reply == 1"},
		{"the first of several lists", "pop: for _, queue in ipairs(KEYS) do local job = redis.call('rpop', queue) if job then return {queue, job} end end return {'', ''}", `given: {"jobs": {type: list, value: [job-1]}}`, `if reply[1] == "jobs"`},
		{"from list to list", "next: return redis.call('rpoplpush', KEYS[1], KEYS[2])", `given: {"jobs": {type: list, value: [job-1]}}`, "if reply ~= nil"},
	}
	for _, tt := range tests {
		d, l := made(t, draft.Chosen{}, tt.script)
		if len(d.Doubts) != 1 || d.Doubts[0].Code != "draft-claims" || !strings.Contains(d.Files[0].Text, tt.given) || !strings.Contains(l.Actors[0].Program, tt.taken) {
			t.Errorf("%s: it doubts %v\n%s", tt.name, d.Doubts, d.Files[0].Text)
		}
		if ending := closely(t, l); ending != search.Holds {
			t.Errorf("%s: %v", tt.name, ending)
		}
	}
	_, l := made(t, draft.Chosen{}, "claim: local due = redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[1]) for _, job in ipairs(due) do redis.call('zadd', KEYS[1], ARGV[1] + 10, job) end return due")
	if closely(t, l) != search.Breaks {
		t.Errorf("a job comes back after 10 ms, and nothing breaks\n%s", l.YAML)
	}
}

// Of the scripts of a queue the one is played that hands out jobs, and not those that move or add them.
func TestAClaimIsFoundAmongTheScriptsOfAQueue(t *testing.T) {
	d, l := made(
		t, draft.Chosen{},
		"push: redis.call('rpush', KEYS[1], ARGV[1])",
		"migrate-due: local due = redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[1]) for _, job in ipairs(due) do redis.call('zrem', KEYS[1], job) redis.call('rpush', KEYS[2], job) end return due",
		"pop: local job = redis.call('lpop', KEYS[1]) if not job then return 'none' end local data = cjson.decode(job) data['attempts'] = data['attempts'] + 1 redis.call('zadd', KEYS[2], ARGV[1], cjson.encode(data)) return job",
	)
	if !slices.Equal(d.Played, []string{"pop"}) || d.Doubts[0].Code != "draft-claims" || !strings.Contains(d.Files[0].Text, `attempts`) {
		t.Errorf("it plays %v and doubts %v\n%s", d.Played, d.Doubts, d.Files[0].Text)
	}
	if ending := closely(t, l); ending != search.Holds {
		t.Errorf("%v", ending)
	}
}

// A script that takes from a stock is given one thing, which is sold once.
func TestAStockIsSoldOnce(t *testing.T) {
	for _, tt := range []struct{ name, script, given string }{
		{"a key", "deduct: local left = tonumber(redis.call('get', KEYS[1])) if left == nil then return -1 end if left < tonumber(ARGV[1]) then return 0 end redis.call('decrby', KEYS[1], ARGV[1]) return 1", `given: {"stock": {type: string, value: "1"}}`},
		{"a field", "reserve: local left = tonumber(redis.call('hget', KEYS[1], 'left')) if left == nil or left < 1 then return 0 end redis.call('hincrby', KEYS[1], 'left', -1) return 1", `given: {"stock": {type: hash, value: {"left": "1"}}}`},
		{"a field with fractions", "freeze: local left = redis.call('hget', KEYS[1], 'left') if not left or tonumber(left) < 1 then return 0 end redis.call('hincrbyfloat', KEYS[1], 'left', -1) return 1", `given: {"stock": {type: hash, value: {"left": "1"}}}`},
		{"what is left, which the client compares", "seats: if redis.call('exists', KEYS[1]) == 1 then return redis.call('decr', KEYS[1]) else return nil end", `given: {"stock": {type: string, value: "1"}}`},
		{"a ticket for one use", "ticket: local value = redis.call('get', KEYS[1]) if value then redis.call('del', KEYS[1]) end return value", `given: {"stock": {type: string, value: "1"}}`},
		{"a key with a name of ARGV", "buy: local item, user = ARGV[1], ARGV[2] if tonumber(redis.call('get', 'left:' .. item)) <= 0 then return 1 end redis.call('incrby', 'left:' .. item, -1) redis.call('sadd', 'users:' .. item, user) return 0", `given: {"left:1": {type: string, value: "1"}}`},
		{"a number and a member", "seat: if tonumber(redis.call('get', KEYS[1])) < 1 then return -2 end if redis.call('sismember', KEYS[2], ARGV[1]) == 0 then return -1 end redis.call('decr', KEYS[1]) return 1", `given: {"stock": {type: string, value: "1"}, "stock:members": {type: set, value: ["A", "B"]}}`},
	} {
		d, l := made(t, draft.Chosen{}, tt.script)
		if len(d.Doubts) == 0 || d.Doubts[0].Code != "draft-sells" || !strings.Contains(d.Files[0].Text, tt.given) {
			t.Errorf("%s: it doubts %v\n%s", tt.name, d.Doubts, d.Files[0].Text)
		}
		if ending := closely(t, l); ending != search.Holds {
			t.Errorf("%s: %v", tt.name, ending)
		}
	}
}

// What the code sends by itself is no release if it frees nothing when it is tried.
func TestWhatTheCodeSendsMayBelongToSomethingElse(t *testing.T) {
	found, err := draft.Scripts("queue.py", `
SCHEDULE = """
if redis.call('exists', KEYS[1]) == 1 then return nil end
redis.call('setex', KEYS[1], ARGV[1], 1) redis.call('zadd', KEYS[2], ARGV[2], 'job') return 1
"""
def forget(self, job): self.client.zrem(self.incomplete, job)
`)
	if err != nil {
		t.Fatal(err)
	}
	d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if err != nil || !slices.Equal(d.Played, []string{"schedule"}) {
		t.Errorf("it plays %v, want the script alone (%v)", d.Played, err)
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

// slidingCounter is a limiter with a key for each of two windows. It counts the calls of the one before by a weight, which
// is rounded by a function.
func slidingCounter(rounds string) string {
	return `window: local now, window, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
		local before = ` + rounds + `(tonumber(redis.call('get', KEYS[1]) or 0) * (1 - now % window / window))
		if before + tonumber(redis.call('get', KEYS[2]) or 0) >= limit then return 0 end
		redis.call('incr', KEYS[2]) redis.call('pexpire', KEYS[2], window * 2) return 1`
}

// Keys of windows have their names by the client's clock, as long as the script tells how long a window is. Whether its
// limit holds is the script's doing.
func TestKeysOfWindowsAreNamedByTheTime(t *testing.T) {
	tests := []struct {
		script, keys string
		breaks       bool
	}{
		{slidingCounter("math.ceil"), `{"limit:" .. window - 1, "limit:" .. window}`, false},
		{slidingCounter("math.floor"), `{"limit:" .. window - 1, "limit:" .. window}`, true},
		{strings.Replace(slidingCounter("math.floor"), "local now", "local previousKey = KEYS[1] if KEYS[3] ~= '' then redis.call('get', KEYS[3]) end local now", 1), `{"limit:" .. window - 1, "limit:" .. window, "limit:`, true},
		{strings.NewReplacer("KEYS[1]", "KEYS[2]", "KEYS[2]", "KEYS[1]").Replace(slidingCounter("math.ceil")), `{"limit:" .. window, "limit:" .. window - 1}`, false},
	}
	for _, tt := range tests {
		d, l := made(t, draft.Chosen{}, tt.script)
		for _, want := range []string{"math.floor(now() / 10000)", tt.keys, `"PX", 10000)`} {
			if !strings.Contains(l.Actors[0].Program, want) {
				t.Errorf("the program has no %s\n%s\n%v", want, l.Actors[0].Program, d.Doubts)
			}
		}
		if ending := closely(t, l); (ending == search.Breaks) != tt.breaks {
			t.Errorf("%s\n%v", tt.script, ending)
		}
	}
}

// How long a window is cannot be told where the client passes no span, and which key is the present window's not where the
// script writes both: such keys have names without the time.
func TestKeysOfWindowsAreDoubted(t *testing.T) {
	counter := slidingCounter("")
	for _, script := range []string{
		strings.ReplaceAll(counter, "tonumber(ARGV[2])", "10000"),
		strings.Replace(counter, "redis.call('incr', KEYS[2])", "redis.call('incr', KEYS[2]) redis.call('pexpire', KEYS[1], window)", 1),
	} {
		d, l := made(t, draft.Chosen{}, script)
		if !slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-keys-of-windows" }) {
			t.Errorf("%s\nit doubts %v", script, d.Doubts)
		}
		if strings.Contains(l.Actors[0].Program, ".. window") {
			t.Errorf("%s\nits keys have the time in their names\n%s", script, l.Actors[0].Program)
		}
	}
}

// A clock that programs read themselves is read when they begin, and not at time 0.
func TestAClockInSecondsIsNotOld(t *testing.T) {
	_, l := made(t, draft.Chosen{}, bucketOfRate("now"))
	s, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	a := engine.Choice{Kind: engine.Run, Target: "A"}
	_, trace, err := engine.Replay(t.Context(), s, []engine.Choice{{Kind: engine.Tick, Span: 7 * time.Second}, a, a})
	if err != nil {
		t.Fatal(err)
	}
	if sent, ok := trace.Steps[2].Request.(engine.Exec); !ok || !slices.Contains(sent.Op.Args, "1700000007.000") {
		t.Errorf("after 7 s A sends %v", trace.Steps[2].Request)
	}
}

// Why a script fails is said.
func TestWhatCannotBePlayedIsSaid(t *testing.T) {
	for code, script := range map[string]string{
		"draft-random":         "if redis.call('zcard', KEYS[1]) > 0 then return 0 end redis.call('zadd', KEYS[1], ARGV[1], ARGV[1] .. math.random(tonumber(ARGV[2]))) return 1",
		"draft-decodes":        "for _, limit in ipairs(cjson.decode(ARGV[1])) do if redis.call('incr', KEYS[1]) > limit[2] then return 0 end end return 1",
		"draft-only-counts":    "redis.call('sadd', KEYS[1], ARGV[1]) return {1, redis.call('incr', KEYS[2])}",
		"draft-keeps-greatest": "local last = tonumber(redis.call('get', KEYS[1])) if last and last >= tonumber(ARGV[1]) then return 0 end redis.call('set', KEYS[1], ARGV[1]) return 1",
		"draft-failed":         "if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('expire', KEYS[1], 'soon') return 1 end return 0",
	} {
		found, err := draft.Scripts("step.lua", script)
		if err != nil {
			t.Fatal(err)
		}
		_, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{})
		if why := (fact.Fact{}); !errors.As(err, &why) || why.Code != code || strings.Contains(err.Error(), "on @user_script") {
			t.Errorf("%v, want %s", err, code)
		}
	}
}

// JSON that a script stores and decodes is not told by an error of the decoder.
func TestStoredJSONIsSaid(t *testing.T) {
	script := "local has = redis.call('get', KEYS[1]) if has and cjson.decode(has).owner ~= ARGV[1] then return 0 end redis.call('set', KEYS[1], ARGV[2]) return 1"
	found, err := draft.Scripts("claim.lua", script)
	if err != nil {
		t.Fatal(err)
	}
	_, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if why := (fact.Fact{}); !errors.As(err, &why) || why.Code != "draft-decodes" || !strings.Contains(err.Error(), "KEYS[1]") {
		t.Error(err)
	}
}

// Of several scripts, one that the server cannot run is not passed over for one that takes nothing.
func TestALockThatCannotRunIsSaid(t *testing.T) {
	found, err := draft.Scripts("Store.php", `
$save = 'redis.call("ZINTERSTORE", KEYS[2], 2, KEYS[1], KEYS[2]) if redis.call("ZCARD", KEYS[2]) > 0 then return false end redis.call("ZADD", KEYS[2], 1, ARGV[1]) return true';
$putOff = 'return redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])';
$delete = 'return redis.call("ZREM", KEYS[1], ARGV[1])';
`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{}); err == nil || !strings.Contains(err.Error(), "ZINTERSTORE") {
		t.Error(err)
	}
}

// A lock that refuses nobody is not judged by a SET in its place: Redis's nil is false in Lua, so this is always a yes.
func TestAScriptThatRefusesNobodyIsPlayed(t *testing.T) {
	d, _ := made(t, draft.Chosen{}, "acquire-lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) ~= nil then return 'yes' end return 'no'", delete)
	refuses := slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-refuses-nobody" })
	if !slices.Contains(d.Played, "acquire-lock") || !refuses {
		t.Errorf("it plays %v and doubts %v, want the lock itself, and that it refuses nobody", d.Played, d.Doubts)
	}
}
