package lua

import (
	"math"
	"strings"
)

// maxMetaSteps is how many metatables a chain of __index or __newindex may have.
const maxMetaSteps = 100

// Metafield is a field of the metatable of a value.
func (L *State) Metafield(v Value, event string) Value { return L.metamethod(v, event) }

func (L *State) metamethod(v Value, event string) Value {
	meta := L.Metatable(v)
	if meta == nil {
		return nil
	}
	return meta.GetString(event)
}

// callMeta calls a metamethod and gives its first result.
func (L *State) callMeta(f Value, args ...Value) Value {
	L.ensure(len(args) + 1)
	at := L.top
	L.stack[at] = f
	L.top = at + 1 + copy(L.stack[at+1:], args)
	L.callAt(at, 1)
	L.top = at
	return L.stack[at]
}

// index is t[key]; at is where on the stack t is, or -1.
func (L *State) index(t, key Value, at int) Value {
	for range maxMetaSteps {
		var f Value
		if table, ok := t.(*Table); ok {
			v := table.Get(key)
			if v != nil || table.meta == nil {
				return v
			}
			if f = table.meta.GetString("__index"); f == nil {
				return nil
			}
		} else if f = L.metamethod(t, "__index"); f == nil {
			L.typeError(t, at, "index")
		}
		if _, ok := f.(*Function); ok {
			return L.callMeta(f, t, key)
		}
		t, at = f, -1
	}
	L.errorf("loop in gettable")
	return nil
}

// Index is t[key] as code has it.
func (L *State) Index(t, key Value) Value { return L.index(t, key, -1) }

// setIndex is t[key] = value; at is where on the stack t is, or -1.
func (L *State) setIndex(t, key, value Value, at int) {
	for range maxMetaSteps {
		var f Value
		if table, ok := t.(*Table); ok {
			if table.readOnly {
				L.errorf(ReadOnlyMessage)
			}
			slot := L.slot(table, key)
			if *slot != nil || table.meta == nil {
				*slot = value
				return
			}
			if f = table.meta.GetString("__newindex"); f == nil {
				*slot = value
				return
			}
		} else if f = L.metamethod(t, "__newindex"); f == nil {
			L.typeError(t, at, "index")
		}
		if _, ok := f.(*Function); ok {
			L.callMeta(f, t, key, value)
			return
		}
		t, at = f, -1
	}
	L.errorf("loop in settable")
}

// ReadOnlyMessage is what a write to a table that is read-only ends with.
const ReadOnlyMessage = "Attempt to modify a readonly table"

// slot is the place of a key that code gave.
func (L *State) slot(t *Table, key Value) *Value {
	switch k := key.(type) {
	case nil:
		L.errorf("table index is nil")
	case float64:
		if k != k {
			L.errorf("table index is NaN")
		}
	}
	return t.slot(key)
}

// Set writes a field of a table without its metatable. The error of a key that
// cannot be one has no position.
func (L *State) Set(t *Table, key, value Value) { *L.slot(t, key) = value }

var operators = [...]struct {
	event   string
	compute func(a, b float64) float64
}{
	opAdd: {"__add", func(a, b float64) float64 { return a + b }},
	opSub: {"__sub", func(a, b float64) float64 { return a - b }},
	opMul: {"__mul", func(a, b float64) float64 { return a * b }},
	opDiv: {"__div", func(a, b float64) float64 { return a / b }},
	opMod: {"__mod", modulo},
	opPow: {"__pow", math.Pow},
	opUnm: {"__unm", func(a, _ float64) float64 { return -a }},
}

// arithmetic is an operation whose operands are not both numbers. The places of
// the operands on the stack are those of their registers.
func (L *State) arithmetic(op opcode, a, b Value, atA, atB int) Value {
	x, okX := ToNumber(a)
	y, okY := ToNumber(b)
	if okX && okY {
		return compute(op, x, y)
	}
	f := L.metamethod(a, operators[op].event)
	if f == nil {
		f = L.metamethod(b, operators[op].event)
	}
	if f != nil {
		return L.callMeta(f, a, b)
	}
	if okX {
		a, atA = b, atB
	}
	L.typeError(a, atA, "perform arithmetic on")
	return nil
}

func compute(op opcode, x, y float64) Value {
	if op == opUnm {
		return Number(-x)
	}
	return Number(Result(operators[op].compute(x, y), x, y))
}

// equal is a == b.
func (L *State) equal(a, b Value) bool {
	if a == b {
		return true
	}
	s, ok := a.(*Table)
	if !ok || s.meta == nil {
		return false
	}
	t, ok := b.(*Table)
	if !ok || t.meta == nil {
		return false
	}
	f := s.meta.GetString("__eq")
	if f == nil || s.meta != t.meta && f != t.meta.GetString("__eq") {
		return false
	}
	return Truth(L.callMeta(f, a, b))
}

// Less is a < b.
func (L *State) Less(a, b Value) bool {
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok {
			return x < y
		}
	case string:
		if y, ok := b.(string); ok {
			return x < y
		}
	default:
		if less, ok := L.order("__lt", a, b); ok {
			return less
		}
	}
	L.compareError(a, b)
	return false
}

func (L *State) lessOrEqual(a, b Value) bool {
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok {
			return x <= y
		}
	case string:
		if y, ok := b.(string); ok {
			return x <= y
		}
	default:
		if less, ok := L.order("__le", a, b); ok {
			return less
		}
		if less, ok := L.order("__lt", b, a); ok {
			return !less
		}
	}
	L.compareError(a, b)
	return false
}

// order asks a metamethod that both values must have.
func (L *State) order(event string, a, b Value) (less, ok bool) {
	if TypeName(a) != TypeName(b) {
		return false, false
	}
	f := L.metamethod(a, event)
	if f == nil || f != L.metamethod(b, event) {
		return false, false
	}
	return Truth(L.callMeta(f, a, b)), true
}

// length is #v.
func (L *State) length(v Value, at int) Value {
	switch v := v.(type) {
	case *Table:
		return Int(v.Len())
	case string:
		return Int(len(v))
	}
	if f := L.metamethod(v, "__len"); f != nil {
		return L.callMeta(f, v, nil)
	}
	L.typeError(v, at, "get length of")
	return nil
}

// concat joins the values of some registers, from the last to the first: as many at
// once as are strings or numbers. What it comes to is in the first one.
func (L *State) concat(first, last int) {
	for last > first {
		a, b := L.stack[last-1], L.stack[last]
		right, ok := ToString(b)
		_, leftOK := ToString(a)
		if !ok || !leftOK {
			f := L.metamethod(a, "__concat")
			if f == nil {
				f = L.metamethod(b, "__concat")
			}
			switch {
			case f != nil:
				v := L.callMeta(f, a, b)
				L.stack[last-1] = v
			case leftOK:
				L.typeError(b, last, "concatenate")
			default:
				L.typeError(a, last-1, "concatenate")
			}
			last--
			continue
		}
		from, size := last, len(right)
		for from > first {
			s, ok := ToString(L.stack[from-1])
			if !ok {
				break
			}
			from--
			size += len(s)
		}
		L.stack[from] = L.join(L.stack[from:last+1], size)
		last = from
	}
}

func (L *State) join(values []Value, size int) Value {
	L.TakeString(size)
	var b strings.Builder
	b.Grow(size)
	for _, v := range values {
		switch v := v.(type) {
		case string:
			b.WriteString(v)
		default:
			s, _ := ToString(v)
			b.WriteString(s)
		}
	}
	return b.String()
}
