package draft

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// The key of the limiter, in place of lockKey.
const limitKey = "limit"

var namedLimits = regexp.MustCompile(`(^|[^a-z])rate|limit|throttl|bucket|window|quota`)

// limits tells whether a script counts calls in a span of time, and is no lock: nobody gives back what it counts, and it names
// nobody or answers how many there were.
func (t tried) limits() bool {
	if t.take == nil || t.give != nil || len(t.start) > 0 && !t.permits() || !t.excludes() || t.second.IsError() && !t.calledLimiter() {
		return false
	}
	return t.calledLimiter() || (!slices.Contains(t.take.roles, token) || counts(t.toldBy())) && !callsItself.MatchString(t.take.Name)
}

// calledLimiter tells whether a script or its file is called a limiter, or says that it is one, in a comment perhaps: what is
// pasted has no name.
func (t tried) calledLimiter() bool {
	return namedLimits.MatchString(strings.ToLower(path.Base(t.take.File))) || namedLimits.MatchString(t.take.Name) ||
		!callsItself.MatchString(t.take.Name) && saysLimits.MatchString(t.take.Source)
}

var saysLimits = regexp.MustCompile(`(?i)限流|滑动窗口|令牌桶|漏桶|rate.?limit|throttl|sliding.?window|(token|leaky).?bucket`)

// The longest span of a limiter that is looked for.
const longest = 24 * time.Hour

// spanOf is how long after a first call a second one passes; 0: not within a day.
func spanOf(ctx context.Context, t tried) time.Duration {
	passes := func(after time.Duration) bool { return t.looksGranted(t.callAfter(ctx, after)) }
	never, most := time.Duration(0), 100*time.Millisecond
	for !passes(most) {
		if never, most = most, 2*most; most > longest {
			return 0
		}
	}
	for most-never > time.Millisecond {
		if middle := (never + most) / 2; passes(middle) {
			most = middle
		} else {
			never = middle
		}
	}
	return rounded(most.Round(time.Millisecond))
}

// rounded is a span without the millisecond or two that comparisons and fractions add to it.
func rounded(span time.Duration) time.Duration {
	const tenth, more = 100 * time.Millisecond, 2 * time.Millisecond
	if floor := span.Truncate(tenth); floor > 0 && span-floor <= more {
		return floor
	}
	return span
}

// A limiter whose span is outside of these was given milliseconds for seconds: its time, or its window.
const (
	shortest = 10 * time.Millisecond
	usual    = time.Hour
)

// spanInSeconds is the span of a limiter, with the roles under which it was found. A span outside of shortest and usual
// says that a unit was guessed wrongly: then the times, or the window, are passed in seconds instead of milliseconds.
func spanInSeconds(ctx context.Context, t tried) (tried, time.Duration) {
	span := spanOf(ctx, t)
	if shortest <= span && span <= usual {
		return t, span
	}
	seconds := map[role]role{lease: leaseS}
	if 0 < span && span < shortest {
		seconds = map[role]role{now: nowS, deadline: deadlineS}
	}
	take := *t.take
	take.roles = slices.Clone(take.roles)
	for i, is := range take.roles {
		if s, ok := seconds[is]; ok && !saysMillis.MatchString(take.named[place{true, i + 1}]) {
			take.roles[i] = s
		}
	}
	other := tried{take: &take}
	if other.answers, other.problem = ask(ctx, &take, nil, nil); other.problem != nil || !other.excludes() {
		return withSpan(ctx, t, span)
	}
	if better := spanOf(ctx, other); shortest <= better && better <= usual {
		return other, better
	}
	return withSpan(ctx, t, span)
}

// withSpan takes an argument of which nothing is known, or only that it is a number, for the span of a limiter, or passes no
// burst in place of a limit, which some count beyond the first call, if that makes its span a usual one.
func withSpan(ctx context.Context, t tried, span time.Duration) (tried, time.Duration) {
	for i, is := range t.take.roles {
		guesses := []role{lease, leaseS}
		switch {
		case is == limit:
			guesses = []role{none}
		case is != unknown && is != number:
			continue
		}
		for _, guess := range guesses {
			other := tried{take: t.take.with(i, guess)}
			if other.answers, other.problem = ask(ctx, other.take, nil, nil); other.problem != nil || !other.excludes() {
				continue
			}
			if better := spanOf(ctx, other); shortest <= better && better <= usual {
				return other, better
			}
		}
	}
	return t, span
}

var saysMillis = regexp.MustCompile(`(?i)milli|ms$`)

// callAfter is what a second client is told some time after a first one has called.
func (t tried) callAfter(ctx context.Context, after time.Duration) reply.Reply {
	on := t.held(ctx)
	on.advance(ctx, after)
	return on.run(ctx, t.take, "B")
}

// looksGranted tells whether r says yes as the first reply did: it is equal in what tells a yes from a no, or is a count
// that has not grown.
func (t tried) looksGranted(r reply.Reply) bool {
	first, second := t.first, t.second
	if i := t.telling(); first.Kind == reply.Array && second.Kind == reply.Array && i >= 0 && i < len(r.Elems) {
		first, second, r = first.Elems[i], second.Elems[i], r.Elems[i]
	}
	return r.Equal(first) || counts(first, second) && !counts(first, r) || isInstant(first) && !isInstant(second) && isInstant(r)
}

// counts tells whether replies to two calls are the number of calls so far: it grows, from a number above 0. The client
// compares it with its limit; a trial takes the first reply for that.
func counts(first, second reply.Reply) bool {
	one, isOne := numberOf(first)
	two, isTwo := numberOf(second)
	return isOne && isTwo && one > 0 && two > one
}

