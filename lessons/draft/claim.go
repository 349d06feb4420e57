package draft

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// The section of a claim, in place of lockKey, and what its keys are called by.
const (
	claimSection = "job"
	claimKeys    = "jobs"
	stockKeys    = "stock"
	keptKeys     = "kept"
)

// saysTheSame tells whether a script said the same to everybody, or failed, as it does while there is nothing to be had.
func (t tried) saysTheSame() bool {
	return t.take != nil && t.give == nil && (t.problem != nil || t.first.Equal(t.second))
}

// oversold looks at what says the same to both clients though there is only one thing: if it takes that, and says something
// else where less than nothing is left, it sells what is not there.
func (t tried) oversold(ctx context.Context) tried {
	if t.problem != nil || !t.sells() || !t.first.Equal(t.second) {
		return t
	}
	look := []string{"GET", t.start[0].key}
	if t.start[0].kind == "hash" {
		look = []string{"HGET", t.start[0].key, t.start[0].other}
	}
	on := t.held(ctx)
	if on.exec(ctx, look...).Str == t.start[0].value {
		return t
	}
	none := slices.Clone(t.start)
	for i := range none {
		if none[i].kind != "set" {
			none[i].value = "-1"
		}
	}
	if a, err := ask(ctx, t.take, nil, none); err == nil && !a.first.Equal(t.first) {
		t.second, t.both = a.first, true
	}
	return t
}

// hands tells whether a script that was given what it wants hands it to one client alone: its job, one of what is left, or
// something where there had been nothing before.
func (t tried) hands(before tried) bool {
	if !t.excludes() || t.second.IsError() {
		return false
	}
	if t.jobs() == "" {
		return !counts(t.first, t.second)
	}
	return before.problem == nil && isNothing(before.first) || mentions(t.first, job) && !mentions(t.second, job)
}

func isNothing(r reply.Reply) bool {
	if r.Kind == reply.Array {
		return !slices.ContainsFunc(r.Elems, func(e reply.Reply) bool { return !isNothing(e) })
	}
	return r.Kind == reply.Nil || r.Kind == reply.Bulk && r.Str == "" || r.Kind == reply.Int && r.Int == 0
}

func mentions(r reply.Reply, text string) bool {
	return strings.Contains(r.Str, text) || slices.ContainsFunc(r.Elems, func(e reply.Reply) bool { return mentions(e, text) })
}

