package keyspace

import "slices"

// list is a double-ended queue: buf[head:] with room on both sides.
type list struct {
	buf   []string
	head  int
	bytes int // of all items
}

func (l *list) len() int        { return len(l.buf) - l.head }
func (l *list) items() []string { return l.buf[l.head:] }

func (l *list) pushBack(s string) {
	if len(l.buf) == cap(l.buf) && l.head > len(l.buf)/2 {
		// A queue that is popped in front slides through its buffer: move it
		// back instead of growing.
		n := copy(l.buf, l.buf[l.head:])
		clear(l.buf[n:])
		l.buf, l.head = l.buf[:n], 0
	}
	l.buf = append(l.buf, s)
	l.bytes += len(s)
}

func (l *list) pushFront(s string) {
	if l.head == 0 {
		room := len(l.buf) + 4
		buf := make([]string, room+len(l.buf))
		copy(buf[room:], l.buf)
		l.buf, l.head = buf, room
	}
	l.head--
	l.buf[l.head] = s
	l.bytes += len(s)
}

// keep trims the list to items from to, without to itself.
func (l *list) keep(from, to int) {
	items := l.items()
	l.bytes -= textBytes(items[:from]) + textBytes(items[to:])
	clear(l.buf[l.head+to:])
	l.buf = l.buf[:l.head+to]
	clear(l.buf[l.head : l.head+from])
	l.head += from
}

// removeMatches deletes up to limit items equal to s, from the back if fromBack, and
// returns how many there were.
func (l *list) removeMatches(s string, limit int, fromBack bool) int {
	items := l.items()
	if fromBack {
		slices.Reverse(items)
	}
	removed := 0
	kept := slices.DeleteFunc(items, func(item string) bool {
		gone := removed < limit && item == s
		if gone {
			removed++
		}
		return gone
	})
	if fromBack {
		slices.Reverse(kept)
	}
	l.buf = l.buf[:l.head+len(kept)]
	l.bytes -= removed * len(s)
	return removed
}

func (l *list) clone() *list { return &list{buf: slices.Clone(l.items()), bytes: l.bytes} }

func textBytes(texts []string) int {
	n := 0
	for _, s := range texts {
		n += len(s)
	}
	return n
}

func (l *list) push(s string, front bool) {
	if front {
		l.pushFront(s)
		return
	}
	l.pushBack(s)
}

func (l *list) pop(front bool) string {
	s := l.end(front)
	l.bytes -= len(s)
	if front {
		l.buf[l.head] = ""
		l.head++
		return s
	}
	last := len(l.buf) - 1
	l.buf[last] = ""
	l.buf = l.buf[:last]
	return s
}

// end is the item that pop would take.
func (l *list) end(front bool) string {
	if front {
		return l.buf[l.head]
	}
	return l.buf[len(l.buf)-1]
}

// at is the position of an index, which counts from the end if it is negative.
func (l *list) at(index int64) (i int, ok bool) {
	n := int64(l.len())
	if index < 0 {
		index += n
	}
	return int(index), index >= 0 && index < n
}

func (l *list) put(i int, s string) {
	at := &l.items()[i]
	l.bytes += len(s) - len(*at)
	*at = s
}

// insert puts an item before position i.
func (l *list) insert(i int, s string) {
	l.buf = slices.Insert(l.buf, l.head+i, s)
	l.bytes += len(s)
}
