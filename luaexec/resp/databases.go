package resp

import (
	"math"
	"strings"

	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/luaexec/keyspace"
)

// maxDatabases is how many databases there are, as in Redis.
const maxDatabases = 16

// databases are the keys of the server. One node runs the commands of them all,
// so that a script that is loaded in one is known in the others.
type databases struct {
	node  *luaexec.Node
	clock *clock
	keys  [maxDatabases]*keyspace.Keyspace

	memory memory

	lazily bool // keys past their deadline stay until somebody asks for them
}

// newDatabases are empty. mayGoOn is asked many times a second whether a script may
// go on.
func newDatabases(c *clock, mayGoOn func() error) *databases {
	d := &databases{node: luaexec.NewNode(), clock: c}
	d.node.SetBudget(math.MaxInt64, mayGoOn)
	for i := range d.keys {
		d.keys[i] = keyspace.New()
		d.keys[i].ShareChannels(d.keys[0])
	}
	return d
}

// find is at for a number that may be none of a database.
func (d *databases) find(db int) (*keyspace.Keyspace, bool) {
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

// do runs a command on a database.
func (d *databases) do(db int, args []string) reply.Reply {
	d.node.Use(db, d.find)
	r := d.node.Do(args)
	d.memory.settle()
	return r
}

// expirySlice bounds how many keys are deleted at once, so that no command waits
// for more than a fraction of a millisecond.
const expirySlice = 200

// expireSome deletes keys whose time has come. True means that there are more.
func (d *databases) expireSome() bool {
	if d.lazily {
		return false
	}
	for db := range d.keys {
		k := d.at(db)
		k.Expire(expirySlice)
		if k.Late() {
			return true
		}
	}
	return false
}

// typeOf is the type of a key as TYPE answers it.
func (d *databases) typeOf(at databaseKey) string {
	return d.do(at.db, []string{"TYPE", at.key}).Str
}

func (d *databases) watch(at databaseKey) uint64   { return d.at(at.db).Watch(at.key) }
func (d *databases) version(at databaseKey) uint64 { return d.at(at.db).Version(at.key) }
func (d *databases) unwatch(at databaseKey)        { d.at(at.db).Unwatch(at.key) }
func (d *databases) await(at databaseKey)          { d.at(at.db).Await(at.key) }
func (d *databases) forgo(at databaseKey)          { d.at(at.db).Forgo(at.key) }
func (d *databases) takeReady(db int) []string     { return d.keys[db].TakeReady() }

// channels is any database: channels belong to none.
func (d *databases) channels() *keyspace.Keyspace { return d.keys[0] }

// emptyServer is about how many bytes Redis 7.0 takes before it has any keys. They
// count, so that a maxmemory of one byte refuses every write.
const emptyServer = 800 << 10

// setLimit bounds the memory of all keys, in bytes; 0 means no limit. Each database may
// use what the others have left when it is set.
func (d *databases) setLimit(bytes int64) {
	for _, k := range d.keys {
		switch {
		case bytes == 0:
			k.SetLimit(0)
		case bytes <= emptyServer:
			k.SetLimit(-1)
		default:
			k.SetLimit(bytes - emptyServer)
		}
	}
}

// announce has the databases publish what happens to their keys.
func (d *databases) announce(classes string) {
	for db, k := range d.keys {
		k.Announce(db, strings.ReplaceAll(classes, "A", newsLetters[:allNews]))
	}
}

// tell has all that happens to keys told to an observer; nil ends that.
func (d *databases) tell(o keyspace.Observer) {
	for _, k := range d.keys {
		k.Tell(o)
	}
}

func (d *databases) used() int64 {
	used := int64(emptyServer)
	for _, k := range d.keys {
		used += k.Used()
	}
	return used
}
