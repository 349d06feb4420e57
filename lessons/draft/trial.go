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
	"lockstep/luaexec/syntax"
	"lockstep/node/redis"
)

// answers are the replies to two clients, the second of which wants the lock while the first has it.
type answers struct {
	first, second reply.Reply
	later         reply.Reply // to the second once more, after the first has given the lock back
	released      bool        // a script gives it back; else there is no later
	recovered     bool        // whoever takes it after its end is told another yes
}

// trial runs the scripts on a server.
type trial struct {
	node  *redis.Node
	since time.Duration // its beginning
}

func (t trial) run(ctx context.Context, c *candidate, client string) (reply.Reply, error) {
	result, err := t.node.Exec(ctx, t.op(c, client))
	return ofOwn(result.Reply, client), err
}

// op is what a client sends.
func (t trial) op(c *candidate, client string) engine.Op {
	if c == nil {
		return engine.Op{Args: []string{"SET", lockKey, client, "NX", "PX", strconv.Itoa(leaseMS)}}
	}
	op := engine.Op{Script: &engine.Script{Name: c.Name, Source: c.Source}, Keys: slices.Clone(c.keysAt(t.since))}
	for n, is := range c.values {
		op.Keys[n-1] = shifted(is, cmp.Or(rows[is].tried, client), t.since)
	}
	for i := range c.roles {
		op.Args = append(op.Args, shifted(c.roles[i], c.value(i, client), t.since))
	}
	return op
}

// own replaces the name of the client in its replies, as programs call it. Otherwise a script that returns the caller's
// name to everybody would seem to refuse the second client.
const own = "me"

// It may stand among other things, as in A@@10000, but not within a word.
func ofOwn(r reply.Reply, client string) reply.Reply {
	r.Str = word(client).ReplaceAllString(r.Str, own)
	r.Elems = slices.Clone(r.Elems)
	for i := range r.Elems {
		r.Elems[i] = ofOwn(r.Elems[i], client)
	}
	return r
}

func word(client string) *regexp.Regexp { return regexp.MustCompile(`\b` + client + `\b`) }

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

// ask makes the calls of answers on a fresh server: take by A and by B and, with a script give, give by A and take by B.
// Without a script take the lock is taken by SET NX. The error is a fact if a script fails.
func ask(ctx context.Context, take, give *candidate, at start) (a answers, err error) {
	t, err := begin(ctx, at)
	if err != nil {
		return a, err
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
			if what := s.c.decoded(); what != "" {
				return a, fact.Of("draft-decodes", s.c.File, s.c.Line, s.c.Name, what)
			}
			if name := undefined.FindStringSubmatch(s.to.Str); name != nil {
				return a, fact.Of("draft-defined-elsewhere", s.c.File, s.c.Line, s.c.Name, name[1])
			}
			if name := s.c.global(); name != "" && strings.Contains(s.to.Str, "readonly table") {
				return a, fact.Of("draft-global", s.c.File, s.c.Line, s.c.Name, name)
			}
			return a, fact.Of("draft-failed", s.c.File, s.c.Line, s.c.Name, hashed.ReplaceAllString(s.to.Str, ""))
		}
	}
	a.released = give != nil
	return a, nil
}

// global is a variable that the script assigns and does not declare; empty: there is none.
func (c *candidate) global() string {
	for _, s := range c.tree.Statements {
		for _, t := range s.Targets {
			if t.Kind == syntax.Variable && t.Local == nil {
				return t.Text
			}
		}
	}
	return ""
}

// undefined matches the error of Redis about a name that a script does not define, with the name.
var undefined = regexp.MustCompile(`nonexistent global variable '(\w+)'`)

