package keyspace

import (
	"maps"
	"math"
	"slices"
	"time"

	"lockstep/engine"
)

// noDeadline is that of a key that never expires. Deadlines are kept in milliseconds,
// as Redis does: in nanoseconds a TTL of 300 years would overflow.
const noDeadline int64 = -1

// Now is the instant that the keyspace is at.
func (k *Keyspace) Now() time.Duration { return k.now }

// ClockReads counts how often what was done depended on the instant, and not only on how long things last.
func (k *Keyspace) ClockReads() int { return k.clockReads }

// RestReads counts how often what was done depended on how long a key still lasts.
func (k *Keyspace) RestReads() int { return k.restReads }

// nowMS is the clock as commands see it: whole milliseconds.
func (k *Keyspace) nowMS() int64 { return int64(k.now / time.Millisecond) }

// lastMS is the last instant that the clock can reach, 292 years from the start.
const lastMS = math.MaxInt64 / int64(time.Millisecond)

// instant converts milliseconds to an instant; one that the clock cannot reach becomes the
// greatest duration.
func instant(ms int64) time.Duration {
	if ms > lastMS {
		return math.MaxInt64
	}
	return time.Duration(ms) * time.Millisecond
}

// AdvanceTo moves the clock, never back, and deletes the keys whose deadline is
// at or before now. It returns them by deadline, then by name.
func (k *Keyspace) AdvanceTo(now time.Duration) []engine.Expiry {
	k.MoveTo(now)
	return k.Expire(math.MaxInt)
}

// MoveTo moves the clock, never back, and deletes nothing, so that it takes constant time:
// commands no longer find the keys whose deadline is at or before now, and Expire deletes
// them.
func (k *Keyspace) MoveTo(now time.Duration) {
	k.now = max(k.now, now)
}

// Shift moves the clock, and every deadline with it: all keys last as long as before.
func (k *Keyspace) Shift(by time.Duration) {
	if by == 0 {
		return
	}
	k.own()
	k.now += by
	k.due = nil
	for _, name := range slices.Sorted(maps.Keys(k.keys)) {
		if e := k.keys[name]; e.deadline != noDeadline {
			e = k.writable(name, e)
			e.deadline += by.Milliseconds()
			k.addDeadline(name, e)
		}
	}
}

// Late tells whether there may be keys for Expire to delete.
func (k *Keyspace) Late() bool { return len(k.due) > 0 && k.due[0].at <= k.nowMS() }

// Expire deletes keys whose deadline is at or before now, after at most limit
// steps of about a microsecond, and returns them by deadline, then by name.
// Keys that a command has already found expired are not among them.
func (k *Keyspace) Expire(limit int) []engine.Expiry {
	var gone []engine.Expiry
	for ; limit > 0 && k.Late(); limit-- {
		if d := k.dropFirst(); k.alive(d) {
			k.removeAs(d.key, k.keys[d.key], "x", "expired")
			gone = append(gone, engine.Expiry{Key: d.key, At: instant(d.at)})
		}
	}
	return gone
}

// overdue tells whether a key is past its deadline but not deleted yet.
func (k *Keyspace) overdue(e *entry) bool {
	return e.deadline != noDeadline && e.deadline <= k.nowMS()
}

// NextExpiry is the earliest deadline of any key, if one has a deadline that the
// clock can reach.
func (k *Keyspace) NextExpiry() (time.Duration, bool) {
	for len(k.due) > 0 && !k.alive(k.due[0]) {
		k.dropFirst()
	}
	if len(k.due) == 0 || k.due[0].at > lastMS {
		return 0, false
	}
	return instant(k.due[0].at), true
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
	k.addDeadline(name, e)
}

// expireAt gives a key a deadline, or deletes it when that is not ahead.
func (k *Keyspace) expireAt(name string, e *entry, at int64) {
	if at <= k.nowMS() {
		k.remove(name, e)
		return
	}
	k.setDeadline(name, k.writable(name, e), at)
	k.touch(name)
	k.notify("g", "expire", name)
}
