package attach

import (
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/fact"
)

// Script is a script that a client has sent.
type Script struct {
	SHA  string
	Does error  // as a fact; nil: its client is not known
	Line string // its first one that says something
}

// Scripts are those that clients have sent, in the order in which they came.
func (r *Recorder) Scripts() (all []Script) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, sha := range r.seen {
		s := Script{SHA: sha, Line: r.sources[sha].firstLine()}
		if k := r.sources[sha].kind; k != nil {
			s.Does = k.does
		}
		all = append(all, s)
	}
	return all
}

// source is a script that a client has sent.
type source struct {
	text  string
	kind  *kind    // nil: it is not known
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

// name is what steps call the script.
func (s *source) name(sha string) string {
	if s.kind == nil {
		return sha[:8]
	}
	return s.kind.does.Code
}

func (s *source) firstLine() string {
	for line := range strings.Lines(s.text) {
		if line = strings.TrimSpace(line); line != "" {
			return clipped(line)
		}
	}
	return ""
}

// called finds the commands that a script names.
var called = regexp.MustCompile(`redis\.p?call\s*\(\s*['"]([A-Za-z]+)['"]`)

// asks tells whether a script asks for a key before it sets it: one that sets it anyway makes no lock.
func (s *source) asks() bool {
	return s != nil && (s.obtains() || strings.Contains(strings.ToLower(s.text), "nx") ||
		slices.ContainsFunc(s.calls, func(c string) bool { return strings.Contains(c, "exists") }))
}

// obtains tells whether it is known to ask for a lock, its first key.
func (s *source) obtains() bool { return s != nil && s.kind != nil && s.kind.obtains }

// kind is what a script of a known client does. Clients write the same script in different
// ways, so it is known by the commands that it names, in their order, up to a "…" if there is one.
type kind struct {
	does    fact.Fact
	obtains bool // it asks for a lock, its first key
	calls   string
}

// kinds are those of the clients in docs/ATTACH.md.
var kinds = []kind{
	{fact.Of("redisson-lock"), true, "exists hexists hincrby pexpire pttl"},
	{fact.Of("redisson-lock"), true, "exists hincrby pexpire hexists hincrby pexpire pttl"},
	{fact.Of("redisson-lock"), true, "exists hset pexpire hexists hincrby pexpire pttl"},
	{fact.Of("redisson-unlock"), false, "get hexists hincrby pexpire set del set"},
	{fact.Of("redisson-unlock"), false, "hexists hincrby pexpire del publish"},
	{fact.Of("redisson-force"), false, "del publish"},
	{fact.Of("redisson-renew"), false, "hexists pexpire"},
	{fact.Of("redisson-read-lock"), true, "hget hset hset set pexpire pexpire hexists hincrby set pexpire pttl pexpire pttl"},
	{fact.Of("redisson-read-unlock"), false, "get hget set hexists hincrby hdel del hlen hkeys hget pttl pexpire set set del set"},
	{fact.Of("redisson-read-unlock"), false, "hget publish hexists hincrby hdel del hlen hkeys hget pttl pexpire del publish"},
	{fact.Of("redisson-read-renew"), false, "hget pexpire pexpire"},
	{fact.Of("redisson-read-renew"), false, "hget pexpire hlen hkeys hget pexpire"},
	{fact.Of("redisson-write-lock"), true, "hget hset hset pexpire hexists hincrby pttl pexpire pttl"},
	{fact.Of("redisson-write-unlock"), false, "get hget set hexists hincrby pexpire set hdel hlen del hset set"},
	{fact.Of("redisson-write-unlock"), false, "hget publish hexists hincrby pexpire hdel hlen del publish hset"},
	{fact.Of("redisson-fair-lock"), true, "lindex zscore zrem lpop exists exists…"},
	{fact.Of("redisson-fair-unlock"), false, "lindex zscore zrem lpop exists lindex…"},
	{fact.Of("redisson-fair-unlock"), false, "get lindex zscore zrem lpop exists lindex…"},
	{fact.Of("redisson-fair-give-up"), false, "lrange zincrby zrem lrem"},
	{fact.Of("redisson-fenced-lock"), true, "exists hexists incr hincrby pexpire pttl"},
	{fact.Of("node-redlock-acquire"), true, "exists set"},
	{fact.Of("spring-obtain"), true, "get pexpire set"},
	{fact.Of("spring-release"), false, "get unlink"},
	{fact.Of("spring-release"), false, "get unlink publish"},
	{fact.Of("compare-and-delete"), false, "get del"},
	{fact.Of("compare-and-expire"), false, "get pexpire"},
	{fact.Of("compare-and-expire"), false, "get expire"},
}

// kindOf finds what a script that names these commands does; nil: that is not known.
func kindOf(calls []string) *kind {
	all := strings.Join(calls, " ")
	for i, k := range kinds {
		begin, more := strings.CutSuffix(k.calls, "…")
		if all == begin || more && strings.HasPrefix(all, begin) {
			return &kinds[i]
		}
	}
	return nil
}