// hashed matches what Redis appends to an error of a script: its hash and the line.
var hashed = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script:[0-9]+\.$`)

// begin is a trial on a fresh server.
func begin(ctx context.Context, at start) (trial, error) {
	t := trial{node: redis.NewNode()}
	for _, g := range at {
		if _, err := t.node.Exec(ctx, engine.Op{Args: g.command()}); err != nil {
			return t, err
		}
	}
	return t, nil
}

// has tells whether a key is there.
func (t trial) has(ctx context.Context, key string) (bool, error) {
	is, err := t.node.Exec(ctx, engine.Op{Args: []string{"EXISTS", key}})
	return is.Reply.Int > 0, err
}

// freesAnothers tells whether a client that does not have the lock can give it back, so that its key is gone or the client can
// take it: tried, because no rule about who is inside tells such a release from a right one after a pause.
func freesAnothers(ctx context.Context, take, give *candidate, key string, refusal reply.Reply) (bool, error) {
	t, err := tried{take: take}.held(ctx)
	if err != nil {
		return false, err
	}
	before, err := t.has(ctx, key)
	if err != nil {
		return false, err
	}
	if _, err := t.run(ctx, give, "B"); err != nil {
		return false, err
	}
	if after, err := t.has(ctx, key); err != nil || before && !after {
		return err == nil, err
	}
	got, err := t.run(ctx, take, "B")
	return !got.IsError() && !got.Equal(refusal), err
}

// nested is what is wrong with a lock that counts how often its holder has taken it, when it is taken twice: it must be given
// back as often. It is empty where nothing is, or the lock does not count.
func (t tried) nested(ctx context.Context) ([]fact.Fact, error) {
	counts := func(c *candidate) bool {
		return slices.ContainsFunc(c.calls, func(c call) bool { return strings.Contains(c.name, "incr") || strings.Contains(c.name, "decr") })
	}
	if t.take == nil || len(t.start) > 0 || !counts(t.take) || !counts(t.give) {
		return nil, nil
	}
	on, err := t.held(ctx)
	if err != nil {
		return nil, err
	}
	taken := func(client string) (bool, error) {
		r, err := on.run(ctx, t.take, client)
		return !r.IsError() && !r.Equal(t.second), err
	}
	given := func() (bool, error) { // whether B gets it then
		if _, err := on.run(ctx, t.give, "A"); err != nil {
			return false, err
		}
		return taken("B")
	}
	if again, err := taken("A"); err != nil || !again {
		return nil, err
	}
	if free, err := given(); err != nil || free {
		return []fact.Fact{fact.Of("draft-frees-nested", t.take.Name, t.give.Name)}, err
	}
	if free, err := given(); err != nil || !free {
		return []fact.Fact{fact.Of("draft-keeps-nested", t.take.Name, t.give.Name)}, err
	}
	return nil, nil
}

// extendsAnothers tells whether a client that does not have the lock can extend the lease of the one that has it. Members of
// a set have leases of their own, which the key outlives.
func (d *drafted) extendsAnothers(ctx context.Context) (bool, error) {
	on, err := d.held(ctx)
	if err != nil {
		return false, err
	}
	const later = time.Second
	if _, err := on.node.AdvanceTo(ctx, later); err != nil {
		return false, err
	}
	on.since = later
	var spans []int64
	for _, args := range [][]string{{"TYPE", d.section()}, {"PTTL", d.section()}, nil, {"PTTL", d.section()}} {
		if args == nil {
			if _, err := on.run(ctx, d.extend, "B"); err != nil {
				return false, err
			}
			continue
		}
		is, err := on.node.Exec(ctx, engine.Op{Args: args})
		if err != nil || is.Reply.Str == "zset" {
			return false, err
		}
		spans = append(spans, is.Reply.Int)
	}
	return spans[1] > 0 && spans[2] > spans[1], nil
}

// lookAtKeys finds the key that is the lock: where lockKey is not there, the one without which the second client gets the lock,
// or else the shortest that is made of it. An address in a key is doubted.
func (d *drafted) lookAtKeys(ctx context.Context) error {
	if d.take == nil {
		return nil
	}
	on, err := d.held(ctx)
	if err != nil {
		return err
	}
	all, err := on.node.Exec(ctx, engine.Op{Args: []string{"KEYS", "*"}})
	if err != nil {
		return err
	}
	var keys []string
	for _, key := range all.Reply.Elems {
		has, err := on.node.Exec(ctx, engine.Op{Args: []string{"GET", key.Str}})
		if err != nil {
			return err
		}
		if address.MatchString(has.Reply.Str) {
			d.doubt(fact.Of("draft-address", d.take.Name, key.Str))
		}
		if strings.Contains(key.Str, lockKey) {
			keys = append(keys, key.Str)
		}
	}
	if len(keys) == 0 || slices.Contains(keys, lockKey) {
		return nil
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	d.made = keys[0]
	for _, key := range keys {
		on, err := d.held(ctx)
		if err != nil {
			return err
		}
		if _, err := on.node.Exec(ctx, engine.Op{Args: []string{"DEL", key}}); err != nil {
			return err
		}
		r, err := on.run(ctx, d.take, "B")
		if err != nil {
			return err
		}
		if !r.IsError() && !r.Equal(d.second) {
			d.made = key
			break
		}
	}
	return nil
}

// address is what a table or a function is as a text.
var address = regexp.MustCompile(`^(table|function): 0x`)

// notGiven is why a script gives back no lock that SET makes, where none takes one; nil: it does. What deletes whatever is
// there is a release only if it is called so, or chosen.
func (t tried) notGiven(ctx context.Context, chosen bool) error {
	if !t.frees() {
		return fact.Of("draft-gives-nothing", t.give.File, t.give.Line, t.give.Name)
	}
	if chosen || namedFrees.MatchString(t.give.Name) {
		return nil
	}
	if frees, err := freesAnothers(ctx, nil, t.give, lockKey, t.second); err != nil || !frees {
		return err
	}
	return fact.Of("draft-no-lock", fact.Names{t.give.Name})
}

var namedFrees = regexp.MustCompile(`lock|releas|free|relinquish|resign|leave`)

// held is a trial on a fresh server in which A has called the script take.
func (t tried) held(ctx context.Context) (trial, error) {
	on, err := begin(ctx, t.start)
	if err == nil {
		_, err = on.run(ctx, t.take, "A")
	}
	if err == nil && t.refused {
		_, err = on.run(ctx, t.take, "B")
	}
	return on, err
}

// permitsMade is a list that a script makes and nobody's name is in, as a semaphore does before its clients take from it by
// BLPOP; empty: it makes none.
func (t tried) permitsMade(ctx context.Context) (string, error) {
	if t.take == nil || t.give != nil || len(t.start) > 0 || !t.excludes() || slices.Contains(t.take.roles, token) {
		return "", nil
	}
	on, err := t.held(ctx)
	if err != nil {
		return "", err
	}
	for _, key := range t.take.names {
		is, err := on.node.Exec(ctx, engine.Op{Args: []string{"TYPE", key}})
		if err != nil || is.Reply.Str == "list" {
			return key, err
		}
	}
	return "", nil
}

// endsAlone looks at a lock whose keys have no TTL: whether it is free in the end all the same, since the scripts compare
// instants, or never.
func (d *drafted) endsAlone(ctx context.Context) error {
	on, err := d.held(ctx)
	if err != nil {
		return err
	}
	if _, has := on.node.NextDue(); has {
		return nil
	}
	r, err := d.callAfter(ctx, longest)
	granted := d.looksGranted(r)
	d.recovered = !granted && !r.IsError() && d.differs(r)
	d.noTTL = granted && !r.IsError() || d.recovered
	d.forGood = !d.noTTL
	return err
}

// differs tells whether a reply says something else than the refusal, which says the same each time: it is no number above 0,
// as what is left of a lease is.
func (a answers) differs(r reply.Reply) bool {
	_, refusal := a.toldBy()
	if i := a.telling(); i >= 0 && i < len(r.Elems) {
		r = r.Elems[i]
	}
	n, isNumber := numberOf(refusal)
	return refusal.Kind == r.Kind && !r.Equal(refusal) && !(isNumber && n > 0)
}

// excludes tells whether the second client was refused: the replies differ, and by more than a count of what is left or when
// each may go on.
func (a answers) excludes() bool {
	first, second := a.toldBy()
	one, isOne := numberOf(first)
	two, isTwo := numberOf(second)
	return !a.first.Equal(a.second) && !(isOne && isTwo && two > 0 && two == one-1) && !instants(first, second)
}

// toldBy are the parts of the two replies that say yes or no.
func (a answers) toldBy() (first, second reply.Reply) {
	if i := a.telling(); i >= 0 {
		return a.first.Elems[i], a.second.Elems[i]
	}
	return a.first, a.second
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
			return told(fmt.Sprintf("reply[%d]", i+1), f, s, !a.recovered && (!a.released || i < len(a.later.Elems) && f.Equal(a.later.Elems[i])))
		}
		return fmt.Sprintf("#reply == %d", len(a.first.Elems))
	}
	return told("reply", a.first, a.second, !a.recovered && (!a.released || a.first.Equal(a.later)))
}

// telling is the index of the element by which lists of replies say yes or no: the first that is nothing (nil or 0) in one
// of them alone, else the first that differs; -1: there is none.
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

// told is a condition in Lua on what, an expression for a reply: true of yes, and false of no. If yes is steady, the same
// each time, nothing else is a yes; else everything but no is.
func told(what string, yes, no reply.Reply, steady bool) string {
	switch {
	case counts(yes, no) && yes.Kind == reply.Int:
		return what + " <= " + literalOf(yes)
	case counts(yes, no):
		return "tonumber(" + what + ") <= " + yes.Str
	case yes.Kind == reply.Nil:
		return what + " == nil"
	case namesOwner(yes) && no.Str != "":
		return fmt.Sprintf("%s:find(%s, 1, true) ~= nil", what, ownIn(yes.Str))
	case no.Kind == reply.Nil:
		return what + " ~= nil"
	case steady && yes.Kind != reply.Array && !isInstant(yes):
		return what + " == " + literalOf(yes)
	case no.Kind == reply.Array:
		return "type(" + what + `) ~= "table"`
	}
	return what + " ~= " + literalOf(no)
}

// namesOwner tells whether the client's name stands in a text, among other things.
func namesOwner(r reply.Reply) bool { return r.Str != own && word(own).MatchString(r.Str) }

// ownIn is the client's name in a program, with the signs that stand beside it in a text.
func ownIn(text string) string {
	at := word(own).FindStringIndex(text)
	lua := own
	if before := text[max(0, at[0]-1):at[0]]; before != "" {
		lua = strconv.Quote(before) + " .. " + lua
	}
	if after := text[at[1]:min(len(text), at[1]+1)]; after != "" {
		lua += " .. " + strconv.Quote(after)
	}
	return lua
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
	start
	problem error
	both    bool // of what sells one thing to both clients: second is what it says when there is nothing
	refused bool // trials of a held lock begin after the second client's first try
}

// worth orders pairs by what came of their trials.
type worth uint8

// The worths, the worst first.
const (
	fails        worth = iota // a script fails
	admitsAll                 // the second client is not refused, or give is no release
	onlyTakes                 // there is no script give
	staysTaken                // give does not free the lock
	wantsPermits              // it is a lock once its key is 1
	works                     // it is a lock
)

func (t tried) worth() worth {
	switch {
	case t.problem != nil:
		return fails
	case !t.excludes():
		return admitsAll
	case t.give == nil:
		return onlyTakes
	case counts(t.toldBy()) && counts(t.second, t.later): // each gets a number of its own
		return admitsAll
	case !t.frees() && (t.give.OfCode || t.take != nil && (namedLimits.MatchString(t.take.Name) || t.take.apart(t.give))): // it releases something else
		return admitsAll
	case !t.frees():
		return staysTaken
	case t.permits():
		return wantsPermits
	}
	return works
}

// nameWorth is by how much a name such as acquire makes up for a lower worth: other scripts can be taken, too.
const nameWorth = 2

// rank is the worth of a pair, with that of the name of its script take.
func (t tried) rank() worth {
	if t.take != nil && t.worth() > admitsAll && callsItself.MatchString(t.take.Name) {
		return t.worth() + nameWorth
	}
	return t.worth()
}

var callsItself = regexp.MustCompile(`(^|[^n])lock|acquire|obtain|enter|take`)

// try calls a pair on an empty server, and then on one with permits, as semaphores want. If neither makes a lock, it tries
// other roles for each ARGV whose role is a guess, one at a time. The candidates keep the roles of the best attempt.
func try(ctx context.Context, take, give *candidate) tried {
	var best tried
	var roles []role // that did best
	look := func(at start) bool {
		a, err := ask(ctx, take, give, at)
		t := tried{take: take, give: give, answers: a, start: at, problem: err}.oversold(ctx)
		if len(at) > 0 && (!t.excludes() || t.permits() && counts(t.toldBy()) || !t.permits() && !t.hands(best)) { // what is there at first hid why it failed, or is added to
			return false
		}
		if roles == nil || t.worth() > best.worth() {
			best, roles = t, rolesOf(take, give)
		}
		return best.worth() > staysTaken || give == nil && best.worth() == onlyTakes
	}
	defer func() { setRoles(roles, take, give) }()
	sells := give == nil && take != nil && take.takesSome()
	if look(start{}) || !sells && look(withPermits) || best.saysTheSame() && supplied(ctx, take, look) {
		return best
	}
	for _, c := range []*candidate{take, give} {
		if c == nil {
			continue
		}
		for i, was := range c.roles {
			others := []role{token, number, lease, now, leaseS}
			namedKey := strings.HasSuffix(strings.ToLower(c.named[place{true, i + 1}]), "key")
			switch {
			case was == token && (best.problem == nil && namedKey || give == nil && c.namesKey(i+1)):
				others = []role{keyName}
			case was == fixed && c.fixed[i+1] == "1" && give == nil: // which says not to count, perhaps
				others = []role{none}
			case was != unknown && was != number && was != limit && (was != token || best.problem == nil):
				continue
			}
			if was == limit { // of a burst, which some count beyond the first call
				others = append(others, none)
			}
			for _, is := range others {
				c.roles[i] = is
				if (is != keyName || namedKey) && look(start{}) || is == keyName && best.saysTheSame() && supplied(ctx, take, look) {
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
