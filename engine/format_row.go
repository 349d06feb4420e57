package engine

import "strings"

// rowText is a row as it was committed, and what a transaction has made of it.
func (k Key) rowText() string {
	var parts []string
	if k.Items != nil {
		parts = append(parts, k.Value())
	}
	switch p := k.Pending; {
	case p.By == "":
	case p.Items == nil:
		parts = append(parts, p.By+" has deleted it, uncommitted")
	default:
		parts = append(parts, p.By+" has written "+Key{Type: RowKey, Items: p.Items}.Value()+", uncommitted")
	}
	return strings.Join(parts, "; ")
}

// lastValue is what a key held that is gone; of a row that was never committed, what its transaction had written.
func (k *Key) lastValue() string {
	if k.Type == RowKey && k.Items == nil {
		return Key{Type: RowKey, Items: k.Pending.Items}.Value() + " of " + k.Pending.By + ", uncommitted"
	}
	return k.Value()
}

// pendingChanges is what became of what transactions have written of a row and not committed. A
// change of what is committed speaks for itself.
func (c Change) pendingChanges(committed bool) []string {
	was, now := c.Old.Pending, c.New.Pending
	switch {
	case was.equal(now) || now.By == "" && committed:
		return nil
	case now.By == "":
		return []string{was.By + " has nothing uncommitted there any more"}
	case now.Items == nil:
		return []string{now.By + " has deleted it, uncommitted"}
	case c.New.Items == nil:
		return []string{c.New.rowText()}
	}
	changes := itemChanges(&Key{Type: RowKey, Items: c.New.Items}, &Key{Type: RowKey, Items: now.Items})
	return []string{now.By + " has written " + strings.Join(changes, ", ") + ", uncommitted"}
}

// String is the lock as a person writes it.
func (h Hold) String() string {
	if h.Waits {
		return h.Actor + " waits for " + string(h.Mode) + " on " + h.Key
	}
	return h.Actor + " has " + string(h.Mode) + " on " + h.Key
}
