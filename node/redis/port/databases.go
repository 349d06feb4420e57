package port

import (
	"math"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/keyspace"
)

// maxDatabases is how many databases there are, as in Redis.
const maxDatabases = 16

// databases are the keys of the server. One node runs the commands of them all,
// so that a script that is loaded in one is known in the others.
type databases struct {
	node  *redis.Node
	clock *clock
	keys  [maxDatabases]*keyspace.Keyspace

	memory memory
}

// newDatabases makes empty ones. checkScript is called many times a second while a script
// runs; its error ends the script.
func newDatabases(c *clock, checkScript func() error) *databases {
	d := &databases{node: redis.NewNode(), clock: c}
	d.node.SetBudget(math.MaxInt64, checkScript)
	for i := range d.keys {
		d.keys[i] = keyspace.New()
		d.keys[i].ShareChannels(d.keys[0])
	}
	return d
}

// find is at; ok is false for a number out of range.
func (d *databases) find(db int) (k *keyspace.Keyspace, ok bool) {
	if db < 0 || db >= maxDatabases {
		return nil, false
	}
	return d.at(db), true
}

// at is a database at the present instant. Keys whose time has come are not
// found there any more, whether or not they have been deleted.
func (d *databases) at(db int) *keyspace.Keyspace {
	k := d.keys[db]
	k.MoveTo(d.clock.now)
	return k
}

func (d *databases) do(db int, args []string) reply.Reply {
	d.node.Use(db, d.find)
	r := d.node.Do(args)
	d.memory.scriptEnded()
	return r
}

// expirySlice bounds how many keys are deleted at once, so that no command waits
// for more than a fraction of a millisecond.
const expirySlice = 200

// expireSome deletes keys whose time has come. True means that there are more.
func (d *databases) expireSome() bool {
	for db := range d.keys {
		k := d.at(db)
		k.Expire(expirySlice)
		if k.Late() {
			return true
		}
	}
	return false
}

// channels is any database: channels belong to none.
func (d *databases) channels() *keyspace.Keyspace { return d.keys[0] }

// baseMemory is about how many bytes Redis 7.0 takes before it has any keys. They
// count, so that a maxmemory of one byte refuses every write.
const baseMemory = 800 << 10

// setLimit bounds the memory of all keys, in bytes; 0 means no limit. Each database may
// use what the others have left when it is set.
func (d *databases) setLimit(bytes int64) {
	for _, k := range d.keys {
		switch {
		case bytes == 0:
			k.SetLimit(0)
		case bytes <= baseMemory:
			k.SetLimit(-1)
		default:
			k.SetLimit(bytes - baseMemory)
		}
	}
}

// setNotifications has the databases publish what happens to their keys.
func (d *databases) setNotifications(classes string) {
	for db, k := range d.keys {
		k.SetNotifications(db, strings.ReplaceAll(classes, "A", eventLetters[:allEvents]))
	}
}

func (d *databases) used() int64 {
	used := int64(baseMemory)
	for _, k := range d.keys {
		used += k.Used()
	}
	return used
}
