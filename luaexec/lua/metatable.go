package lua

// event is what a metatable can answer for.
type event uint8

const (
	eventIndex event = iota
	eventNewIndex
	eventEq
	eventAdd
	eventSub
	eventMul
	eventDiv
	eventMod
	eventPow
	eventUnm
	eventLen
	eventLt
	eventLe
	eventConcat
	eventCall
	eventCount
)

var eventNames = func() (names [eventCount]*text) {
	for i, name := range [eventCount]string{
		"__index", "__newindex", "__eq", "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__len",
		"__lt", "__le", "__concat", "__call",
	} {
		names[i] = &text{s: name, hash: hashString(name), hashed: true, shared: true}
	}
	return names
}()

// maxTagLoop bounds chains of __index and __newindex tables.
const maxTagLoop = 100

// MetatableOf is the metatable of a value, nil without one.
func (L *State) MetatableOf(v Value) *Table {
	switch ref := v.ref.(type) {
	case *Table:
		return ref.meta
	case *Userdata:
		return ref.meta
	case *text:
		return L.world.textMeta
	}
	return nil
}

// MetaField is a field of a value's metatable.
func (L *State) MetaField(v Value, name string) Value {
	if meta := L.MetatableOf(v); meta != nil {
		return meta.GetString(name)
	}
	return Nil
}

func (t *Table) event(e event) Value { return t.getText(eventNames[e]) }

func (L *State) metamethod(v Value, e event) Value {
	if meta := L.MetatableOf(v); meta != nil {
		return meta.event(e)
	}
	return Nil
}

// callMeta calls a metamethod and puts its one result into a stack slot.
func (L *State) callMeta(to int, f, a, b Value) {
	L.ensure(3)
	top := L.top
	L.stack[top], L.stack[top+1], L.stack[top+2] = f, a, b
	L.top += 3
	L.callAt(top, 1)
	L.top--
	L.stack[to] = L.stack[L.top]
}

// get is object[key] with all that metatables add, into a stack slot. index is
// the slot of the object, -1 if it is in none.
func (L *State) get(object Value, index int, key Value, to int) {
	for range maxTagLoop {
		var f Value
		if t, ok := object.ref.(*Table); ok {
			v := t.Get(key)
			if v.ref != nil || t.meta == nil {
				L.stack[to] = v
				return
			}
			if f = t.meta.event(eventIndex); f.ref == nil {
				L.stack[to] = v
				return
			}
		} else if f = L.metamethod(object, eventIndex); f.ref == nil {
			L.typeError(operand{object, index}, "index")
		}
		if _, ok := f.ref.(*Function); ok {
			L.callMeta(to, f, object, key)
			return
		}
		object, index = f, -1
	}
	L.runError("loop in gettable")
}

const readonlyMessage = "Attempt to modify a readonly table"

// set is object[key] = value with all that metatables add.
func (L *State) set(object Value, index int, key, value Value) {
	for range maxTagLoop {
		var f Value
		if t, ok := object.ref.(*Table); ok {
			if t.readonly {
				L.runError(readonlyMessage)
			}
			slot := L.slotFor(t, key)
			if slot.ref != nil || t.meta == nil {
				*slot = value
				return
			}
			if f = t.meta.event(eventNewIndex); f.ref == nil {
				*slot = value
				return
			}
		} else if f = L.metamethod(object, eventNewIndex); f.ref == nil {
			L.typeError(operand{object, index}, "index")
		}
		if _, ok := f.ref.(*Function); ok {
			L.ensure(4)
			top := L.top
			L.stack[top], L.stack[top+1], L.stack[top+2], L.stack[top+3] = f, object, key, value
			L.top += 4
			L.callAt(top, 0)
			return
		}
		object, index = f, -1
	}
	L.runError("loop in settable")
}

// slotFor is the slot of a key, made if it is not there: also for a key that
// __newindex then takes elsewhere.
func (L *State) slotFor(t *Table, key Value) *Value {
	if s := t.slot(key); s != nil {
		return s
	}
	switch {
	case key.ref == nil:
		L.runError("table index is nil")
	case key.isNumber() && key.num != key.num:
		L.runError("table index is NaN")
	}
	return t.newKey(key)
}

// SetRaw writes a field as rawset does: read-only tables and impossible keys are
// errors.
func (L *State) SetRaw(t *Table, key, value Value) {
	if t.readonly {
		L.runError(readonlyMessage)
	}
	*L.slotFor(t, key) = value
}

// GetField reads a field as t[key] does.
func (L *State) GetField(object, key Value) Value {
	L.Push(Nil)
	at := L.top - 1
	L.get(object, -1, key, at)
	L.top = at
	return L.stack[at]
}

// binary calls the metamethod of either operand; it tells whether there was one.
func (L *State) binary(e event, a, b Value, to int) bool {
	f := L.metamethod(a, e)
	if f.ref == nil {
		if f = L.metamethod(b, e); f.ref == nil {
			return false
		}
	}
	L.callMeta(to, f, a, b)
	return true
}

// arith is an arithmetic operation on anything but two numbers.
func (L *State) arith(op opcode, a, b operand, to int) {
	if x, ok := a.value.ToNumber(); ok {
		if y, ok := b.value.ToNumber(); ok {
			L.stack[to] = Number(arithmetic(op, x, y))
			return
		}
	}
	if !L.binary(eventAdd+event(op-opAdd), a.value, b.value, to) {
		L.arithmeticError(a, b)
	}
}
