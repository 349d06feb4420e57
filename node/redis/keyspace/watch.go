package keyspace

// watchedKeys are the keys whose changes connections follow: WATCH wants to know whether
// a key has changed, and a blocked command which key to try again. The keyspace has nil
// here until somebody asks, so that others do not pay for it.
type watchedKeys struct {
	keys  map[string]*watchedKey
	ready []string // keys with waiters that changed, in the order of their first change
}

// watchedKey is a key that somebody watches or waits for.
type watchedKey struct {
	version  uint64
	watchers int
	waiters  int
	ready    bool // it is in the list
}

// touch records that a key changed: it was written, deleted or expired.
func (k *Keyspace) touch(name string) {
	if k.watched != nil {
		k.watched.touch(name)
	}
	if k.observer != nil {
		k.observer.Changed(name)
	}
}

func (w *watchedKeys) touch(name string) {
	it := w.keys[name]
	if it == nil {
		return
	}
	it.version++
	if it.waiters > 0 && !it.ready {
		it.ready = true
		w.ready = append(w.ready, name)
	}
}

// Watch begins to count the changes of a key and returns its version. A change is
// anything that makes EXEC fail in Redis: a write, a deletion or an expiry, even if the
// value stays the same. Each Watch needs its Unwatch. Forks do not inherit it.
func (k *Keyspace) Watch(key string) (version uint64) {
	it := k.watchedKey(key)
	it.watchers++
	return it.version
}

// Version is the version of a watched key. If it is not the one that Watch returned, the
// key has changed since.
func (k *Keyspace) Version(key string) uint64 {
	k.find(key) // deletes it if it has expired, which is a change
	if k.watched == nil || k.watched.keys[key] == nil {
		return 0
	}
	return k.watched.keys[key].version
}

// Unwatch ends one Watch.
func (k *Keyspace) Unwatch(key string) {
	k.release(key, func(it *watchedKey) { it.watchers-- })
}

// AddWaiter makes TakeReady report a key whenever it changes. Each AddWaiter needs its
// RemoveWaiter.
func (k *Keyspace) AddWaiter(key string) { k.watchedKey(key).waiters++ }

// RemoveWaiter ends one AddWaiter.
func (k *Keyspace) RemoveWaiter(key string) {
	k.release(key, func(it *watchedKey) { it.waiters-- })
}

// TakeReady returns the keys with waiters that changed since the last call, in the order
// of their first change, and clears the list. A blocked command may still find nothing
// in such a key.
func (k *Keyspace) TakeReady() []string {
	if k.watched == nil || len(k.watched.ready) == 0 {
		return nil
	}
	taken := k.watched.ready
	k.watched.ready = nil
	for _, key := range taken {
		if it := k.watched.keys[key]; it != nil {
			it.ready = false
		}
	}
	return taken
}

func (k *Keyspace) watchedKey(key string) *watchedKey {
	k.find(key) // deletes it if it has expired, so that this is not a later change
	if k.watched == nil {
		k.watched = &watchedKeys{keys: map[string]*watchedKey{}}
	}
	it := k.watched.keys[key]
	if it == nil {
		it = new(watchedKey)
		k.watched.keys[key] = it
	}
	return it
}

func (k *Keyspace) release(key string, remove func(*watchedKey)) {
	if k.watched == nil || k.watched.keys[key] == nil {
		return
	}
	it := k.watched.keys[key]
	remove(it)
	if it.watchers > 0 || it.waiters > 0 {
		return
	}
	delete(k.watched.keys, key)
	if len(k.watched.keys) == 0 && len(k.watched.ready) == 0 {
		k.watched = nil
	}
}
