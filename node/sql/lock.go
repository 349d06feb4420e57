package sql

import "slices"

// lockKind is what a lock covers.
type lockKind uint8

const (
	onRow  lockKind = iota // the record alone
	onGap                  // what could be inserted before it
	insert                 // the intention to insert before it
)

// lock is one that a transaction has, or waits for.
type lock struct {
	of     *transaction
	table  *table
	record *record
	mode   mode
	kind   lockKind
	waits  bool
	part   *lockStruct
}

// lockStruct is what InnoDB counts when it weighs transactions: locks of one mode and kind on
// rows of one page share one.
type lockStruct struct {
	table   string
	mode    mode
	kind    lockKind
	end     bool // on the supremum, where a lock on the gap is of another kind to InnoDB
	onTable bool // the intention to lock rows
	waits   bool
}

// intend takes the lock on a table that comes before locks on its rows.
func (t *transaction) intend(table string, m mode) {
	has := func(s *lockStruct) bool { return s.onTable && s.table == table && covers(s.mode, m) }
	if !slices.ContainsFunc(t.structs, has) {
		t.structs = append(t.structs, &lockStruct{table: table, mode: m, onTable: true})
	}
}

// covers tells whether a mode is at least as strong as another one.
func covers(have, want mode) bool { return have == exclusive || want == shared }

// has tells whether a transaction already holds a lock.
func (r *record) has(t *transaction, m mode, kind lockKind) bool {
	return slices.ContainsFunc(r.locks, func(l *lock) bool {
		return l.of == t && !l.waits && l.kind == kind && kind != insert && covers(l.mode, m)
	})
}

// conflicts tells whether a request must wait for a lock (lock_rec_has_to_wait). Locks on
// gaps stop nothing but insertions, and nothing waits for those.
func conflicts(t *transaction, m mode, kind lockKind, l *lock) bool {
	if l.of == t || m == shared && l.mode == shared {
		return false
	}
	switch kind {
	case onRow:
		return l.kind == onRow
	case insert:
		return l.kind == onGap
	case onGap:
	}
	return false
}

// blocked tells whether a request would have to wait. Who has written a row holds it, even
// without a lock.
func (r *record) blocked(t *transaction, m mode, kind lockKind) bool {
	return kind == onRow && r.writer != nil && r.writer != t ||
		slices.ContainsFunc(r.locks, func(l *lock) bool { return conflicts(t, m, kind, l) })
}

// explicit makes a lock of what the writer of a row holds without one, since another asks for it.
func (t *table) explicit(r *record, asks *transaction) {
	if r.writer != nil && r.writer != asks && !r.has(r.writer, exclusive, onRow) {
		t.grantNew(r.writer, r, exclusive, onRow)
	}
}

// grantNew gives a transaction a lock, unless it has it.
func (t *table) grantNew(of *transaction, r *record, m mode, kind lockKind) {
	if r.has(of, m, kind) {
		return
	}
	l := &lock{of: of, table: t, record: r, mode: m, kind: kind}
	if !slices.ContainsFunc(r.locks, func(o *lock) bool { return o.waits }) { // else it gets a struct of its own
		for _, s := range of.structs {
			if !s.onTable && s.table == t.name && s.mode == m && s.kind == kind && s.end == r.end && !s.waits {
				l.part = s
			}
		}
	}
	if l.part == nil {
		l.part = &lockStruct{table: t.name, mode: m, kind: kind, end: r.end}
		of.structs = append(of.structs, l.part)
	}
	r.locks = append(r.locks, l)
}

// ahead is whose lock a waiting one waits for: the first in the queue that it conflicts with.
func ahead(waits *lock) *transaction {
	for _, l := range waits.record.locks {
		if l == waits {
			break
		}
		if conflicts(waits.of, waits.mode, waits.kind, l) {
			return l.of
		}
	}
	return nil
}

// inherit gives a new record the locks on the gap that it divides.
func (t *table) inherit(r, next *record) {
	for _, l := range slices.Clone(next.locks) {
		if l.kind == onGap {
			t.grantNew(l.of, r, l.mode, onGap)
		}
	}
}

// grant gives the locks of a record that wait what they can have now.
func grant(r *record) {
	for _, l := range slices.Clone(r.locks) {
		if !l.waits {
			continue
		}
		if b := ahead(l); b != nil {
			l.of.blocker = b
			continue
		}
		l.waits, l.part.waits = false, false
		l.of.waits, l.of.blocker = nil, nil
	}
}

// moved tells of a row whose size changes: InnoDB takes it out and puts it back, and each request that waits for
// it gets a struct of its own both times, besides the one that it had.
func (r *record) moved() {
	for _, l := range r.locks {
		if l.waits {
			for range 2 {
				l.of.structs = append(l.of.structs, &lockStruct{table: l.table.name, mode: l.mode, kind: l.kind})
			}
		}
	}
}

// sameSize tells whether two values of one column take as many bytes: numbers do.
func sameSize(a, b Value) bool { return a.kind == b.kind && len(a.str) == len(b.str) }

// forgo ends a wait for a lock.
func (t *transaction) forgo() {
	l := t.waits
	t.waits, t.blocker = nil, nil
	l.record.locks = slices.DeleteFunc(l.record.locks, func(o *lock) bool { return o == l })
	t.structs = slices.DeleteFunc(t.structs, func(s *lockStruct) bool { return s == l.part })
	grant(l.record)
}

// unlock gives a lock on a row back before the transaction ends, as READ COMMITTED does.
func (t *transaction) unlock(r *record, m mode) {
	r.locks = slices.DeleteFunc(r.locks, func(l *lock) bool { return l.of == t && !l.waits && l.kind == onRow && l.mode == m })
	grant(r)
}

// remove takes a record out of its table. Its gap joins that of the next one, and those that
// waited for it look again.
func (t *table) remove(r *record) {
	i, _ := t.find(r.key)
	t.records = slices.Delete(t.records, i, i+1)
	heir := t.at(i)
	for _, l := range slices.Clone(r.locks) {
		if l.kind != insert && (l.of.isolation != readCommitted || l.mode != exclusive) {
			t.grantNew(l.of, heir, l.mode, onGap)
		}
	}
	for _, l := range r.locks {
		if l.waits {
			l.of.waits, l.of.blocker = nil, nil
			l.part.waits = false // it stays, and weighs: InnoDB clears the lock's bit alone
		}
	}
	r.locks = nil
}
