package ui

import (
	"cmp"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
)

// delta compares a key, or an item in it, with its state before the step.
type delta string

const (
	deltaNone    delta = ""
	deltaNew     delta = "new"
	deltaGone    delta = "gone"
	deltaChanged delta = "changed"
)

func (d delta) class(class string) string { return with(class, d != deltaNone, "d-"+string(d)) }

// keyRow is one key of the page, compared with its state before the step.
type keyRow struct {
	engine.Key
	Node    string
	Delta   delta
	Expired bool   // with deltaGone: its deadline has passed
	Lost    bool   // with deltaGone: its node lost it
	Undone  bool   // what a transaction had written of the row is rolled back
	OldText string // with deltaChanged; empty: the text is as it was
	Rows    []itemRow
	TTL     *ttl
}

// itemRow is one field, element or member.
type itemRow struct {
	engine.Item
	Old   string
	Delta delta
}

// ttl is a key's remaining life in virtual time.
type ttl struct {
	Left, Full time.Duration  // Full is Left at the step that set the deadline
	Old        *time.Duration // left of the deadline before the step; nil: the step set none, or WasNone
	WasNone    bool           // the key was there before the step, without a deadline
}

// keyRows lists a node's keys, and those that the step removed: first the changed ones, then the others,
// both by name. On a line of a script, that line stands for the step.
func keyRows(v *View, node engine.NodeView) []keyRow {
	step := v.Step()
	var changes []engine.Change
	switch {
	case v.Line > 0:
		node, changes = lineKeys(v, node)
	case step != nil:
		changes = step.Changes
	}
	var rows []keyRow
	for _, k := range node.Keys {
		row := keyRow{Key: k, Node: node.Node, Rows: itemRows(&k, &k), TTL: ttlOf(v, node.Node, k)}
		if c, ok := engine.ChangeOf(changes, node.Node, k.Name); ok {
			row.compare(step, c)
		}
		rows = append(rows, row)
	}
	for _, c := range changes {
		if c.Node == node.Node && c.New == nil && c.Old != nil {
			row := keyRow{Key: *c.Old, Node: c.Node, Rows: itemRows(c.Old, c.Old), Delta: deltaGone, Lost: lost(step, c), Undone: insertedOnly(*c.Old)}
			_, row.Expired = step.ExpiryOf(c)
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b keyRow) int {
		return cmp.Or(trueFirst(a.Delta != deltaNone, b.Delta != deltaNone), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

// compare fills in the row's differences from a change of its key.
func (r *keyRow) compare(step *engine.Step, c engine.Change) {
	if c.Old == nil {
		r.Delta = deltaNew
		return
	}
	r.Delta = deltaChanged
	r.Undone = c.Old.Pending.By != "" && r.Pending.By == "" && !slices.Equal(r.Items, c.Old.Pending.Items)
	if c.Old.Type == r.Type {
		r.Rows = itemRows(c.Old, &r.Key)
		if c.Old.Text != r.Text {
			r.OldText = c.Old.Text
		}
	}
	if r.TTL != nil && c.Old.Deadline != r.Deadline {
		if c.Old.Deadline == engine.NoDeadline {
			r.TTL.WasNone = true
		} else {
			was := c.Old.Deadline - step.At
			r.TTL.Old = &was
		}
	}
}

func (r keyRow) textChanged() bool {
	return r.Type == engine.StringKey && r.Delta == deltaChanged && r.OldText != ""
}

// ttlOf measures a key's life; nil: it has no deadline.
func ttlOf(v *View, node string, k engine.Key) *ttl {
	if k.Deadline == engine.NoDeadline {
		return nil
	}
	here, _ := v.Snapshot().Node(node)
	left := k.Deadline - v.Snapshot().Now
	full := left
	from := v.Pos
	if v.Line > 0 {
		from-- // the rest of the script has not happened yet
	}
	for n := from; n >= 0; n-- {
		at := v.Trace.At(n)
		view, _ := at.Node(node)
		was, ok := view.Key(k.Name)
		if !ok || was.Deadline+view.Clock != k.Deadline+here.Clock { // by the node's clock, whose jumps move no deadline
			break
		}
		full = was.Deadline - at.Now
	}
	return &ttl{Left: left, Full: full}
}

// permille is the part of the lease that is left, 0 to 1000.
func (t ttl) permille() int {
	if t.Full <= 0 {
		return 0
	}
	return int(min(1000, 1000*t.Left/t.Full))
}

// itemRows compares two states of one compound value. A list has its removed items at their places;
// every other type has the items of now, then the removed ones.
func itemRows(was, now *engine.Key) []itemRow {
	if now.Type == engine.ListKey {
		return listRows(was.Items, now.Items)
	}
	var rows []itemRow
	for _, it := range now.Items {
		row := itemRow{Item: it}
		switch old, existed := was.Get(it.Name); {
		case !existed:
			row.Delta = deltaNew
		case old != it.Value:
			row.Delta, row.Old = deltaChanged, old
		}
		rows = append(rows, row)
	}
	for _, it := range was.Items {
		if _, stays := now.Get(it.Name); !stays {
			rows = append(rows, itemRow{Item: it, Delta: deltaGone})
		}
	}
	return rows
}

// listRows tells pushed and popped items from those that stay, the longest common subsequence. Equal
// ends are skipped first: lists change at their ends, and the search is quadratic.
func listRows(was, now []engine.Item) []itemRow {
	head, tail := 0, 0
	for head < min(len(was), len(now)) && was[head].Value == now[head].Value {
		head++
	}
	for tail < min(len(was), len(now))-head && was[len(was)-1-tail].Value == now[len(now)-1-tail].Value {
		tail++
	}
	changed := changedRows(was[head:len(was)-tail], now[head:len(now)-tail])
	return slices.Concat(rowsWith(now[:head], deltaNone), changed, rowsWith(now[len(now)-tail:], deltaNone))
}

func rowsWith(items []engine.Item, d delta) []itemRow {
	rows := make([]itemRow, len(items))
	for i, it := range items {
		rows[i] = itemRow{Item: it, Delta: d}
	}
	return rows
}

// changedRows keeps the longest common subsequence of two lists. Its table has a cell for each pair of
// items. Above a bound on the cells, all items are gone or new.
func changedRows(was, now []engine.Item) []itemRow {
	const most = 1 << 16
	if len(was)*len(now) > most {
		return append(rowsWith(was, deltaGone), rowsWith(now, deltaNew)...)
	}
	common := make([][]int, len(was)+1)
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i, a := range slices.Backward(was) {
		for j, b := range slices.Backward(now) {
			if a.Value == b.Value {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var rows []itemRow
	for i, j := 0, 0; i < len(was) || j < len(now); {
		switch {
		case i < len(was) && j < len(now) && was[i].Value == now[j].Value:
			rows = append(rows, itemRow{Item: now[j]})
			i, j = i+1, j+1
		case i < len(was) && (j == len(now) || common[i+1][j] >= common[i][j+1]):
			rows = append(rows, itemRow{Item: was[i], Delta: deltaGone})
			i++
		default:
			rows = append(rows, itemRow{Item: now[j], Delta: deltaNew})
			j++
		}
	}
	return rows
}

// badge is the word beside a key that the step changed; empty for the others.
func (r keyRow) badge(lang lessons.Lang) string {
	switch {
	case r.Expired:
		return keyExpired.in(lang)
	case r.Lost:
		return keyLost.in(lang)
	case r.Undone:
		return rowUndone.in(lang)
	case r.Delta == deltaGone:
		return keyDeleted.in(lang)
	case r.Delta == deltaNew:
		return keyNew.in(lang)
	case r.Delta == deltaChanged:
		return keyChanged.in(lang)
	}
	return ""
}
