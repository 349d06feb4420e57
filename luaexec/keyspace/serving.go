package keyspace

import "lockstep/engine/reply"

// Match tells whether a text fits one of Redis's patterns: * ? [a-z] [^a] and \
// to escape.
func Match(pattern, text string) bool { return matchGlob(pattern, text) }

// Timed is the number of keys that have a deadline.
func (k *Keyspace) Timed() int { return k.timed }

// Size is about how many bytes a key takes, its name included; ok is false if
// there is no such key.
func (k *Keyspace) Size(key string) (bytes int64, ok bool) {
	e := k.find(key)
	if e == nil {
		return 0, false
	}
	return keyBytes + int64(len(key)) + e.bytes(), true
}

// Full tells whether the keys take more than they may.
func (k *Keyspace) Full() bool { return k.account.limit != 0 && k.full() }

// Run is Call for who has looked at the number of arguments and at whether the
// keyspace is full.
func (c *Command) Run(k *Keyspace, args []string) reply.Reply {
	if k.news != nil {
		k.news.expect(c)
	}
	return c.run(k, args)
}
