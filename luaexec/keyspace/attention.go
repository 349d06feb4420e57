package keyspace

// attention records what connections want to know about keys: for WATCH, whether a key
// has changed; for a blocked command, which key it should try again. A keyspace has none
// until somebody asks, so that others do not pay for it.
type attention struct {
	keys  map[string]*interest
	ready []string // awaited keys that changed, in the order of their first change
}

// interest is the state of one watched or awaited key.
type interest struct {
	version  uint64
	watchers int
	waiters  int
	ready    bool // it is in the list
}

// touch records that a key changed: it was written, deleted or expired.
func (k *Keyspace) touch(name string) {
	if k.attention != nil {
		k.attention.touch(name)
	}
	if k.observer != nil {
		k.observer.Changed(name)
	}
}

func (a *attention) touch(name string) {
	it := a.keys[name]
	if it == nil {
		return
	}
	it.version++
	if it.waiters > 0 && !it.ready {
		it.ready = true
		a.ready = append(a.ready, name)
	}
}

// Watch begins to count the changes of a key and returns its version. A change is
// anything that makes EXEC fail in Redis: a write, a deletion or an expiry, even if the
// value stays the same. Each Watch needs its Unwatch. Forks do not inherit it.
func (k *Keyspace) Watch(key string) (version uint64) {
	it := k.interestIn(key)
	it.watchers++
	return it.version
}

// Version is the version of a watched key. If it is not the one that Watch returned, the
// key has changed since.
func (k *Keyspace) Version(key string) uint64 {
	k.find(key) // deletes it if it has expired, which is a change
	if k.attention == nil || k.attention.keys[key] == nil {
		return 0
	}
	return k.attention.keys[key].version
}

// Unwatch ends one Watch.
func (k *Keyspace) Unwatch(key string) {
	k.loseInterest(key, func(it *interest) { it.watchers-- })
}

// Await makes TakeReady report a key whenever it changes. Each Await needs its Forgo.
func (k *Keyspace) Await(key string) { k.interestIn(key).waiters++ }

// Forgo ends one Await.
func (k *Keyspace) Forgo(key string) {
	k.loseInterest(key, func(it *interest) { it.waiters-- })
}

// TakeReady returns the awaited keys that changed since the last call, in the
// order of their first change, and forgets them. A change does not mean that a blocked
// command can now succeed.
func (k *Keyspace) TakeReady() []string {
	if k.attention == nil || len(k.attention.ready) == 0 {
		return nil
	}
	taken := k.attention.ready
	k.attention.ready = nil
	for _, key := range taken {
		if it := k.attention.keys[key]; it != nil {
			it.ready = false
		}
	}
	return taken
}

func (k *Keyspace) interestIn(key string) *interest {
	k.find(key) // deletes it if it has expired, so that this is not a later change
	if k.attention == nil {
		k.attention = &attention{keys: map[string]*interest{}}
	}
	it := k.attention.keys[key]
	if it == nil {
		it = new(interest)
		k.attention.keys[key] = it
	}
	return it
}

func (k *Keyspace) loseInterest(key string, lose func(*interest)) {
	if k.attention == nil || k.attention.keys[key] == nil {
		return
	}
	it := k.attention.keys[key]
	lose(it)
	if it.watchers > 0 || it.waiters > 0 {
		return
	}
	delete(k.attention.keys, key)
	if len(k.attention.keys) == 0 && len(k.attention.ready) == 0 {
		k.attention = nil
	}
}
