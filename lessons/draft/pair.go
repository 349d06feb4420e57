package draft

import (
	"context"
	"regexp"
	"strings"
)

// tried is a pair of scripts with what came of it.
type tried struct {
	take, give *candidate
	answers
	start
	problem error
	both    bool // one thing was sold to both clients; then second is the reply when there is nothing to sell, and not to B
	refused bool // B has been refused once before a trial of the held lock begins
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
	if take != nil && len(take.values) > 0 && best.saysTheSame() { // a field that all of them name, perhaps
		values := take.values
		if take.values = nil; look(start{}) || supplied(ctx, take, look) {
			return best
		}
		take.values = values
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
			case c == give && was == token && best.worth() == staysTaken:
				others = []role{answered, answered2, answered1} // the first of a list may say yes
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
