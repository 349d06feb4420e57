// Package keyspace is the data of the embedded Redis: typed keys with deadlines
// on a virtual clock, the commands that work on them, and pub/sub.
package keyspace

import (
	"maps"
	"slices"
	"time"

	"lockstep/engine/reply"
)

// Keyspace is one database at one instant of virtual time. It is for one
// goroutine at a time; its forks are independent of it.
type Keyspace struct {
	now  time.Duration
	keys map[string]*entry
	// due has a dead record where a key was deleted or got another deadline. Dead records are
	// dropped when they reach the top, and all at once when they outnumber the live ones.
	due     deadlineHeap
	timed   int    // keys that have a deadline
	records uint64 // records made so far

	// owner marks what this keyspace may write in place: the map and the heap
	// when it is not nil, and each entry that carries it. A fork clears it on
	// both sides.
	owner *owner

	audience     *audience
	ownsAudience bool // or forks share it

	account       account
	observer      Observer       // nil while nobody is to be told
	notifications *notifications // nil while nothing is to be published
	drawn         uint64         // random numbers so far
	clockReads    int            // see ClockReads
	restReads     int            // see RestReads
}

// owner is compared by address, so it must have a size.
type owner struct{ _ byte }

// New is an empty keyspace at instant 0.
func New() *Keyspace {
	return &Keyspace{keys: map[string]*entry{}, owner: new(owner), audience: new(audience), ownsAudience: true}
}

// Fork is a copy that shares everything until one side writes: the first write
// copies the key table, and the first write to a key copies that key. It tells nobody what happens.
func (k *Keyspace) Fork() *Keyspace {
	k.owner, k.ownsAudience = nil, false
	k.account.settle()
	out := *k
	out.observer, out.notifications = nil, nil
	return &out
}

// own makes the key table and the heap this keyspace's own.
func (k *Keyspace) own() {
	if k.owner != nil {
		return
	}
	k.owner = new(owner)
	k.keys = maps.Clone(k.keys)
	k.due = slices.Clone(k.due)
}

// find is the entry of a key; nil if there is no such key.
func (k *Keyspace) find(name string) *entry {
	e := k.keys[name]
	if e != nil && k.overdue(e) {
		k.removeAs(name, e, "x", "expired")
		return nil
	}
	return e
}

// Has tells whether there is a key, and deletes it if it has expired.
func (k *Keyspace) Has(name string) bool { return k.find(name) != nil }

// findAs is find; ok is false if the key holds another type.
func (k *Keyspace) findAs(name string, t valueType) (e *entry, ok bool) {
	e = k.find(name)
	return e, e == nil || e.kind == t
}

// edit makes the entry e of the key name writable. It counts as a change of the key, so it must
// be called only if there is a change to make.
func (k *Keyspace) edit(name string, e *entry) *entry {
	e = k.writable(name, e)
	k.touch(name)
	k.notifyWrite(name, e)
	return e
}

// writable is edit without counting as a change.
func (k *Keyspace) writable(name string, e *entry) *entry {
	k.own()
	if e.owner != k.owner {
		shared := e
		e = e.clone(k.owner)
		k.keys[name] = e
		k.account.used += e.bytes() - shared.bytes()
	} else {
		e.changed()
	}
	k.account.open(e)
	return e
}

// editOrCreate is edit for a key that may not be there yet.
func (k *Keyspace) editOrCreate(name string, e *entry, t valueType) *entry {
	if e == nil {
		k.notify("n", "new", name)
		return k.create(name, t)
	}
	return k.edit(name, e)
}

// create adds a key that is not there, empty and without a deadline.
func (k *Keyspace) create(name string, t valueType) *entry {
	k.own()
	e := newEntry(k.owner, t)
	k.add(name, e)
	k.notifyWrite(name, e)
	return e
}

