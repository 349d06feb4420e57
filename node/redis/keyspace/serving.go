package keyspace

import (
	"maps"

	"lockstep/engine/reply"
)

// Timed is the number of keys that have a deadline.
func (k *Keyspace) Timed() int { return k.timed }

// Full tells whether the keys take more bytes than the limit.
func (k *Keyspace) Full() bool { return k.account.limit != 0 && k.full() }

// roomy is the number of keys from which a table is worth shrinking.
const roomy = 1 << 12

// Shrink releases the memory of deleted keys, if most have been deleted.
func (k *Keyspace) Shrink() {
	if k.most < roomy || len(k.keys) > k.most/4 {
		return
	}
	k.own()
	fewer := make(map[string]*entry, len(k.keys))
	maps.Copy(fewer, k.keys)
	k.keys, k.most = fewer, len(fewer)
}

// Run is Call for a caller that has already checked the number of arguments and whether the
// keyspace is full.
func (c *Command) Run(k *Keyspace, args []string) reply.Reply {
	r := c.run(k, args)
	if k.observer != nil {
		k.observer.Ran(c, args)
	}
	return r
}
