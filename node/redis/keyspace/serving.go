package keyspace

import (
	"cmp"

	"lockstep/engine/reply"
)

// Timed is the number of keys that have a deadline.
func (k *Keyspace) Timed() int { return k.timed }

// Run is Do for a caller that has already checked the number of arguments and whether the
// keyspace is full.
func (c *Command) Run(k *Keyspace, args []string) reply.Reply {
	if k.notifications != nil {
		k.asEvent(cmp.Or(events[c.name], c.name))
	}
	r := c.run(k, args)
	if k.observer != nil {
		k.observer.Ran(c, args)
	}
	return r
}
