package lua

import "unsafe"

// What code holds is not known while it runs: the collector of Go sees to it, and
// on its own time. So each byte that is taken counts, and when the count says that
// the limit may be reached, all that the code can still reach is added up.

// Take counts bytes that a value takes, before it is made. It ends code that holds
// too many.
func (g *shared) Take(n int) {
	g.taken += int64(n)
	if g.taken > g.room {
		g.weigh()
	}
}

// weigh adds up what the code holds. It is next done only after a good part
// of the limit has been taken, so that it takes no more time than taking did.
func (g *shared) weigh() {
	held := g.held()
	if held > g.memory {
		g.exceeded = true
		g.running.stop()
	}
	g.taken, g.room = 0, max(g.memory-held, g.memory/4)
}

// held is how many bytes the code can reach.
func (g *shared) held() int64 {
	l := &look{number: g.looks + 1, strings: map[*byte]bool{}}
	g.looks = l.number
	l.value(g.globals)
	l.value(g.main)
	l.value(g.running)
	for len(l.open) > 0 {
		object := l.open[len(l.open)-1]
		l.open = l.open[:len(l.open)-1]
		l.into(object)
	}
	if g.outside != nil {
		l.sum += g.outside()
	}
	return l.sum + g.kept
}

// CountToo has a function tell how many bytes the code holds that it cannot reach.
func (g *shared) CountToo(outside func() int64) { g.outside = outside }

// Keep counts bytes that a function of Go holds while it works, and that are on no
// stack. It takes them back with a negative number.
func (g *shared) Keep(n int) {
	g.kept += int64(n)
	if n > 0 {
		g.Take(n)
	}
}

// look adds up what objects lead to.
type look struct {
	number  uint32
	sum     int64
	open    []Value // objects that are counted, but not what is in them
	strings map[*byte]bool
}

// longString is the length of a string that is counted only once, wherever it is.
const longString = 64

// first tells whether an object was not met before.
func (l *look) first(i *identity, size int) bool {
	if i.looked == l.number {
		return false
	}
	i.looked = l.number
	l.sum += int64(size)
	return true
}

func (l *look) value(v Value) {
	switch v := v.(type) {
	case string:
		if len(v) >= longString {
			data := unsafe.StringData(v)
			if l.strings[data] {
				return
			}
			l.strings[data] = true
		}
		l.sum += int64(len(v))
	case *Table:
		if l.first(&v.identity, sizeOfTable) {
			l.open = append(l.open, v)
		}
	case *Function:
		if l.first(&v.identity, sizeOfFunction) {
			l.open = append(l.open, v)
		}
	case *State:
		if l.first(&v.identity, sizeOfState) {
			l.open = append(l.open, v)
		}
	}
}

func (l *look) into(object Value) {
	switch o := object.(type) {
	case *Table:
		l.sum += int64(len(o.array)*sizeOfValue + len(o.nodes)*sizeOfNode)
		if o.meta != nil {
			l.value(o.meta)
		}
		for _, v := range o.array {
			l.value(v)
		}
		for i := range o.nodes {
			l.value(o.nodes[i].key)
			l.value(o.nodes[i].value)
		}
	case *Function:
		for _, v := range o.values {
			l.value(v)
		}
		if c := o.chunk; c != nil && c.looked != l.number {
			c.looked = l.number
			l.sum += int64(c.size)
		}
		for _, u := range o.upvalues {
			l.sum += sizeOfUpvalue
			l.value(*u.at)
		}
	case *State:
		o.clear()
		l.sum += int64(len(o.stack)*sizeOfValue + len(o.calls)*sizeOfCall)
		for _, v := range o.stack {
			l.value(v)
		}
		for _, c := range o.calls[:o.depth+1] {
			if c.fn != nil {
				l.value(c.fn)
			}
		}
	}
}
