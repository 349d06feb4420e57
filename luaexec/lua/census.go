package lua

// counter walks over all that code can reach and adds up what it takes.
type counter struct {
	epoch   uint32
	bytes   int64
	pending []any
}

// census is how many bytes the interpreter's threads hold: an estimate that
// counts each table, string, function and thread once.
func (w *world) census() int64 {
	w.epoch++
	c := &counter{epoch: w.epoch}
	c.object(w.main)
	c.object(w.current)
	c.object(w.globals)
	for len(c.pending) > 0 {
		object := c.pending[len(c.pending)-1]
		c.pending = c.pending[:len(c.pending)-1]
		switch o := object.(type) {
		case *Table:
			c.table(o)
		case *Function:
			c.function(o)
		case *State:
			c.thread(o)
		}
	}
	return c.bytes
}

// object notes something that may hold more, once.
func (c *counter) object(object any) {
	var mark *uint32
	switch o := object.(type) {
	case *Table:
		mark = &o.mark
	case *Function:
		mark = &o.mark
	case *State:
		mark = &o.mark
	default:
		return
	}
	if *mark != c.epoch {
		*mark = c.epoch
		c.pending = append(c.pending, object)
	}
}

func (c *counter) value(v Value) {
	t, ok := v.ref.(*text)
	if !ok {
		c.object(v.ref)
		return
	}
	if !t.shared && t.mark != c.epoch {
		t.mark = c.epoch
		c.bytes += int64(len(t.s)) + slotBytes
	}
}

func (c *counter) table(t *Table) {
	c.bytes += tableBytes + int64(len(t.array))*slotBytes + int64(len(t.node))*nodeBytes
	for _, v := range t.array {
		c.value(v)
	}
	for i := range t.node {
		if n := &t.node[i]; n.value.ref != nil {
			c.value(n.key)
			c.value(n.value)
		}
	}
	if t.meta != nil {
		c.object(t.meta)
	}
}

func (c *counter) function(f *Function) {
	c.bytes += closureBytes + int64(len(f.upvalues))*upvalueBytes
	for _, u := range f.upvalues {
		if u.mark != c.epoch {
			u.mark = c.epoch
			c.value(*u.value)
		}
	}
	for _, v := range f.held {
		c.value(v)
	}
}

func (c *counter) thread(t *State) {
	c.bytes += coroutineBytes + int64(len(t.stack))*slotBytes
	top := t.top
	if t.call.proto() != nil {
		top = max(top, t.call.top)
	}
	for _, v := range t.stack[:min(top, len(t.stack))] {
		c.value(v)
	}
	if t.resumer != nil {
		c.object(t.resumer)
	}
}
