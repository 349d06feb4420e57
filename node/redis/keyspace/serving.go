package keyspace

import "lockstep/engine/reply"

// Timed is the number of keys that have a deadline.
func (k *Keyspace) Timed() int { return k.timed }

// Full tells whether the keys take more bytes than the limit.
func (k *Keyspace) Full() bool { return k.account.limit != 0 && k.full() }

// Run is Call for a caller that has already checked the number of arguments and whether the
// keyspace is full.
func (c *Command) Run(k *Keyspace, args []string) reply.Reply {
	if k.notifications != nil {
		k.notifications.setCommand(c)
	}
	r := c.run(k, args)
	if k.observer != nil {
		k.observer.Ran(c, args)
	}
	return r
}