// add puts a writable entry without a deadline under a name that is not taken.
func (k *Keyspace) add(name string, e *entry) {
	k.keys[name] = e
	k.account.open(e)
	k.account.used += keyBytes + int64(len(name)) + k.account.before
	k.touch(name)
}

// remove deletes a key that is there.
func (k *Keyspace) remove(name string, e *entry) { k.removeAs(name, e, "g", "del") }

// removeAs is remove with another event; the class "" has none.
func (k *Keyspace) removeAs(name string, e *entry, class, event string) {
	k.own()
	delete(k.keys, name)
	if e.deadline != noDeadline {
		k.timed--
	}
	k.account.settle()
	k.account.used -= keyBytes + int64(len(name)) + e.bytes()
	k.touch(name)
	if class != "" {
		k.notify(class, event, name)
	}
}

// removeIfEmpty deletes a key whose last item was removed: in Redis there are no empty
// lists, hashes or sets.
func (k *Keyspace) removeIfEmpty(name string, e *entry) {
	if e.len() == 0 {
		k.remove(name, e)
	}
}

// setText makes a key a string, whatever it was; keepTTL keeps its deadline.
func (k *Keyspace) setText(name, text string, keepTTL bool) *entry {
	old := k.find(name)
	if old != nil && old.kind == stringType {
		e := k.edit(name, old)
		e.setText(text)
		if !keepTTL {
			k.setDeadline(name, e, noDeadline)
		}
		return e
	}
	at := noDeadline
	if old != nil && keepTTL {
		at = old.deadline
	}
	e := k.replace(name, stringType)
	e.setText(text)
	k.setDeadline(name, e, at)
	return e
}

// replace makes way for the key in which a command stores its result.
func (k *Keyspace) replace(name string, t valueType) *entry {
	old := k.find(name)
	if old == nil {
		k.notify("n", "new", name)
	} else {
		k.removeAs(name, old, "", "")
	}
	return k.create(name, t)
}

// flush deletes every key.
func (k *Keyspace) flush() {
	if k.observer != nil {
		k.observer.Flushed()
	}
	k.owner = new(owner)
	k.keys = map[string]*entry{}
	k.due, k.timed = nil, 0
	k.account = account{limit: k.account.limit}
}

// TurnBack moves the clock back, as that of a server may be.
func (k *Keyspace) TurnBack(to time.Duration) { k.now = to }

// Load replaces all keys by those of another keyspace, deadlines included. Clock,
// bounds and subscribers stay.
func (k *Keyspace) Load(from *Keyspace) {
	f := from.Fork()
	k.owner = nil
	k.keys, k.due, k.timed, k.records = f.keys, f.due, f.timed, f.records
	f.account.limit = k.account.limit
	k.account = f.account
}

// Observer is told what happens to the keys of a server, as it happens.
type Observer interface {
	// Ran says which command has run, of a client, of a script or of EXEC.
	Ran(c *Command, args []string)
	// Changed says that a key was written, was deleted or expired: what makes EXEC fail for who
	// watches it, even if the value stays the same.
	Changed(key string)
	// Flushed says that all keys are about to be deleted.
	Flushed()
}

// Refusals is an Observer that is also told of each error that a script got for a command, or for a global that it
// named in place of one, whatever it makes of it.
type Refusals interface {
	Refused(args []string, failed reply.Reply)
}

// SetObserver has an observer told of everything from now on; nil ends that. A fork has none.
func (k *Keyspace) SetObserver(o Observer) { k.observer = o }

// touch tells the observer that a key changed.
func (k *Keyspace) touch(name string) {
	if k.observer != nil {
		k.observer.Changed(name)
	}
}

// Refuse tells the observer of an error that a script got for a command.
func (k *Keyspace) Refuse(args []string, failed reply.Reply) {
	if o, asks := k.observer.(Refusals); asks {
		o.Refused(args, failed)
	}
}

// Timed is the number of keys that have a deadline.
func (k *Keyspace) Timed() int { return k.timed }
