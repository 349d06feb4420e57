package lua

import "slices"

// registers are those of a function of Lua. There are always so many more values on
// the stack, so that no operand needs to be checked.
func (L *State) registers(base int) *[slack]Value { return (*[slack]Value)(L.stack[base:]) }

// execute runs the running call, and those that it makes, until so many of them
// have returned. A coroutine that yields ends it too.
func (L *State) execute(calls int) {
	budget := L.Budget
reenter:
	c := &L.calls[L.depth]
	f := c.fn
	p := f.proto
	code, constants, base := p.code, p.constants, c.base
	r := L.registers(base)
	pc := c.pc
	for {
		budget.left--
		if budget.left < budget.pause {
			L.look(c, pc)
		}
		i := code[pc]
		pc++
		c.pc = pc
		a := uint8(i >> 6)
		switch i.op() {
		case opMove:
			r[a] = r[uint8(i>>23)]
		case opLoadK:
			r[a] = constants[i.bx()]
		case opLoadBool:
			r[a] = i.b() != 0
			if i.c() != 0 {
				pc++
			}
		case opLoadNil:
			for n := int(a); n <= i.b(); n++ {
				r[n] = nil
			}
		case opGetUpvalue:
			r[a] = *f.upvalues[i.b()].at
		case opGetGlobal:
			k := i.bx()
			name, _ := constants[k].(string)
			v := L.globals.getString(name, p.hashes[k])
			if v == nil && L.globals.meta != nil {
				v = L.index(L.globals, name, -1)
				r, c = L.registers(base), &L.calls[L.depth]
			}
			r[a] = v
		case opGetTable:
			v, ok := fastIndex(p, r[uint8(i>>23)], r, i.c())
			if !ok {
				v = L.index(r[i.b()], operand(r, constants, i.c()), base+i.b())
				r, c = L.registers(base), &L.calls[L.depth]
			}
			r[a] = v
		case opSetGlobal:
			L.setIndex(L.globals, constants[i.bx()], r[a], -1)
			r, c = L.registers(base), &L.calls[L.depth]
		case opSetUpvalue:
			*f.upvalues[i.b()].at = r[a]
		case opSetTable:
			L.setIndex(r[a], operand(r, constants, i.b()), operand(r, constants, i.c()), base+int(a))
			r, c = L.registers(base), &L.calls[L.depth]
		case opNewTable:
			r[a] = L.NewTable(byteToInt(i.b()), byteToInt(i.c()))
		case opSelf:
			object := r[uint8(i>>23)]
			r[a+1] = object
			v, ok := fastIndex(p, object, r, i.c())
			if !ok {
				v = L.index(object, operand(r, constants, i.c()), base+i.b())
				r, c = L.registers(base), &L.calls[L.depth]
			}
			r[a] = v
		case opAdd, opSub, opMul, opDiv, opMod, opPow:
			op, b, d := i.op(), operand(r, constants, i.b()), operand(r, constants, i.c())
			x, okX := b.(float64)
			y, okY := d.(float64)
			if okX && okY {
				r[a] = arithmeticOf(op, x, y)
			} else {
				v := L.arithmetic(op, b, d, base+i.b(), base+i.c())
				r, c = L.registers(base), &L.calls[L.depth]
				r[a] = v
			}
		case opUnm:
			b := r[uint8(i>>23)]
			if x, ok := b.(float64); ok {
				r[a] = Number(-x)
			} else {
				v := L.arithmetic(opUnm, b, b, base+i.b(), base+i.b())
				r, c = L.registers(base), &L.calls[L.depth]
				r[a] = v
			}
		case opNot:
			r[a] = !Truth(r[uint8(i>>23)])
		case opLen:
			v := L.length(r[uint8(i>>23)], base+i.b())
			r, c = L.registers(base), &L.calls[L.depth]
			r[a] = v
		case opConcat:
			first := base + i.b()
			L.concat(first, base+i.c())
			r, c = L.registers(base), &L.calls[L.depth]
			r[a] = L.stack[first]
		case opJmp:
			pc += i.sbx()
		case opEq:
			b, d := operand(r, constants, i.b()), operand(r, constants, i.c())
			same := b == d
			if !same {
				if _, ok := b.(*Table); ok {
					same = L.equal(b, d)
					r, c = L.registers(base), &L.calls[L.depth]
				}
			}
			if same == (a != 0) {
				pc += code[pc].sbx()
			}
			pc++
		case opLt, opLe:
			b, d := operand(r, constants, i.b()), operand(r, constants, i.c())
			x, okX := b.(float64)
			y, okY := d.(float64)
			var holds bool
			switch {
			case okX && okY && i.op() == opLt:
				holds = x < y
			case okX && okY:
				holds = x <= y
			case i.op() == opLt:
				holds = L.Less(b, d)
				r, c = L.registers(base), &L.calls[L.depth]
			default:
				holds = L.lessOrEqual(b, d)
				r, c = L.registers(base), &L.calls[L.depth]
			}
			if holds == (a != 0) {
				pc += code[pc].sbx()
			}
			pc++
		case opTest:
			if Truth(r[a]) == (i.c() != 0) {
				pc += code[pc].sbx()
			}
			pc++
		case opTestSet:
			if v := r[uint8(i>>23)]; Truth(v) == (i.c() != 0) {
				r[a] = v
				pc += code[pc].sbx()
			}
			pc++
		case opCall:
			if b := i.b(); b != 0 {
				L.top = base + int(a) + b
			}
			results := i.c() - 1
			switch L.precall(base+int(a), results) {
			case calledLua:
				calls++
				goto reenter
			case calledYield:
				return
			case calledGo:
				r, c = L.registers(base), &L.calls[L.depth]
				if results >= 0 {
					L.top = c.top
				}
			}
		case opTailCall:
			if b := i.b(); b != 0 {
				L.top = base + int(a) + b
			}
			switch L.precall(base+int(a), all) {
			case calledLua:
				L.replaceCall()
				goto reenter
			case calledYield:
				return
			case calledGo:
				r, c = L.registers(base), &L.calls[L.depth]
			}
		case opReturn:
			if b := i.b(); b != 0 {
				L.top = base + int(a) + b - 1
			}
			if L.open != nil {
				L.closeUpvalues(base)
			}
			fixed := L.finish(base + int(a))
			calls--
			if calls == 0 {
				return
			}
			if fixed {
				L.top = L.calls[L.depth].top
			}
			goto reenter
		case opForPrep:
			L.prepareLoop(base + int(a))
			pc += i.sbx()
		case opForLoop:
			index, _ := r[a].(float64)
			limit, _ := r[a+1].(float64)
			step, _ := r[a+2].(float64)
			index = Result(index+step, index, step)
			if step > 0 && index <= limit || !(step > 0) && limit <= index {
				pc += i.sbx()
				v := Number(index)
				r[a], r[a+3] = v, v
			}
		case opTForLoop:
			r[a+3], r[a+4], r[a+5] = r[a], r[a+1], r[a+2]
			at := base + int(a) + 3
			L.top = at + 3
			L.callAt(at, i.c())
			r, c = L.registers(base), &L.calls[L.depth]
			L.top = c.top
			if v := r[a+3]; v != nil {
				r[a+2] = v
				pc += code[pc].sbx()
			}
			pc++
		case opSetList:
			n, block := i.b(), i.c()
			if n == 0 {
				n = L.top - (base + int(a)) - 1
				L.top = c.top
			}
			if block == 0 {
				block = int(code[pc])
				pc++
			}
			table, _ := r[a].(*Table)
			L.fill(table, (block-1)*fieldsPerFlush, L.stack[base+int(a)+1:base+int(a)+1+n])
		case opClose:
			L.closeUpvalues(base + int(a))
		case opClosure:
			inner := p.protos[i.bx()]
			r[a] = L.newClosure(inner, f, base, code[pc:])
			pc += len(inner.upvalues)
		case opVararg:
			n := i.b() - 1
			L.varargs(c, base+int(a), n)
			r = L.registers(base)
		}
	}
}