// claims are the scripts that hand out jobs or what is left of a stock, when each is tried with that; the one first that
// is called so.
func claims(ctx context.Context, all []*candidate) []tried {
	var found []tried
	for _, c := range all {
		if ctx.Err() != nil || c.part == extends || strings.Contains(c.Name, "unlock") {
			continue
		}
		nameKeys(c)
		if t := try(ctx, c, nil); t.problem == nil && len(t.start) > 0 && !t.permits() && t.excludes() {
			found = append(found, t)
		}
	}
	called := func(t tried) int {
		switch {
		case namedHands.MatchString(t.take.Name):
			return 0
		case namedMoves.MatchString(t.take.Name):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(found, func(a, b tried) int { return called(a) - called(b) })
	return found
}

var (
	namedHands = regexp.MustCompile(`(^|-)(pop|receive|dequeue|claim|reserve|fetch|next|lease|take|get|read|process)($|-)|unack`)
	namedMoves = regexp.MustCompile(`migrat|expired|requeue|delay|stale|stall|promot|raise|future|schedul|retr[iy]`)
)

// keeps tells whether a script gives something to one client for good, as what sells or registers does: no script gives it
// back, no time ends it, and nothing says that it was to be a lock, a limiter or to end.
func (t tried) keeps(ctx context.Context) (bool, error) {
	switch {
	case t.take == nil || t.give != nil || len(t.start) > 0 || !t.excludes() || t.second.IsError():
		return false, nil
	case t.calledLimiter() || callsItself.MatchString(t.take.Name) || slices.ContainsFunc(t.take.calls, t.take.setsNew) || slices.ContainsFunc(t.take.calls, t.take.renews):
		return false, nil
	}
	if t.permitsMade(ctx) != "" {
		return false, nil
	}
	const ever = 10 * 365 * 24 * time.Hour
	if t.looksGranted(t.callAfter(ctx, ever)) {
		return false, nil
	}
	if counts(t.toldBy()) {
		return false, fact.Of("draft-only-counts", t.take.File, t.take.Line, t.take.Name)
	}
	return true, nil
}

// remembers tells whether a script keeps what a request did, and refuses nobody but the same request.
func (t tried) remembers() bool {
	return t.take != nil && t.give == nil && len(t.start) == 0 && t.excludes() &&
		namedIdempotent.MatchString(t.take.Source) && !callsItself.MatchString(t.take.Name)
}

// tellsFirst tells whether a script keeps what the first client gave it and answers that to everybody, as what makes an ID
// once does: the answers differ in the client's own name alone, and nothing says that it was to be a lock.
func (t tried) tellsFirst() bool {
	return t.take != nil && t.give == nil && len(t.start) == 0 && !namedLeads.MatchString(t.take.Name) && !callsItself.MatchString(t.take.Name) &&
		!slices.ContainsFunc(t.take.calls, t.take.setsNew) && !t.first.Equal(t.second) && ofOwn(t.second, "A").Equal(t.first)
}

var namedLeads = regexp.MustCompile(`lead|elect|owner|master|campaign|claim|lease|reserv|semaphore|mutex`)

var namedIdempotent = regexp.MustCompile(`(?i)idempoten`)

// once tells whether whoever gets it keeps it.
func (d *drafted) once() bool { return d.kept || d.sells() }

// claim makes the lesson one of a queue with one job, or of what one client alone gets for good: one thing in a stock, or a
// name in a register.
func (d *drafted) claim(ctx context.Context) (err error) {
	if d.kept, err = d.keeps(ctx); err != nil {
		return err
	}
	called := claimKeys
	switch {
	case d.kept:
		called = keptKeys
	case len(d.start) == 0 || d.permits():
		return nil
	case d.sells():
		called = stockKeys
	}
	renamed := func(key string) string {
		if rest, ok := strings.CutPrefix(key, lockKey); ok {
			return called + rest
		}
		return key
	}
	for i, name := range d.take.names {
		d.take.names[i] = renamed(name)
	}
	d.start = slices.Clone(d.start)
	for i, g := range d.start {
		d.start[i].key, d.start[i].other = renamed(g.key), renamed(g.other)
	}
	d.extend = nil
	switch {
	case d.kept:
		d.doubt(fact.Of("draft-keeps", d.take.Name))
	case d.sells():
		d.doubt(fact.Of("draft-sells", d.take.Name, d.start[0].key))
	default:
		d.doubt(fact.Of("draft-claims", d.take.Name, d.jobs()))
	}
	d.answers, err = ask(ctx, d.take, nil, d.start) // which may name the keys
	d.tried = d.oversold(ctx)
	return err
}

// gotLua is what a client writes down that has got it.
const gotLua = `redis.call("SET", "got:" .. me, 1)`

// onlyOne is the rule of what one client alone gets.
func onlyOne() []string {
	return []string{
		"invariants:",
		"  - name: one-gets-it",
		`    lua: '(get("got:A") or 0) + (get("got:B") or 0) <= 1'`,
		`    say: {en: "Two got it, and one was to.", zh: "只该给一个，却给了两个。"}`,
	}
}

// section is what one client alone may be in.
func (d *drafted) section() string {
	switch {
	case d.kept:
		return keptKeys
	case d.sells():
		return stockKeys
	case d.jobs() != "":
		return claimSection
	}
	return cmp.Or(d.made, lockKey)
}
