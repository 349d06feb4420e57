package keyspace

// deadline is a record of the heap of deadlines.
type deadline struct {
	at     int64
	key    string
	record uint64 // equals the record of the key's entry as long as this is its deadline
}

func (k *Keyspace) alive(d *deadline) bool {
	e := k.keys[d.key]
	return e != nil && e.record == d.record && e.deadline == d.at
}

// maxDead limits the dead records of a heap that has few live ones.
const maxDead = 64

// addDeadline records the deadline of the writable entry e.
func (k *Keyspace) addDeadline(name string, e *entry) {
	if k.due.n >= 2*k.timed+maxDead {
		k.sweepDead()
	}
	k.records++
	e.record = k.records
	k.due.push(deadline{at: e.deadline, key: name, record: e.record})
}

// sweepStep is how many records one step of a sweep examines: more than one, so that it is
// faster than new records can come and die, and few, because it is part of a command.
const sweepStep = 8

// sweepDead drops dead records, a few at each call, from the end of the heap to its top: the
// record that replaces a dropped one comes from behind it and has already been examined.
func (k *Keyspace) sweepDead() {
	for range sweepStep {
		if k.sweep <= 0 || k.sweep > k.due.n {
			k.sweep = k.due.n
		}
		if k.sweep == 0 {
			return
		}
		at := k.sweep - 1
		if k.alive(k.due.at(at)) {
			k.sweep--
			continue
		}
		k.due.drop(at)
	}
}
