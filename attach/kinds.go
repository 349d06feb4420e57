package attach

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
)

// kind is what a script of a known client does. Clients write the same script in different
// ways, so it is known by the commands that it names, in their order; a "…" stands for others.
type kind struct {
	does    fact.Fact
	obtains bool // it asks for a lock
	calls   string
	words   string // what else its text has
	lockAt  int    // which of its keys is the lock, if it is known to ask for one
	counts  bool   // it counts permits, and makes no lock: nobody can tell whose they are
}

// publishes is how newer Redissons name PUBLISH or SPUBLISH.
const publishes = "redis.call(ARGV["

// jobLock is how the lock of a job is called, after the job.
const jobLock = ":lock"

// kinds are those of the clients in docs/ATTACH.md. The first that fits is it.
var kinds = []kind{
	counts(fact.Of("redisson-latch"), "exists set").saying(publishes),
	counts(fact.Of("redisson-latch"), "exists set publish"),
	counts(fact.Of("redisson-latch"), "decr del").saying(publishes),
	counts(fact.Of("redisson-latch"), "decr del publish"),
	counts(fact.Of("redisson-semaphore-acquire"), "get decrby").saying("~= false and tonumber("),
	counts(fact.Of("redisson-semaphore-acquire"), "zrangebyscore zrem incrby get decrby zadd…"),
	counts(fact.Of("redisson-semaphore-acquire"), "zrangebyscore zrem incrby publish get decrby zadd…"),
	counts(fact.Of("redisson-semaphore-release"), "incrby").saying(publishes),
	counts(fact.Of("redisson-semaphore-release"), "incrby publish"),
	counts(fact.Of("redisson-semaphore-set"), "get set").saying(publishes),
	counts(fact.Of("redisson-semaphore-set"), "get set publish"),
	counts(fact.Of("redisson-limiter"), "hget hget hget get zrangebyscore…"),
	counts(fact.Of("redisson-limiter-set"), "hsetnx hsetnx hsetnx…"),
	takes(fact.Of("go-zero-lock"), "get set set-nx"),
	takes(fact.Of("rueidis-lock"), "set-nx get").saying(");return r"),
	does(fact.Of("rueidis-force"), "set get").saying(");return r"),
	does(fact.Of("rueidis-extend"), "get pexpireat get"),
	takes(fact.Of("redislock-obtain"), "set-nx getrange set"),
	takes(fact.Of("set-if-none"), "set-nx"),
	takes(fact.Of("set-if-none"), "set-nx get"),
	does(fact.Of("node-redlock-extend"), "get set").saying("ipairs(KEYS)"),
	does(fact.Of("bull-extend"), "get set srem"),
	does(fact.Of("python-redis-lock-release"), "get del lpush del"),
	does(fact.Of("python-redis-lock-extend"), "get ttl expire"),
	does(fact.Of("python-redis-lock-reset"), "del lpush del"),
	takes(fact.Of("asynq-unique"), "set-nx exists hset lpush"),
	takes(fact.Of("asynq-unique"), "set-nx exists hset zadd"),
	does(fact.Of("asynq-done"), "lrem zrem del incr expireat get set incr get del"),
	does(fact.Of("asynq-done"), "lrem zrem zadd hset incr expireat get set incr get del"),
	{does: fact.Of("sidekiq-lock"), obtains: true, calls: "…hexists unlink lrem lrem hlen zadd zadd hset…", lockAt: 3},
	{does: fact.Of("sidekiq-lock"), obtains: true, calls: "…hexists lrem lrem hlen zadd zadd hset…", lockAt: 3},
	{does: fact.Of("sidekiq-unlock"), calls: "…hexists lrem lrem llen llen hlen hdel…", lockAt: 3},
	takes(fact.Of("redisson-lock"), "exists hexists hincrby pexpire pttl"),
	takes(fact.Of("redisson-lock"), "exists hincrby pexpire hexists hincrby pexpire pttl"),
	takes(fact.Of("redisson-lock"), "exists hset pexpire hexists hincrby pexpire pttl"),
	does(fact.Of("redisson-unlock"), "get hexists hincrby pexpire set del set"),
	does(fact.Of("redisson-unlock"), "hexists hincrby pexpire del publish"),
	does(fact.Of("redisson-force"), "del publish"),
	does(fact.Of("redisson-renew"), "hexists pexpire"),
	takes(fact.Of("redisson-read-lock"), "hget hset hset set pexpire pexpire hexists hincrby set pexpire pttl pexpire pttl"),
	does(fact.Of("redisson-read-unlock"), "get hget set hexists hincrby hdel del hlen hkeys hget pttl pexpire set set del set"),
	does(fact.Of("redisson-read-unlock"), "hget publish hexists hincrby hdel del hlen hkeys hget pttl pexpire del publish"),
	does(fact.Of("redisson-read-renew"), "hget pexpire pexpire"),
	does(fact.Of("redisson-read-renew"), "hget pexpire hlen hkeys hget pexpire"),
	takes(fact.Of("redisson-write-lock"), "hget hset hset pexpire hexists hincrby pttl pexpire pttl"),
	does(fact.Of("redisson-write-unlock"), "get hget set hexists hincrby pexpire set hdel hlen del hset set"),
	does(fact.Of("redisson-write-unlock"), "hget publish hexists hincrby pexpire hdel hlen del publish hset"),
	takes(fact.Of("redisson-fair-lock"), "lindex zscore zrem lpop exists exists…"),
	does(fact.Of("redisson-fair-unlock"), "lindex zscore zrem lpop exists lindex…"),
	does(fact.Of("redisson-fair-unlock"), "get lindex zscore zrem lpop exists lindex…"),
	does(fact.Of("redisson-fair-give-up"), "lrange zincrby zrem lrem"),
	takes(fact.Of("redisson-fenced-lock"), "exists hexists incr hincrby pexpire pttl"),
	takes(fact.Of("node-redlock-acquire"), "exists set").saying("ipairs(KEYS)"),
	takes(fact.Of("set-if-none"), "exists set"),
	takes(fact.Of("spring-obtain"), "get pexpire set"),
	does(fact.Of("spring-release"), "get unlink publish"),
	does(fact.Of("compare-and-delete"), "get del"),
	does(fact.Of("compare-and-delete"), "get unlink"),
	does(fact.Of("compare-and-expire"), "get pexpire"),
	does(fact.Of("compare-and-expire"), "get expire"),
}