// operand is a register or a constant.
func operand(r *[slack]Value, constants []Value, at int) Value {
	if at&constBit != 0 {
		return constants[at&^constBit]
	}
	return r[uint8(at)]
}

// fastIndex is a field that a table has itself, or cannot have; ok is false for all
// else.
func fastIndex(p *Proto, object Value, r *[slack]Value, key int) (v Value, ok bool) {
	t, isTable := object.(*Table)
	if !isTable {
		return nil, false
	}
	if key&constBit == 0 {
		v = t.Get(r[uint8(key)])
	} else if name, isString := p.constants[key&^constBit].(string); isString {
		v = t.getString(name, p.hashes[key&^constBit])
	} else {
		v = t.Get(p.constants[key&^constBit])
	}
	return v, v != nil || t.meta == nil
}

func arithmeticOf(op opcode, x, y float64) Value {
	switch op {
	case opAdd:
		return Number(Result(x+y, x, y))
	case opSub:
		return Number(Result(x-y, x, y))
	case opMul:
		return Number(Result(x*y, x, y))
	default:
		return compute(op, x, y)
	}
}

// replaceCall puts the running call in the place of the one that made it.
func (L *State) replaceCall() {
	inner := L.calls[L.depth]
	L.depth--
	c := &L.calls[L.depth]
	if L.open != nil {
		L.closeUpvalues(c.base)
	}
	n := copy(L.stack[c.at:], L.stack[inner.at:L.top])
	c.fn = inner.fn
	c.base = c.at + inner.base - inner.at
	c.top = c.at + n
	c.pc = inner.pc
	c.tailCalls++
	L.top = c.top
}

// prepareLoop makes numbers of what a numeric for goes by.
func (L *State) prepareLoop(at int) {
	var numbers [3]float64
	for n, what := range [...]string{"initial value", "limit", "step"} {
		f, ok := ToNumber(L.stack[at+n])
		if !ok {
			L.errorf("'for' %s must be a number", what)
		}
		numbers[n] = f
		L.stack[at+n] = Number(f)
	}
	L.stack[at] = Number(Result(numbers[0]-numbers[2], numbers[0], numbers[2]))
}

// fill writes the list items of a constructor.
func (L *State) fill(t *Table, from int, values []Value) {
	if last := from + len(values); last > len(t.array) {
		t.resize(last, len(t.nodes))
	}
	L.Charge(int64(len(values) / 4))
	for i, v := range slices.Backward(values) {
		t.SetInt(from+i+1, v)
	}
}

// varargs copies what ... stands for: n values, or all.
func (L *State) varargs(c *call, to, n int) {
	actual := c.base - c.at - c.fn.proto.params - 1
	if n == all {
		L.Charge(int64(actual / 4))
		L.ensure(actual)
		n = actual
		L.top = to + n
	}
	for i := range n {
		if i < actual {
			L.stack[to+i] = L.stack[c.base-actual+i]
		} else {
			L.stack[to+i] = nil
		}
	}
}
