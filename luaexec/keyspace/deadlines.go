package keyspace

// deadline is a record of the heap of deadlines.
type deadline struct {
	at     int64
	key    string
	record uint64 // what the key's entry has, while this is its deadline
}

func (k *Keyspace) alive(d *deadline) bool {
	e := k.keys[d.key]
	return e != nil && e.record == d.record && e.deadline == d.at
}

// maxDead bounds the dead records of a heap with few living ones.
const maxDead = 64

// addDeadline records the deadline of the writable entry e.
func (k *Keyspace) addDeadline(name string, e *entry) {
	if len(k.due) >= 2*k.timed+maxDead {
		k.sweepDead()
	}
	k.records++
	e.record = k.records
	k.due = append(k.due, deadline{at: e.deadline, key: name, record: e.record})
	k.raise(len(k.due) - 1)
}

// sweepStep is how many records a sweep looks at: more than one, so that it
// overtakes the records that come and die meanwhile, and few, because it is part
// of a command.
const sweepStep = 8

// sweepDead drops dead records, some more each time, from the end of the heap to
// its top: what takes the place of a record comes from behind it and has been
// looked at.
func (k *Keyspace) sweepDead() {
	for range sweepStep {
		if k.sweep <= 0 || k.sweep > len(k.due) {
			k.sweep = len(k.due)
		}
		if k.sweep == 0 {
			return
		}
		at := k.sweep - 1
		if k.alive(&k.due[at]) {
			k.sweep--
			continue
		}
		k.dropDeadline(at)
	}
}

// dropDeadline takes one record out of the heap.
func (k *Keyspace) dropDeadline(at int) {
	last := len(k.due) - 1
	k.due[at] = k.due[last]
	k.due[last] = deadline{}
	k.due = k.due[:last]
	if at < last {
		k.lower(at)
		k.raise(at)
	}
}

// raise moves a record up to its place.
func (k *Keyspace) raise(i int) {
	h := k.due
	d := h[i]
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

// lower moves a record down to its place.
func (k *Keyspace) lower(i int) {
	h := k.due
	d := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].at < h[child].at {
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

// forgetDeadlines empties a heap without living records.
func (k *Keyspace) forgetDeadlines() {
	if cap(k.due) > 2*maxDead {
		k.due = nil
		return
	}
	clear(k.due)
	k.due = k.due[:0]
}
