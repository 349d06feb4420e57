package draft_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/draft"
)

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

// A script that finds an empty queue is given a job, which one client alone claims.
func TestAClaimIsPlayedWithAJob(t *testing.T) {
	tests := []struct{ name, script, given, taken string }{
		{"a list", "pop: local job = redis.call('rpop', KEYS[1]) if job then redis.call('zadd', KEYS[2], ARGV[1], job) end return job", `given: {"jobs": {type: list, value: [job-1]}}`, "if reply ~= nil"},
		{"what is due", "pop: local due = redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1]) for _, job in ipairs(due) do redis.call('zrem', KEYS[2], job) redis.call('lpush', KEYS[1], job) end return due", `given: {"jobs:order": {type: zset, value: {job-1: 1}}}`, "if #reply == 1"},
		{"the first of several lists", "pop: for _, queue in ipairs(KEYS) do local job = redis.call('rpop', queue) if job then return {queue, job} end end return {'', ''}", `given: {"jobs": {type: list, value: [job-1]}}`, `if reply[1] == "jobs"`},
		{"what is first in order", "dequeue: local job = redis.call('zpopmax', KEYS[1]) if #job == 0 then return nil end redis.call('lpush', KEYS[2], job[1]) return job[1]", `given: {"jobs": {type: zset, value: {job-1: 1}}}`, "if reply ~= nil"},
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
		{"a field whose name is among the keys", "left: if redis.call('hexists', KEYS[1], KEYS[2]) == 0 then return -1 end if tonumber(redis.call('hget', KEYS[1], KEYS[2])) < 1 then return 0 end redis.call('hincrby', KEYS[1], KEYS[2], -1) return 1", `given: {"stock": {type: hash, value: {"stock:2": "1"}}}`},
		{"what is taken first, and put back", "deduct: local left = redis.call('decr', KEYS[1]) if left >= 0 then redis.call('incr', KEYS[2]) return left end redis.call('incr', KEYS[1]) return -1", `given: {"stock": {type: string, value: "1"}}`},
		{"an order in a stream", "buy: if tonumber(redis.call('get', KEYS[1])) < 1 then return 0 end redis.call('decr', KEYS[1]) redis.call('xadd', KEYS[2], '*', 'user', ARGV[1]) return 1", `given: {"stock": {type: string, value: "1"}}`},
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

// What sells one thing to two is played, and the search finds it.
func TestWhatIsSoldTwiceBreaks(t *testing.T) {
	for _, script := range []string{
		"stock: local left = 'left:' .. ARGV[1] if tonumber(redis.call('get', left)) < 0 then return 1 end redis.call('decr', left) redis.call('sadd', 'users:' .. ARGV[1], ARGV[2]) return 0",
		"reserve: local left = redis.call('hget', KEYS[1], 'left') if not left or tonumber(left) < 0 then return 0 end redis.call('hincrby', KEYS[1], 'left', -1) return 1",
	} {
		d, l := made(t, draft.Chosen{}, script)
		if d.Doubts[0].Code != "draft-sells" {
			t.Errorf("it doubts %v", d.Doubts)
		}
		if v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{}, nil); err != nil || v.Ending != search.Breaks || v.Violation.Invariant != "one-gets-it" {
			t.Errorf("%s\n%v, %v", script, v.Ending, err)
		}
	}
}

// What a cancelled order puts back makes no semaphore of a stock, and no lock of what puts it back, unless that is asked for.
func TestAStockThatIsPutBackIsSold(t *testing.T) {
	stock := []string{
		"restore-stock: if redis.call('exists', KEYS[1]) == 0 then return -1 end return redis.call('incrby', KEYS[1], ARGV[1])",
		"reserve-stock: if tonumber(redis.call('get', KEYS[1]) or 0) < tonumber(ARGV[1]) then return -1 end return redis.call('decrby', KEYS[1], ARGV[1])",
	}
	d, l := made(t, draft.Chosen{}, stock...)
	if !slices.Equal(d.Played, []string{"reserve-stock"}) || d.Doubts[0].Code != "draft-sells" {
		t.Errorf("it plays %v and doubts %v", d.Played, d.Doubts)
	}
	if ending := closely(t, l); ending != search.Holds {
		t.Errorf("%v", ending)
	}
	if d, _ := made(t, draft.Chosen{Give: "restore-stock"}, stock...); !slices.Equal(d.Played, []string{"reserve-stock", "restore-stock"}) {
		t.Errorf("it plays %v", d.Played)
	}
	if d, _ := made(t, draft.Chosen{}, stock[0]); len(d.Doubts) == 0 || d.Doubts[0].Code != "draft-no-refusal" {
		t.Errorf("what only adds is taken for a lock: %v", d.Doubts)
	}
}
