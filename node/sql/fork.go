package sql

import (
	"maps"
	"slices"

	"lockstep/engine"
)

// fork copies a node. Versions, rows and statements are never changed, and are shared.
type fork struct {
	tables       map[*table]*table
	records      map[*record]*record
	transactions map[*transaction]*transaction
	structs      map[*lockStruct]*lockStruct
	locks        map[*lock]*lock
}

// Fork is an independent copy.
func (n *Node) Fork() engine.Node {
	f := fork{
		tables:       map[*table]*table{},
		records:      map[*record]*record{},
		transactions: map[*transaction]*transaction{nil: nil},
		structs:      map[*lockStruct]*lockStruct{},
		locks:        map[*lock]*lock{nil: nil},
	}
	out := *n
	out.answers = slices.Clone(n.answers)
	out.connections, out.tables = nil, nil
	for _, c := range n.connections {
		out.connections = append(out.connections, f.connection(c))
	}
	for _, t := range n.tables {
		out.tables = append(out.tables, f.table(t))
	}
	for _, c := range n.connections {
		if c.transaction != nil {
			f.join(c.transaction)
		}
	}
	return &out
}

// connection copies a connection with its transaction, all but what refers to rows.
func (f *fork) connection(c *connection) *connection {
	out := *c
	out.named = maps.Clone(c.named)
	if c.running != nil {
		r := *c.running
		r.result = slices.Clone(r.result)
		out.running = &r
	}
	if t := c.transaction; t != nil {
		copied := *t
		copied.connection, copied.structs = &out, nil
		for _, s := range t.structs {
			part := *s
			f.structs[s] = &part
			copied.structs = append(copied.structs, &part)
		}
		out.transaction = &copied
		f.transactions[t] = &copied
	}
	return &out
}

func (f *fork) table(t *table) *table {
	out := *t
	f.tables[t] = &out
	out.records = make([]*record, len(t.records))
	for i, r := range t.records {
		out.records[i] = f.record(r, &out)
	}
	out.end = f.record(t.end, &out)
	return &out
}

func (f *fork) record(r *record, t *table) *record {
	out := *r
	f.records[r] = &out
	out.writer, out.written = f.transactions[r.writer], slices.Clone(r.written)
	out.locks = make([]*lock, len(r.locks))
	for i, l := range r.locks {
		out.locks[i] = &lock{f.transactions[l.of], t, &out, l.mode, l.kind, l.waits, f.structs[l.part]}
		f.locks[l] = out.locks[i]
	}
	return &out
}

// join has the copy of a transaction refer to the copies of rows and locks.
func (f *fork) join(t *transaction) {
	out := f.transactions[t]
	out.undo = make([]change, len(t.undo))
	for i, c := range t.undo {
		out.undo[i] = change{f.tables[c.table], f.records[c.record], c.fresh}
	}
	out.waits, out.blocker = f.locks[t.waits], f.transactions[t.blocker]
}
