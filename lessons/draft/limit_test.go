package draft_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/draft"
)

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
		{"what says so in a comment", "script: -- 限流\nredis.call('zremrangebyscore', KEYS[1], 0, ARGV[2] - ARGV[1]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then return 1 end redis.call('zadd', KEYS[1], ARGV[2], ARGV[4]) redis.call('expire', KEYS[1], ARGV[1] / 1000) return 0", "10000"},
		{"a refusal that is an error", "limit: local n = redis.call('incr', KEYS[1]) if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end if n > tonumber(ARGV[2]) then redis.call('decr', KEYS[1]) return redis.error_reply('LIMITED') end return n", "10000"},
		{"a count of members", "add: redis.call('zadd', KEYS[1], ARGV[1], ARGV[2]) redis.call('expire', KEYS[1], ARGV[3]) return redis.call('zcard', KEYS[1])", "10000"},
		{"milliseconds, twice of which it makes seconds", `window: local limit, span, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
			redis.call('zremrangebyscore', KEYS[1], '-inf', now - span) if redis.call('zcard', KEYS[1]) >= limit then return 0 end
			redis.call('zadd', KEYS[1], now, ARGV[4]) redis.call('expire', KEYS[1], math.ceil(span * 2 / 1000)) return 1`, "10000"},
		{"fields that are seconds", `window: local epochSecond, windowSeconds = tonumber(ARGV[1]), tonumber(ARGV[2]) local n, all = 0, redis.call('hgetall', KEYS[1])
			redis.call('hincrby', KEYS[1], tostring(epochSecond), 1) for i = 1, #all, 2 do if tonumber(all[i]) > epochSecond - windowSeconds then n = n + all[i + 1] end end return n + 1`, "10000"},
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
		{"a bucket that begins anew when its size or rate is another", `bucket: local capacity, rate, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
			local b = redis.call('hmget', KEYS[1], 'tokens', 'at', 'capacity', 'rate') local tokens = tonumber(b[1]) or capacity
			if b[3] ~= ARGV[1] or b[4] ~= ARGV[2] then tokens = capacity end
			tokens = math.min(capacity, tokens + (now - (tonumber(b[2]) or now)) * rate / 2000)
			if tokens < 1 then return {0, tokens} end
			redis.call('hset', KEYS[1], 'tokens', tokens - 1, 'at', now, 'capacity', ARGV[1], 'rate', ARGV[2]) return {1, tokens - 1}`, "2000"},
		{"a bucket that says milliseconds", bucketOfRate("now_ms"), "2"},
		{"a bucket whose lease follows from its rate", `bucket: local capacity, rate = tonumber(ARGV[1]), tonumber(ARGV[2], 10) or 5
			local time = redis.call('TIME') local now = time[1] + time[2] / 1000000
			local tokens = tonumber(redis.call('get', KEYS[1])) or capacity
			tokens = math.min(capacity, tokens + (now - (tonumber(redis.call('get', KEYS[2])) or now)) * rate)
			if tokens < 1 then return {0, tokens} end
			redis.call('setex', KEYS[1], math.ceil(capacity / rate) + 1, tokens - 1) redis.call('setex', KEYS[2], math.ceil(capacity / rate) + 1, now) return {1, tokens - 1}`, "1000"},
		{"a bucket that names when it was filled", strings.NewReplacer("'at')", "'last_refill')", "'tokens', tokens - 1, 'at', now)", "'last_refill', now, 'tokens', tokens - 1)").Replace(bucketOfRate("now")), "1000"},
		{"one that counts its burst beyond the first call", `gcra: local burst, pause = ARGV[1], tonumber(ARGV[2]) local time = redis.call('TIME') local now = time[1] - 1600000000 + time[2] / 1000000
			local due = math.max(tonumber(redis.call('get', KEYS[1])) or now, now) if now - (due - pause * burst) < 0 then return {0} end
			redis.call('set', KEYS[1], due + pause, 'EX', math.ceil(due + pause - now)) return {1}`, "10000"},
		{"one that can look without counting", `window: local now, span, peek = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == '1' redis.call('zremrangebyscore', KEYS[1], 0, now - span)
			if redis.call('zcard', KEYS[1]) >= 1 then return 0 end if not peek then redis.call('zadd', KEYS[1], now, now) redis.call('pexpire', KEYS[1], span) end return 1`, "10000"},
		{"a yes that is the time", `window: local span = tonumber(ARGV[1]) local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)
			redis.call('zremrangebyscore', KEYS[1], 0, now - span) if redis.call('zcard', KEYS[1]) >= 1 then return {0, span} end redis.call('zadd', KEYS[1], now, now) redis.call('pexpire', KEYS[1], span) return {now, 0}`, "10000"},
		{"a limit within a range", `window: local limit, span = tonumber(ARGV[2]), tonumber(ARGV[1]) local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)
			redis.call('zremrangebyscore', KEYS[1], 0, now - span) local n = redis.call('zcard', KEYS[1]) if n >= limit then return {0, redis.call('zrangebyscore', KEYS[1], '-inf', '+inf', 'LIMIT', n - limit, 1)[1]} end
			redis.call('zadd', KEYS[1], now, now) redis.call('pexpire', KEYS[1], span) return {1, 0}`, "10000"},
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
		d, l := made(t, draft.Chosen{}, tt.script)
		if slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-saves-up" }) {
			t.Errorf("%s: it doubts %v", tt.name, d.Doubts)
		}
		if want := "\"PX\", " + tt.span + ")"; !strings.Contains(l.Actors[0].Program, want) {
			t.Errorf("%s: the program has no %s\n%s", tt.name, want, l.Actors[0].Program)
		}
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{}, nil)
		if err != nil || v.Ending == search.Breaks {
			t.Errorf("%s: %v, %v", tt.name, v.Ending, err)
		}
	}
}

