package attach

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/recording"
)

// Names of Redisson's. A latch lets a client send the same unlock twice: it is no lock,
// although it looks like one. Each hold of a reader has a key whose TTL is the lease.
const (
	latchPrefix = "redisson_unlock_latch:"
	leaseInfix  = ":rwlock_timeout:"
	modeField   = "mode"
	writeSuffix = ":write"
)

// isReadWrite tells whether a key is Redisson's read-write lock: a hash with its mode, and a
// field for each holder.
func isReadWrite(k *engine.Key) bool {
	mode, ok := k.Get(modeField)
	return k.Type == engine.HashKey && ok && (mode == "read" || mode == "write") && len(k.Items) > 1
}

// readWriteGrants are the holds of a read-write lock that an act brought about. A reader has
// one for as long as one of its leases lives: its field may outlive them.
func (l *locks) readWriteGrants(a act, c engine.Change) (all []holder) {
	for _, field := range c.New.Items {
		h := holder{actor: a.actor, token: field.Name, shared: !strings.HasSuffix(field.Name, writeSuffix)}
		isNew := c.Old == nil || !has(c.Old, h.token)
		if h.shared {
			isNew = slices.ContainsFunc(leaseBases(c.Key, h.token), func(base string) bool { return l.leases[base] != nil })
		}
		if h.token != modeField && a.knows(h.token) && isNew {
			all = append(all, h)
		}
	}
	return all
}

// leaseBase is what the names of a reader's leases begin with; false: the key is none.
func leaseBase(key string) (base string, ok bool) {
	base, n, ok := strings.Cut(key, leaseInfix)
	_, err := strconv.Atoi(n)
	return base, ok && err == nil
}

// leaseBases are what those of a holder may begin with: a name with a tag of its own gets none.
func leaseBases(key, token string) []string {
	return []string{"{" + key + "}:" + token, key + ":" + token}
}

// lease follows the keys that are leases of readers.
func (l *locks) lease(c engine.Change) {
	base, ok := leaseBase(c.Key)
	switch {
	case !ok:
	case c.New == nil:
		l.leaseLeaves(base, c.Key)
	case !slices.Contains(l.leases[base], c.Key):
		l.leases[base] = append(l.leases[base], c.Key)
	}
}

func (l *locks) leaseLeaves(base, key string) {
	l.leases[base] = slices.DeleteFunc(l.leases[base], func(k string) bool { return k == key })
	if len(l.leases[base]) == 0 {
		delete(l.leases, base)
	}
}

// leaseEnds has a reader's hold lapse with the last of its leases. Others still have theirs.
func (l *locks) leaseEnds(base, key string, at engine.Instant) []*recording.Event {
	l.leaseLeaves(base, key)
	if l.leases[base] != nil {
		return nil
	}
	for _, k := range l.all {
		its := func(h holder) bool { return h.shared && slices.Contains(leaseBases(k.key, h.token), base) }
		if k.isOf(its) {
			return l.lapse(k, at, its)
		}
	}
	return nil
}
