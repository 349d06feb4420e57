package keyspace

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Epoch is what instant 0 is to TIME, EXPIREAT and the like, in milliseconds
// since 1970.
const Epoch int64 = 1_700_000_000_000

// NoDeadline is the Deadline of an Entry that never expires.
const NoDeadline time.Duration = -1

// noDeadline is NoDeadline in milliseconds. Deadlines are kept in milliseconds,
// as Redis does: in nanoseconds a TTL of 300 years would overflow.
const noDeadline int64 = -1

// Expired is a key that reached its deadline.
type Expired struct {
	Key string
	At  time.Duration
}

// deadline is a record of the heap.
type deadline struct {
	at  int64
	key string
}

// Now is the instant that the keyspace is at.
func (k *Keyspace) Now() time.Duration { return k.now }

// nowMS is the clock as commands see it: whole milliseconds.
func (k *Keyspace) nowMS() int64 { return int64(k.now / time.Millisecond) }

// lastMS is the last instant that the clock can reach, 292 years from the start.
const lastMS = math.MaxInt64 / int64(time.Millisecond)

// instant turns milliseconds into an instant; what the clock cannot reach
// becomes the greatest duration.
func instant(ms int64) time.Duration {
	if ms > lastMS {
		return math.MaxInt64
	}
	return time.Duration(ms) * time.Millisecond
}

// AdvanceTo moves the clock, never back, and deletes the keys whose deadline is
// at or before now. It returns them by deadline, then by name.
func (k *Keyspace) AdvanceTo(now time.Duration) []Expired {
	if now <= k.now {
		return nil
	}
	k.now = now
	ms := k.nowMS()
	var gone []Expired
	for len(k.due) > 0 && k.due[0].at <= ms {
		k.own()
		d := k.due[0]
		k.popDeadline()
		if e := k.keys[d.key]; e != nil && e.deadline == d.at {
			k.remove(d.key, e)
			gone = append(gone, Expired{Key: d.key, At: instant(d.at)})
		}
	}
	slices.SortFunc(gone, func(a, b Expired) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Key, b.Key))
	})
	return gone
}

// NextExpiry is the earliest deadline of any key, if one has a deadline that the
// clock can reach.
func (k *Keyspace) NextExpiry() (time.Duration, bool) {
	for len(k.due) > 0 {
		if k.alive(k.due[0]) {
			if k.due[0].at > lastMS {
				return 0, false
			}
			return instant(k.due[0].at), true
		}
		k.own()
		k.popDeadline()
	}
	return 0, false
}

func (k *Keyspace) alive(d deadline) bool {
	e := k.keys[d.key]
	return e != nil && e.deadline == d.at
}

// setDeadline changes when the writable entry e of a key expires: at virtual
// millisecond at, which lies ahead, or never for noDeadline.
func (k *Keyspace) setDeadline(name string, e *entry, at int64) {
	if e.deadline == at {
		return
	}
	if e.deadline != noDeadline {
		k.timed--
	}
	e.deadline = at
	if at == noDeadline {
		return
	}
	k.timed++
	k.pushDeadline(deadline{at: at, key: name})
}

// expireAt gives a key a deadline, or deletes it when that is not ahead.
func (k *Keyspace) expireAt(name string, e *entry, at int64) {
	if at <= k.nowMS() {
		k.remove(name, e)
		return
	}
	k.setDeadline(name, k.edit(name, e), at)
}

// maxDead bounds the dead records of a heap with few living ones.
const maxDead = 64

func (k *Keyspace) pushDeadline(d deadline) {
	if len(k.due) >= 2*k.timed+maxDead {
		k.dropDead()
	}
	k.due = append(k.due, d)
	h := k.due
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent].at <= d.at {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = d
}

func (k *Keyspace) popDeadline() {
	h := k.due
	last := len(h) - 1
	d := h[last]
	h[last] = deadline{}
	h = h[:last]
	k.due = h
	if last == 0 {
		return
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && h[child+1].at < h[child].at {
			child++
		}
		if d.at <= h[child].at {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = d
}

// dropDead keeps one record of each living deadline. Sorted records are a heap.
func (k *Keyspace) dropDead() {
	h := slices.DeleteFunc(k.due, func(d deadline) bool { return !k.alive(d) })
	slices.SortFunc(h, func(a, b deadline) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key))
	})
	k.due = slices.Compact(h)
}