// What is wrong with how a limiter counts is said.
func TestALimiterThatCountsWronglyIsSaid(t *testing.T) {
	for script, code := range map[string]string{
		"window: local now, span, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) redis.call('zremrangebyscore', KEYS[1], 0, now - span) if redis.call('zcard', KEYS[1]) > limit then return 0 end redis.call('zadd', KEYS[1], now, ARGV[4]) redis.call('pexpire', KEYS[1], span) return 1":        "draft-one-more",
		"window: local now, span, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) redis.call('zremrangebyscore', KEYS[1], 0, now - span) if redis.call('zcard', KEYS[1]) >= limit then return 0 end redis.call('zadd', KEYS[1], now, ARGV[4]) redis.call('expire', KEYS[1], 1) return 1":           "draft-forgets",
		"window: local n = tonumber(redis.call('get', KEYS[1]) or 0) if n >= tonumber(ARGV[1]) then return 0 end redis.call('set', KEYS[1], n + 1) return 1":                                                                                                                                                       "draft-counts-forever",
		"window: local now, span, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) redis.call('zremrangebyscore', KEYS[1], 0, now - span) if redis.call('zcard', KEYS[1]) >= limit then return 0 end redis.call('zadd', KEYS[1], now, now) redis.call('pexpire', KEYS[1], span) return 1":           "draft-counts-instants",
		"window: local now, span, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) redis.call('zremrangebyscore', KEYS[1], 0, now - span) if redis.call('zcard', KEYS[1]) >= limit then return 0 end redis.call('zadd', KEYS[1], now, tostring(now)) redis.call('pexpire', KEYS[1], span) return 1": "draft-counts-instants",
		"window: redis.call('zremrangebyscore', KEYS[1], 0, ARGV[1] - ARGV[2]) if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end redis.call('zadd', KEYS[1], ARGV[1], ARGV[1]) redis.call('pexpire', KEYS[1], ARGV[2]) return 1":                                                              "draft-counts-instants",
		strings.Replace(bucketOfRate("now"), "math.min(capacity, tokens", "(tokens", 1): "draft-saves-up",
	} {
		d, _ := made(t, draft.Chosen{}, script)
		if !slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == code }) {
			t.Errorf("%s\nit doubts %v, want %s", script, d.Doubts, code)
		}
	}
}

// What the folders of a file are called does not make a limiter of a lock.
func TestAFolderMakesNoLimiter(t *testing.T) {
	found, err := draft.Scripts("rate/generated/lock.lua", strings.TrimPrefix(setNX, "lock: "))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{}); err != nil || d.Doubts[0].Code != "draft-nothing-gives" {
		t.Errorf("it doubts %v (%v)", d.Doubts, err)
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

// Two calls in one microsecond there are none, so its number is a name, as what INCR counts is.
func TestAMicrosecondIsAName(t *testing.T) {
	for _, script := range []string{
		`window: local t = redis.call('TIME') local now = t[1] * 1000000 + t[2] local span, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
		redis.call('zremrangebyscore', KEYS[1], 0, now - span * 1000) if redis.call('zcard', KEYS[1]) >= limit then return 0 end redis.call('zadd', KEYS[1], now, now) redis.call('pexpire', KEYS[1], span) return 1`,
		`window: if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end local id = redis.call('incr', KEYS[2]) redis.call('zadd', KEYS[1], id, id) redis.call('pexpire', KEYS[1], ARGV[1]) return 1`,
	} {
		d, _ := made(t, draft.Chosen{}, script)
		if slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-counts-instants" }) {
			t.Errorf("it doubts %v", d.Doubts)
		}
	}
}
