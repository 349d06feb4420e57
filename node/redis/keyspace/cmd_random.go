package keyspace

import "lockstep/engine/reply"

func spop(k *Keyspace, args []string) reply.Reply {
	count, counted, failed := popCount(args, errSyntax)
	if failed.IsError() {
		return failed
	}
	absent := nothing
	if counted {
		absent = emptyArray
	}
	e, none := k.value(args[1], setType, absent)
	switch {
	case e == nil:
		return none
	case count == 0:
		return emptyArray
	}
	e = k.edit(args[1], e)
	members := e.set.fields.pairs
	taken := make([]reply.Reply, min(count, int64(len(members))))
	for i := range taken {
		at := 0
		if n := e.set.fields.len(); n > 1 {
			at = k.draw(n)
		}
		taken[i] = reply.OfBulk(e.set.fields.pairs[at].name)
		e.set.fields.remove(at)
	}
	k.removeIfEmpty(args[1], e)
	if !counted {
		return taken[0]
	}
	return reply.OfArray(taken...)
}

// draw is the next random number below n. It depends only on how many were drawn before, so
// that SPOP chooses the same on every run and in every fork. Redis seeds its numbers from the
// system, so it chooses differently. math.random of a script has its own numbers.
func (k *Keyspace) draw(n int) int {
	k.drawn++
	return int(mix(k.drawn, 0x9E3779B97F4A7C15) % uint64(n))
}
