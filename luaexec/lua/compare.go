package lua

import (
	"fmt"
	"strings"
)

// Equal is a == b.
func (L *State) Equal(a, b Value) bool {
	if RawEqual(a, b) {
		return true
	}
	var m, n *Table
	switch ref := a.ref.(type) {
	case *Table:
		other, ok := b.ref.(*Table)
		if !ok {
			return false
		}
		m, n = ref.meta, other.meta
	case *Userdata:
		other, ok := b.ref.(*Userdata)
		if !ok {
			return false
		}
		m, n = ref.meta, other.meta
	default:
		return false
	}
	if m == nil || n == nil {
		return false
	}
	f := m.event(eventEq)
	if f.ref == nil || m != n && !RawEqual(f, n.event(eventEq)) {
		return false
	}
	return L.compareMeta(f, a, b)
}

func (L *State) compareMeta(f, a, b Value) bool {
	L.callMeta(L.top, f, a, b)
	return !L.stack[L.top].isFalse()
}

// orderMeta calls a metamethod that both operands share.
func (L *State) orderMeta(e event, a, b Value) (result, ok bool) {
	f := L.metamethod(a, e)
	if f.ref == nil || !RawEqual(f, L.metamethod(b, e)) {
		return false, false
	}
	return L.compareMeta(f, a, b), true
}

// LessThan is a < b.
func (L *State) LessThan(a, b Value) bool {
	if a.isNumber() && b.isNumber() {
		return a.num < b.num
	}
	if s, ok := a.ref.(*text); ok {
		if t, ok := b.ref.(*text); ok {
			return compareStrings(s.s, t.s) < 0
		}
	}
	if a.Kind() == b.Kind() {
		if r, ok := L.orderMeta(eventLt, a, b); ok {
			return r
		}
	}
	L.orderError(a, b)
	return false
}

// lessEqual is a <= b.
func (L *State) lessEqual(a, b Value) bool {
	if a.isNumber() && b.isNumber() {
		return a.num <= b.num
	}
	if s, ok := a.ref.(*text); ok {
		if t, ok := b.ref.(*text); ok {
			return compareStrings(s.s, t.s) <= 0
		}
	}
	if a.Kind() == b.Kind() {
		if r, ok := L.orderMeta(eventLe, a, b); ok {
			return r
		}
		if r, ok := L.orderMeta(eventLt, b, a); ok {
			return !r
		}
	}
	L.orderError(a, b)
	return false
}

// concat joins the values in stack slots from first to last into first: strings
// and numbers all at once, from the right.
func (L *State) concat(first, last int) {
	for last > first {
		if L.textAt(last-1) == nil || L.textAt(last) == nil {
			if !L.binary(eventConcat, L.stack[last-1], L.stack[last], last-1) {
				L.concatError(last-1, last)
			}
			last--
			continue
		}
		n, size := 0, 0
		for i := last; i >= first; i-- {
			t := L.textAt(i)
			if t == nil {
				break
			}
			size += len(t.s)
			n++
		}
		L.ChargeString(size)
		var joined strings.Builder
		joined.Grow(size)
		for i := last - n + 1; i <= last; i++ {
			joined.WriteString(L.textAt(i).s)
		}
		last -= n - 1
		L.stack[last] = String(joined.String())
	}
}

// textAt is the string in a slot; a number there becomes one. Otherwise nil.
func (L *State) textAt(i int) *text {
	switch ref := L.stack[i].ref.(type) {
	case *text:
		return ref
	case numberTag:
		t := &text{s: FormatNumber(L.stack[i].num)}
		L.stack[i] = Value{ref: t}
		return t
	}
	return nil
}

// ToStringMeta is tostring(v).
func (L *State) ToStringMeta(v Value) Value {
	if f := L.MetaField(v, "__tostring"); f.ref != nil {
		L.Push(f)
		L.Push(v)
		L.Call(1, 1)
		L.top--
		return L.stack[L.top]
	}
	return String(Describe(v))
}

// Describe writes a value as tostring does without metatables. The addresses of
// objects tell the order in which they were made: real ones would differ from run
// to run.
func Describe(v Value) string {
	var id uint32
	switch ref := v.ref.(type) {
	case nil:
		return "nil"
	case bool:
		if ref {
			return "true"
		}
		return "false"
	case numberTag, *text:
		s, _ := v.ToString()
		return s
	case lightUserdata:
		return "userdata: (nil)"
	case *Table:
		id = ref.id
	case *Function:
		id = ref.id
	case *State:
		id = ref.id
	case *Userdata:
		id = ref.id
	}
	const heap = 0x7f00_0000_0000
	return fmt.Sprintf("%v: 0x%012x", v.Kind(), heap+uint64(id)*16)
}
