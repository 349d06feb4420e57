package keyspace

import (
	"math"
	"slices"

	"lockstep/engine/reply"
)

// noMembers is the reply of a command that finds no member: an empty array if it was given
// a count, else nil.
func noMembers(counted bool) reply.Reply {
	if counted {
		return emptyArray
	}
	return nothing
}

func spop(k *Keyspace, args []string) reply.Reply {
	count, counted, failed := popCount(args, errSyntax)
	if failed.IsError() {
		return failed
	}
	e, none := k.value(args[1], setType, noMembers(counted))
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

// sample draws positions below n: count different ones in ascending order, or for a
// negative count exactly -count, which may repeat.
func (k *Keyspace) sample(n int, count int64) []int {
	if count >= int64(n) {
		count = int64(n)
	}
	if count < 0 {
		picked := make([]int, -count)
		for i := range picked {
			picked[i] = k.draw(n)
		}
		return picked
	}
	if count*count < int64(n) {
		return k.sampleFew(n, int(count))
	}
	picked := make([]int, 0, count)
	for i := range n {
		// Every position has the same chance of being chosen.
		wanted := int(count) - len(picked)
		if wanted == n-i || wanted > 0 && k.draw(n-i) < wanted {
			picked = append(picked, i)
		}
	}
	return picked
}

// sampleFew is sample without looking at each position, after Robert Floyd (Bentley,
// Programming Pearls: A sample of brilliance).
func (k *Keyspace) sampleFew(n, count int) []int {
	picked := make([]int, 0, count)
	for last := n - count; last < n; last++ {
		at := k.draw(last + 1)
		place, taken := slices.BinarySearch(picked, at)
		if taken {
			at, place = last, len(picked)
		}
		picked = slices.Insert(picked, place, at)
	}
	return picked
}

// maxSample limits a reply that repeats members. Redis would go on until its memory is
// full.
const maxSample = 1 << 20

var errTooManySamples = reply.OfError("ERR a sample of more than 1048576 repeated members is not part of the embedded Redis")

// sampleCount reads a count that may be negative.
func sampleCount(s string) (count int64, failed reply.Reply) {
	count, ok := ParseInt(s)
	switch {
	case !ok:
		return 0, errNotInt
	case count < -math.MaxInt64:
		return 0, reply.OfError("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807")
	}
	return count, reply.Reply{}
}

func srandmember(k *Keyspace, args []string) reply.Reply {
	if len(args) > 3 {
		return errSyntax
	}
	count := int64(1)
	if len(args) == 3 {
		var failed reply.Reply
		if count, failed = sampleCount(args[2]); failed.IsError() {
			return failed
		}
		if count < -maxSample {
			return errTooManySamples
		}
	}
	e, none := k.value(args[1], setType, noMembers(len(args) == 3))
	if e == nil {
		return none
	}
	members := e.set.fields.pairs
	if len(args) == 2 {
		return reply.OfBulk(members[k.draw(len(members))].name)
	}
	found := []reply.Reply{}
	for _, at := range k.sample(len(members), count) {
		found = append(found, reply.OfBulk(members[at].name))
	}
	return reply.OfArray(found...)
}