func takes(what fact.Fact, calls string) kind { return kind{does: what, obtains: true, calls: calls} }

func does(what fact.Fact, calls string) kind { return kind{does: what, calls: calls} }

func counts(what fact.Fact, calls string) kind { return kind{does: what, calls: calls, counts: true} }

// saying is a kind that other scripts would be taken for, but for something that its text has.
func (k kind) saying(words string) kind {
	k.words = words
	return k
}

// jobs is a script of a queue that takes a job, or gives it back: there are many, of many versions.
var jobs = does(fact.Of("bull-job"), "")

// kindOf finds what a script that names these commands does; without a fact: that is not known.
func kindOf(text string, calls []string) kind {
	all := strings.Join(calls, " ")
	for _, k := range kinds {
		if k.fits(all) && strings.Contains(text, k.words) {
			return k
		}
	}
	if strings.Contains(text, "'"+jobLock+"'") && slices.Contains(calls, "set") {
		return jobs
	}
	return kind{}
}

func (k kind) fits(all string) bool {
	core, after := strings.CutSuffix(k.calls, "…")
	core, before := strings.CutPrefix(core, "…")
	switch {
	case before && after:
		return strings.Contains(" "+all+" ", " "+core+" ")
	case before:
		return strings.HasSuffix(" "+all, " "+core)
	case after:
		return strings.HasPrefix(all+" ", core)
	}
	return all == core
}