// instants tells whether replies to two calls are when each may go on: times since 1970, the second later.
func instants(first, second reply.Reply) bool {
	return isInstant(first) && counts(first, second)
}

// isInstant tells whether a reply is a time since 1970.
func isInstant(r reply.Reply) bool {
	n, _ := numberOf(r)
	return n >= float64(engine.EpochMillis(0)/1000)
}

func numberOf(r reply.Reply) (float64, bool) {
	if r.Kind == reply.Int {
		return float64(r.Int), true
	}
	n, err := strconv.ParseFloat(r.Str, 64)
	return n, err == nil
}

// shifted is a value for a trial some time after it has begun.
func shifted(r role, value string, by time.Duration) string {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
		return value
	case r == now || r == deadline || r == cutoff:
		return strconv.FormatInt(int64(n)+by.Milliseconds(), 10)
	case r == nowWholeS || r == deadlineS:
		return strconv.FormatInt(int64(n)+int64(by.Seconds()), 10)
	case r == nowS:
		return strconv.FormatFloat(n+by.Seconds(), 'f', 3, 64)
	}
	return value
}

// limit makes the lesson one of a limiter: whoever passes makes a call, which leaves a key for the span.
func (d *drafted) limit(ctx context.Context) {
	if d.kept || !d.limits() {
		return
	}
	d.take.windows = d.take.windowsOf()
	t, span := spanInSeconds(ctx, d.tried)
	if span == 0 {
		d.forever = !slices.Contains(d.take.roles, token)
		return
	}
	d.take.roles, d.answers = t.take.roles, t.answers
	asked := d.tried
	asked.refused = true
	again := spanOf(ctx, asked)
	on := d.held(ctx)
	due, ends := on.node.NextDue()
	const step = 100 * time.Millisecond // of a lesson's clock, unless it says otherwise
	fits := func(steps time.Duration) bool { return (!ends || due%steps == 0) && span%steps == 0 }
	switch {
	case !fits(step):
		d.steps = time.Millisecond
	case d.take.current > 0 && fits(time.Second): // each instant is a state, since the names of keys come of it
		d.steps = time.Second
	}
	d.span, d.extend = span, nil
	for i, name := range d.take.names {
		d.take.names[i] = limitKey + strings.TrimPrefix(name, lockKey)
	}
	if d.take.current > 0 { // whoever called at the beginning of a window may wait for the end of the next one
		d.span = min(span, windowSize)
		d.doubt(fact.Of("draft-limits-windows", d.take.Name, engine.FormatSpan(d.span)))
	} else {
		d.doubt(fact.Of("draft-limits", d.take.Name, engine.FormatSpan(span)))
	}
	if d.take.cutsOld() && span < leaseMS*time.Millisecond {
		d.doubt(fact.Of("draft-forgets", d.take.Name, engine.FormatSpan(leaseMS*time.Millisecond), engine.FormatSpan(span)))
	}
	if d.countsInstants(ctx) {
		d.doubt(fact.Of("draft-counts-instants", d.take.Name))
	}
	if d.savesUp(ctx) {
		d.doubt(fact.Of("draft-saves-up", d.take.Name, engine.FormatSpan(10*d.span)))
	}
	if d.take.current == 0 && 0 < again && again < span {
		d.again = (again + step - 1).Truncate(step)
		d.doubt(fact.Of("draft-asks-again", d.take.Name, engine.FormatSpan(again)))
	}
	if d.take.current == 0 && d.take.keys > 1 && d.take.cutsTime() {
		d.doubt(fact.Of("draft-keys-of-windows", d.take.Name))
	}
	if slices.Contains(d.take.roles, nowS) {
		d.doubt(fact.Of("draft-seconds", d.take.Name))
	}
}

// cutsOld tells whether the script removes by their scores what is older than a span that it is given.
func (c *candidate) cutsOld() bool {
	return slices.ContainsFunc(c.calls, func(call call) bool {
		return call.name == "zremrangebyscore" && len(call.args) > 2 && slices.ContainsFunc(c.uses(call.args[2]), func(u use) bool {
			return u.arg && u.taken && (c.roles[u.n-1] == lease || c.roles[u.n-1] == leaseS)
		})
	})
}

// limited is the program of a client that asks in lines, and once more where a refusal makes it pass too soon.
func (d *drafted) limited(lines []string, condition string) string {
	refusal := fmt.Sprintf("  refused(%q)", limitKey)
	if d.again == 0 {
		return strings.Join(append(lines, "if "+condition+" then", "  "+d.passedLua(), "else", refusal, "end"), "\n")
	}
	body := append(lines, "if "+condition+" then", "  "+d.passedLua(), "  break", "end", refusal[2:], fmt.Sprintf("sleep(%q)", engine.FormatSpan(d.again)))
	return "for try = 1, 2 do\n  " + strings.Join(body, "\n  ") + "\nend"
}

// passedLua is the call that a client makes when the limiter lets it pass: a key of the client's that lasts for the span,
// so that onePerSpan can count the calls in one span.
func (d *drafted) passedLua() string {
	return fmt.Sprintf(`redis.call("SET", "call:" .. me, 1, "PX", %d)`, d.span.Milliseconds())
}

// onePerSpan is the rule of a limiter.
func (d *drafted) onePerSpan() []string {
	span := engine.FormatSpan(d.span)
	return []string{
		"invariants:",
		"  - name: one-call-per-span",
		`    lua: '(get("call:A") or 0) + (get("call:B") or 0) <= 1'`,
		fmt.Sprintf("    say: {en: %q, zh: %q}", "Two calls were made within "+span+".", span+" 之内调用了两次。"),
	}
}
