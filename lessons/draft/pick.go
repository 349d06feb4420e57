package draft

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// pick is the pair of scripts that did best when all were tried.
func pick(ctx context.Context, all []*candidate, chosen Chosen) (tried, error) {
	for _, wanted := range []struct {
		name string
		part part
	}{{chosen.Take, takes}, {chosen.Give, gives}} {
		i := slices.IndexFunc(all, func(c *candidate) bool { return c.Name == wanted.name })
		if wanted.name == "" {
			continue
		}
		if i < 0 {
			return tried{}, fact.Of("draft-no-such-script", wanted.name, fact.Names(namesOf(all)))
		}
		all[i].part = wanted.part
	}
	alsoTake(ctx, all)
	var best tried
	var unknown error // of a script that calls what the server does not have
	none := true
	for _, p := range pairs(all) {
		if ctx.Err() != nil {
			break
		}
		take, give := p[0], p[1]
		if chosen.Take != "" && (take == nil || take.Name != chosen.Take) || chosen.Give != "" && (give == nil || give.Name != chosen.Give) {
			continue
		}
		if chosen.Give == "" && take != nil && give != nil && take.takesSome() && take.calledStock() {
			continue
		}
		nameKeys(take, give)
		t := try(ctx, take, give)
		if none || t.rank() > best.rank() {
			best, none = t, false
		}
		if t.problem != nil && strings.Contains(t.problem.Error(), ": REFUSED ") {
			unknown = cmp.Or(unknown, t.problem)
		}
	}
	if chosen == (Chosen{}) && (none || best.worth() <= admitsAll || len(best.start) > 0 && !best.permits()) {
		if found := claims(ctx, all); len(found) > 0 {
			best, none = found[0], false
		}
	}
	switch {
	case none:
		return best, fact.Of("draft-no-lock", fact.Names(namesOf(all)))
	case best.problem != nil && best.take == nil && strings.Contains(best.problem.Error(), "WRONGTYPE"):
		return best, fact.Of("draft-gives-nothing", best.give.File, best.give.Line, best.give.Name)
	case best.problem != nil:
		return best, best.problem
	case unknown != nil && best.worth() <= admitsAll: // that one is the lock, then
		return best, unknown
	case best.take == nil:
		if err := best.notGiven(ctx, chosen.Give != ""); err != nil {
			return best, err
		}
	}
	nameKeys(best.take, best.give)
	return best, nil
}

// alsoTake makes others takers where no script is called a lock: renewals that, when tried, take a lock that nobody has, as
// that of a leader does, and what hands out a job.
func alsoTake(ctx context.Context, all []*candidate) {
	if len(of(all, takes)) > 0 {
		return
	}
	for _, c := range all {
		renews := ctx.Err() == nil && c.part == extends && slices.ContainsFunc(c.calls, c.makes)
		if !renews {
			continue
		}
		nameKeys(c)
		if t := try(ctx, c, nil); t.problem == nil && !t.permits() && t.excludes() {
			c.part = takes
		}
	}
	if len(of(all, takes)) > 0 {
		return
	}
	for _, t := range claims(ctx, all) {
		t.take.part = takes
	}
}

// wantsSet tells whether a script says yes to the client alone that SET has given the lock, whose value it leaves there: it
// extends that.
func (c *candidate) wantsSet(ctx context.Context) bool {
	nameKeys(c)
	var said [3]reply.Reply // to A: nobody has it, A has it, B has it
	for i, holder := range []string{"", "A", "B"} {
		on := begin(ctx, nil)
		if holder != "" {
			on.run(ctx, nil, holder)
		}
		if said[i] = on.run(ctx, c, "A"); said[i].IsError() || on.exec(ctx, "GET", lockKey).Str != holder {
			return false
		}
	}
	return said[0].Equal(said[2]) && !said[0].Equal(said[1])
}

// extension is the script that extends the lease and fits the one that takes the lock best; nil: there is none.
func extension(all []*candidate, best tried) *candidate {
	found := slices.DeleteFunc(of(all, extends), func(c *candidate) bool { return best.take != nil && opposed(best.take.Name, c.Name) })
	if len(found) == 0 {
		return nil
	}
	return slices.MaxFunc(found, func(a, b *candidate) int { return fits(best.take, a) - fits(best.take, b) })
}

func namesOf(all []*candidate) []string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	return names
}
