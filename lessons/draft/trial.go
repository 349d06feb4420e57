package draft

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/node/redis"
)

// answers are what two clients were told that wanted the lock in turn.
type answers struct {
	first, second reply.Reply // while nobody had it, and while the first had it
	later         reply.Reply // to the second, after the first had given it back
	released      bool        // there is a script that gives it back
}

// trial runs the scripts on a server.
type trial struct {
	node  *redis.Node
	later time.Duration // than the trial has begun
}

func (t trial) run(ctx context.Context, c *candidate, client string) (reply.Reply, error) {
	op := engine.Op{Args: []string{"SET", lockKey, client, "NX", "PX", strconv.Itoa(leaseMS)}}
	if c != nil {
		op = engine.Op{Script: &engine.Script{Name: c.Name, Source: c.Source}, Keys: c.keysAt(t.later)}
		for i := range c.roles {
			op.Args = append(op.Args, shifted(c.roles[i], c.value(i, client), t.later))
		}
	}
	result, err := t.node.Exec(ctx, op)
	return ofOwn(result.Reply, client), err
}

// own stands in a reply for the name of the client that gets it, which programs call so. Without it, a lock that says to
// everybody that it is theirs would seem to say something else to the second.
const own = "me"

func ofOwn(r reply.Reply, client string) reply.Reply {
	if r.Str == client {
		r.Str = own
	}
	r.Elems = slices.Clone(r.Elems)
	for i := range r.Elems {
		r.Elems[i] = ofOwn(r.Elems[i], client)
	}
	return r
}

// value is what a client passes for one of ARGV when the scripts are tried.
func (c *candidate) value(i int, client string) string {
	if c.roles[i] == fixed {
		return c.fixed[i+1]
	}
	if c.roles[i] == drawn {
		return strconv.Itoa(int(client[0]))
	}
	return cmp.Or(rows[c.roles[i]].tried, client)
}

// ask is what two clients are told. Without permits the server is empty at first.
func ask(ctx context.Context, take, give *candidate, permits bool) (a answers, err error) {
	t := trial{node: redis.NewNode()}
	if permits {
		if _, err := t.node.Exec(ctx, engine.Op{Args: []string{"SET", lockKey, "1"}}); err != nil {
			return a, err
		}
	}
	type call struct {
		c      *candidate
		client string
		to     *reply.Reply
	}
	calls := []call{{take, "A", &a.first}, {take, "B", &a.second}}
	if give != nil {
		calls = append(calls, call{give, "A", new(reply.Reply)}, call{take, "B", &a.later})
	}
	for i, s := range calls {
		if *s.to, err = t.run(ctx, s.c, s.client); err != nil {
			return a, err
		}
		if s.c != nil && strings.HasPrefix(s.to.Str, "REFUSED math.random on") {
			return a, fact.Of("draft-random", s.c.File, s.c.Line, s.c.Name)
		}
		if s.to.IsError() && s.c != nil && (i != 1 || strings.Contains(s.to.Str, "user_script:")) { // the second may be refused by an error of the script's own
			if n := s.c.decoded(); n > 0 {
				return a, fact.Of("draft-decodes", s.c.File, s.c.Line, s.c.Name, fmt.Sprintf("ARGV[%d]", n))
			}
			return a, fact.Of("draft-failed", s.c.File, s.c.Line, s.c.Name, hashed.ReplaceAllString(s.to.Str, ""))
		}
	}
	a.released = give != nil
	return a, nil
}

