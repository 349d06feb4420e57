package attach

import (
	"regexp"
	"slices"
	"strings"
)

// source is a script that a client has sent.
type source struct {
	text  string
	kind  Kind
	calls []string // the commands that it names, in lower case
}

func newSource(text string) *source {
	s := &source{text: text}
	for _, m := range called.FindAllStringSubmatch(text, -1) {
		s.calls = append(s.calls, strings.ToLower(m[1]))
	}
	s.kind = kindOf(s.calls)
	return s
}

// called finds the commands that a script names.
var called = regexp.MustCompile(`redis\.p?call\s*\(\s*['"]([A-Za-z]+)['"]`)

// asks tells whether a script asks for a key before it sets it: one that sets it anyway makes no lock.
func (s *source) asks() bool {
	return s != nil && (s.obtains() || strings.Contains(strings.ToLower(s.text), "nx") ||
		slices.ContainsFunc(s.calls, func(c string) bool { return strings.Contains(c, "exists") }))
}

// obtains tells whether it is known to ask for a lock, its first key.
func (s *source) obtains() bool { return s != nil && slices.Contains(obtaining, s.kind) }

// Kind is what a script of a known client does.
type Kind string

// The kinds of scripts. Clients write the same script in different ways, so it is known by the
// commands that it names, in their order.
const (
	RedissonLock        Kind = "redisson-lock"
	RedissonUnlock      Kind = "redisson-unlock"
	RedissonForce       Kind = "redisson-force"
	RedissonRenew       Kind = "redisson-renew"
	RedissonReadLock    Kind = "redisson-read-lock"
	RedissonReadUnlock  Kind = "redisson-read-unlock"
	RedissonReadRenew   Kind = "redisson-read-renew"
	RedissonWriteLock   Kind = "redisson-write-lock"
	RedissonWriteUnlock Kind = "redisson-write-unlock"
	RedissonFairLock    Kind = "redisson-fair-lock"
	RedissonFairUnlock  Kind = "redisson-fair-unlock"
	RedissonFairGiveUp  Kind = "redisson-fair-give-up"
	RedissonFencedLock  Kind = "redisson-fenced-lock"
	NodeRedlockAcquire  Kind = "node-redlock-acquire"
	SpringObtain        Kind = "spring-obtain"
	SpringRelease       Kind = "spring-release"
	CompareAndDelete    Kind = "compare-and-delete"
	CompareAndExpire    Kind = "compare-and-expire"
)

// obtaining are the kinds that ask for a lock.
var obtaining = []Kind{RedissonLock, RedissonReadLock, RedissonWriteLock, RedissonFairLock, RedissonFencedLock, NodeRedlockAcquire, SpringObtain}

// kinds are known by the commands that their scripts name, up to a "…" if there is one. The
// versions in which a client has them are in docs/ATTACH.md.
var kinds = []struct {
	kind  Kind
	calls string
}{
	{RedissonLock, "exists hexists hincrby pexpire pttl"},
	{RedissonLock, "exists hincrby pexpire hexists hincrby pexpire pttl"},
	{RedissonLock, "exists hset pexpire hexists hincrby pexpire pttl"},
	{RedissonUnlock, "get hexists hincrby pexpire set del set"},
	{RedissonUnlock, "hexists hincrby pexpire del publish"},
	{RedissonForce, "del publish"},
	{RedissonRenew, "hexists pexpire"},
	{RedissonReadLock, "hget hset hset set pexpire pexpire hexists hincrby set pexpire pttl pexpire pttl"},
	{RedissonReadUnlock, "get hget set hexists hincrby hdel del hlen hkeys hget pttl pexpire set set del set"},
	{RedissonReadUnlock, "hget publish hexists hincrby hdel del hlen hkeys hget pttl pexpire del publish"},
	{RedissonReadRenew, "hget pexpire pexpire"},
	{RedissonReadRenew, "hget pexpire hlen hkeys hget pexpire"},
	{RedissonWriteLock, "hget hset hset pexpire hexists hincrby pttl pexpire pttl"},
	{RedissonWriteUnlock, "get hget set hexists hincrby pexpire set hdel hlen del hset set"},
	{RedissonWriteUnlock, "hget publish hexists hincrby pexpire hdel hlen del publish hset"},
	{RedissonFairLock, "lindex zscore zrem lpop exists exists…"},
	{RedissonFairUnlock, "lindex zscore zrem lpop exists lindex…"},
	{RedissonFairUnlock, "get lindex zscore zrem lpop exists lindex…"},
	{RedissonFairGiveUp, "lrange zincrby zrem lrem"},
	{RedissonFencedLock, "exists hexists incr hincrby pexpire pttl"},
	{NodeRedlockAcquire, "exists set"},
	{SpringObtain, "get pexpire set"},
	{SpringRelease, "get unlink"},
	{SpringRelease, "get unlink publish"},
	{CompareAndDelete, "get del"},
	{CompareAndExpire, "get pexpire"},
	{CompareAndExpire, "get expire"},
}

func kindOf(calls []string) Kind {
	all := strings.Join(calls, " ")
	for _, k := range kinds {
		begin, more := strings.CutSuffix(k.calls, "…")
		if all == begin || more && strings.HasPrefix(all, begin) {
			return k.kind
		}
	}
	return ""
}