// hashed is what Redis says of a script behind its error.
var hashed = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script:[0-9]+\.$`)

// freesAnothers tells whether a client that does not have the lock can give it back, and then take it: tried, because
// no rule about who is inside tells such a release from a right one after a pause.
func freesAnothers(ctx context.Context, take, give *candidate, refusal reply.Reply) (bool, error) {
	t := trial{node: redis.NewNode()}
	for _, s := range []struct {
		c      *candidate
		client string
	}{{take, "A"}, {give, "B"}} {
		if _, err := t.run(ctx, s.c, s.client); err != nil {
			return false, err
		}
	}
	got, err := t.run(ctx, take, "B")
	return !got.IsError() && !got.Equal(refusal), err
}

// endsAlone tells whether a lock is free in the end though no key of it has a TTL: the scripts compare instants.
func (t tried) endsAlone(ctx context.Context) (bool, error) {
	on := trial{node: redis.NewNode()}
	if _, err := on.run(ctx, t.take, "A"); err != nil {
		return false, err
	}
	if _, has := on.node.NextDue(); has {
		return false, nil
	}
	r, err := t.callAfter(ctx, longest)
	return !r.IsError() && t.looksGranted(r), err
}

// excludes tells whether the second was told something else than the first, and not only that less is left.
func (a answers) excludes() bool {
	first, second := a.first, a.second
	if i := a.telling(); i >= 0 {
		first, second = first.Elems[i], second.Elems[i]
	}
	one, isOne := numberOf(first)
	two, isTwo := numberOf(second)
	return !a.first.Equal(a.second) && !(isOne && isTwo && two > 0 && two == one-1)
}

// frees tells whether the lock could be taken after it had been given back.
func (a answers) frees() bool { return a.released && !a.later.Equal(a.second) }

// condition tells in a program whether the reply means that the lock was taken.
func (a answers) condition() string {
	if a.second.IsError() {
		return "took"
	}
	if a.first.Kind == reply.Array && a.second.Kind == reply.Array {
		if i := a.telling(); i >= 0 {
			f, s := a.first.Elems[i], a.second.Elems[i]
			return told(fmt.Sprintf("reply[%d]", i+1), f, s, !a.released || i < len(a.later.Elems) && f.Equal(a.later.Elems[i]))
		}
		return fmt.Sprintf("#reply == %d", len(a.first.Elems))
	}
	return told("reply", a.first, a.second, !a.released || a.first.Equal(a.later))
}

// telling is the place in a list that tells a yes from a no: where one of them is nothing, else the first that is not
// the same number or text in both; -1: there is none.
func (a answers) telling() int {
	nothing := func(r reply.Reply) bool { return r.Kind == reply.Nil || r.Kind == reply.Int && r.Int == 0 }
	differs := -1
	for i := range min(len(a.first.Elems), len(a.second.Elems)) {
		f, s := a.first.Elems[i], a.second.Elems[i]
		one, isOne := numberOf(f)
		two, isTwo := numberOf(s)
		switch {
		case f.Equal(s) || isOne && isTwo && one == two:
		case nothing(f) != nothing(s):
			return i
		case differs < 0:
			differs = i
		}
	}
	return differs
}

// told: the same reply each time is compared with; else whatever is no refusal will do.
func told(what string, yes, no reply.Reply, steady bool) string {
	switch {
	case counts(yes, no) && yes.Kind == reply.Int:
		return what + " <= " + literalOf(yes)
	case counts(yes, no):
		return "tonumber(" + what + ") <= " + yes.Str
	case yes.Kind == reply.Nil:
		return what + " == nil"
	case no.Kind == reply.Nil:
		return what + " ~= nil"
	case steady && yes.Kind != reply.Array:
		return what + " == " + literalOf(yes)
	case no.Kind == reply.Array:
		return "type(" + what + `) ~= "table"`
	}
	return what + " ~= " + literalOf(no)
}

func literalOf(r reply.Reply) string {
	switch {
	case r.Str == own:
		return own
	case r.Kind == reply.Int:
		return strconv.FormatInt(r.Int, 10)
	}
	return strconv.Quote(r.Str)
}

// tried is a pair of scripts with what came of it.
type tried struct {
	take, give *candidate
	answers
	permits bool // the key of the lock is 1 at first
	problem error
}

// worth orders what came of pairs.
func (t tried) worth() int {
	switch {
	case t.problem != nil:
		return 0
	case !t.excludes():
		return 1
	case t.give == nil:
		return 2
	case !t.frees() && namedLimits.MatchString(t.take.Name): // what stands beside a limiter gives back something else
		return 1
	case !t.frees():
		return 3
	case t.permits:
		return 4
	}
	return 5
}

// rank is the worth, with the names: what is called acquire takes the lock, though something else can be taken, too.
func (t tried) rank() int {
	if t.take != nil && t.worth() > 1 && callsItself.MatchString(t.take.Name) {
		return t.worth() + 2
	}
	return t.worth()
}

var callsItself = regexp.MustCompile(`(^|[^n])lock|acquire|obtain|enter|take`)

// try runs a pair, with other values where the script does not tell what a value is for: a number, a name, a key or a span. A
// semaphore wants to be given its permits first.
func try(ctx context.Context, take, give *candidate) tried {
	var best tried
	var roles []role // that did best
	look := func(permits bool) bool {
		a, err := ask(ctx, take, give, permits)
		t := tried{take, give, a, permits, err}
		if permits && !t.excludes() { // what is 1 at first hid why it failed
			return false
		}
		if roles == nil || t.worth() > best.worth() {
			best, roles = t, rolesOf(take, give)
		}
		return best.worth() > 3 || give == nil && best.worth() == 2
	}
	defer func() { setRoles(roles, take, give) }()
	if look(false) || look(true) {
		return best
	}
	for _, c := range []*candidate{take, give} {
		if c == nil {
			continue
		}
		for i, was := range c.roles {
			others := []role{token, number, lease, now, leaseS}
			switch namedKey := strings.HasSuffix(strings.ToLower(c.named[place{true, i + 1}]), "key"); {
			case was == token && best.problem == nil && namedKey:
				others = []role{keyName}
			case was != unknown && was != number && was != limit && (was != token || best.problem == nil):
				continue
			}
			for _, is := range others {
				c.roles[i] = is
				if look(false) {
					return best
				}
			}
			c.roles[i] = was
		}
	}
	return best
}

func rolesOf(all ...*candidate) []role {
	roles := []role{}
	for _, c := range all {
		if c != nil {
			roles = append(roles, c.roles...)
		}
	}
	return roles
}

func setRoles(roles []role, all ...*candidate) {
	for _, c := range all {
		if c != nil {
			roles = roles[copy(c.roles, roles):]
		}
	}
}
