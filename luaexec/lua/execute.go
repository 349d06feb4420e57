package lua

// execute runs the activation on top, and those that it calls, until as many as
// given have returned. It is one loop because that is what makes it fast.
func (L *State) execute(activations int) {
	budget := L.world.budget
reentry:
	ci := L.call
	fn := ci.fn
	code, k := fn.proto.code, fn.proto.constants
	base := ci.base
	r := L.stack[base:ci.top:ci.top]
	pc := ci.pc
	for {
		i := code[pc]
		pc++
		ci.pc = pc
		budget.left--
		if budget.left < 0 {
			L.spent()
		}
		a := int(i >> 6 & 0xff)
		switch opcode(i & 0x3f) {
		case opMove:
			r[a] = r[i.b()]
		case opLoadK:
			r[a] = k[i.bx()]
		case opLoadBool:
			r[a] = Bool(i.b() != 0)
			if i.c() != 0 {
				pc++
			}
		case opLoadNil:
			clear(r[a : i.b()+1])
		case opGetUpvalue:
			r[a] = *fn.upvalues[i.b()].value
		case opGetGlobal:
			if v := fn.env.Get(k[i.bx()]); v.ref != nil {
				r[a] = v
				continue
			}
			L.get(TableValue(fn.env), -1, k[i.bx()], base+a)
			r = L.stack[base:ci.top:ci.top]
		case opGetTable:
			b, c := i.b(), i.c()
			var key Value
			if c&constBit != 0 {
				key = k[c&^constBit]
			} else {
				key = r[c]
			}
			if t, ok := r[b].ref.(*Table); ok {
				if v := t.Get(key); v.ref != nil || t.meta == nil {
					r[a] = v
					continue
				}
			}
			L.get(r[b], base+b, key, base+a)
			r = L.stack[base:ci.top:ci.top]
		case opSetGlobal:
			L.set(TableValue(fn.env), -1, k[i.bx()], r[a])
			r = L.stack[base:ci.top:ci.top]
		case opSetUpvalue:
			*fn.upvalues[i.b()].value = r[a]
		case opSetTable:
			b, c := i.b(), i.c()
			var key, value Value
			if b&constBit != 0 {
				key = k[b&^constBit]
			} else {
				key = r[b]
			}
			if c&constBit != 0 {
				value = k[c&^constBit]
			} else {
				value = r[c]
			}
			L.set(r[a], base+a, key, value)
			r = L.stack[base:ci.top:ci.top]
		case opNewTable:
			r[a] = TableValue(L.NewTable(byteToInt(i.b()), byteToInt(i.c())))
		case opSelf:
			b, c := i.b(), i.c()
			object := r[b]
			r[a+1] = object
			var key Value
			if c&constBit != 0 {
				key = k[c&^constBit]
			} else {
				key = r[c]
			}
			L.get(object, base+b, key, base+a)
			r = L.stack[base:ci.top:ci.top]
		case opAdd, opSub, opMul, opDiv, opMod, opPow:
			b, c := i.b(), i.c()
			x, y := operand{index: -1}, operand{index: -1}
			if b&constBit != 0 {
				x.value = k[b&^constBit]
			} else {
				x = operand{r[b], base + b}
			}
			if c&constBit != 0 {
				y.value = k[c&^constBit]
			} else {
				y = operand{r[c], base + c}
			}
			if x.value.isNumber() && y.value.isNumber() {
				r[a] = Number(arithmetic(opcode(i&0x3f), x.value.num, y.value.num))
				continue
			}
			L.arith(opcode(i&0x3f), x, y, base+a)
			r = L.stack[base:ci.top:ci.top]
		case opUnm:
			b := i.b()
			if r[b].isNumber() {
				r[a] = Number(-r[b].num)
				continue
			}
			x := operand{r[b], base + b}
			L.arith(opUnm, x, x, base+a)
			r = L.stack[base:ci.top:ci.top]
		case opNot:
			r[a] = Bool(r[i.b()].isFalse())
		case opLen:
			b := i.b()
			switch ref := r[b].ref.(type) {
			case *Table:
				r[a] = Int(ref.Len())
			case *text:
				r[a] = Int(len(ref.s))
			default:
				if !L.binary(eventLen, r[b], Nil, base+a) {
					L.typeErrorAt(base+b, "get length of")
				}
				r = L.stack[base:ci.top:ci.top]
			}
		case opConcat:
			b, c := i.b(), i.c()
			L.concat(base+b, base+c)
			r = L.stack[base:ci.top:ci.top]
			r[a] = r[b]
		case opJmp:
			pc += i.sbx()
		case opEq, opLt, opLe:
			b, c := i.b(), i.c()
			var x, y Value
			if b&constBit != 0 {
				x = k[b&^constBit]
			} else {
				x = r[b]
			}
			if c&constBit != 0 {
				y = k[c&^constBit]
			} else {
				y = r[c]
			}
			var holds bool
			switch opcode(i & 0x3f) {
			case opEq:
				holds = L.Equal(x, y)
			case opLt:
				holds = L.LessThan(x, y)
			default:
				holds = L.lessEqual(x, y)
			}
			r = L.stack[base:ci.top:ci.top]
			if holds == (a != 0) {
				pc += code[pc].sbx()
			}
			pc++
		case opTest:
			if r[a].isFalse() != (i.c() != 0) {
				pc += code[pc].sbx()
			}
			pc++
		case opTestSet:
			v := r[i.b()]
			if v.isFalse() != (i.c() != 0) {
				r[a] = v
				pc += code[pc].sbx()
			}
			pc++
		case opCall:
			if b := i.b(); b != 0 {
				L.top = base + a + b
			}
			results := i.c() - 1
			switch L.prepare(base+a, results) {
			case calledLua:
				activations++
				goto reentry
			case calledGo:
				if results >= 0 {
					L.top = ci.top
				}
				r = L.stack[base:ci.top:ci.top]
			case calledYield:
				return
			}
		case opTailCall:
			if b := i.b(); b != 0 {
				L.top = base + a + b
			}
			switch L.prepare(base+a, multiple) {
			case calledLua:
				L.replaceCaller()
				goto reentry
			case calledGo:
				r = L.stack[base:ci.top:ci.top]
			case calledYield:
				return
			}
		case opReturn:
			if b := i.b(); b != 0 {
				L.top = base + a + b - 1
			}
			if L.open != nil {
				L.closeUpvalues(base)
			}
			fixed := L.leave(base + a)
			activations--
			if activations == 0 {
				return
			}
			if fixed {
				L.top = L.call.top
			}
			goto reentry
		case opForLoop:
			step := r[a+2].num
			index := r[a].num + step
			limit := r[a+1].num
			if step > 0 && index <= limit || !(step > 0) && limit <= index {
				pc += i.sbx()
				r[a].num = index
				r[a+3] = Number(index)
			}
		case opForPrep:
			L.prepareFor(base + a)
			pc += i.sbx()
		case opTForLoop:
			call := a + 3
			r[call], r[call+1], r[call+2] = r[a], r[a+1], r[a+2]
			L.top = base + call + 3
			L.callAt(base+call, i.c())
			L.top = ci.top
			r = L.stack[base:ci.top:ci.top]
			if r[call].ref != nil {
				r[call-1] = r[call]
				pc += code[pc].sbx()
			}
			pc++
		case opSetList:
			c := i.c()
			if c == 0 {
				c = int(code[pc])
				pc++
			}
			L.setList(base+a, i.b(), c)
		case opClose:
			L.closeUpvalues(base + a)
		case opClosure:
			inner := L.closure(fn, fn.proto.protos[i.bx()], code[pc:], base)
			r[a] = FunctionValue(inner)
			pc += len(inner.upvalues)
		case opVararg:
			L.copyVarargs(base+a, i.b()-1)
			r = L.stack[base:ci.top:ci.top]
		}
	}
}

// replaceCaller puts the new activation in the place of the one that called it.
func (L *State) replaceCaller() {
	callee := L.call
	ci := callee.previous
	if L.open != nil {
		L.closeUpvalues(ci.base)
	}
	n := L.top - callee.index
	copy(L.stack[ci.index:ci.index+n], L.stack[callee.index:L.top])
	ci.base = ci.index + (callee.base - callee.index)
	ci.top = ci.index + n
	ci.fn, ci.pc = callee.fn, callee.pc
	ci.tails++
	L.base, L.top = ci.base, ci.top
	L.call = ci
	L.depth--
}

// copyVarargs copies the variable arguments to stack slots: as many as wanted, or
// all of them up to the new top.
func (L *State) copyVarargs(to, wanted int) {
	ci := L.call
	n := ci.base - ci.index - 1 - ci.fn.proto.params
	if wanted == multiple {
		L.ensure(n)
		wanted = n
		L.top = to + n
	}
	L.ChargeInstructions(int64(wanted / 4))
	registers := L.stack[to : to+wanted]
	copied := copy(registers, L.stack[ci.base-n:ci.base])
	clear(registers[copied:])
}

func (L *State) prepareFor(at int) {
	for i, what := range [...]string{"initial value", "limit", "step"} {
		f, ok := L.stack[at+i].ToNumber()
		if !ok {
			L.runError("'for' " + what + " must be a number")
		}
		L.stack[at+i] = Number(f)
	}
	L.stack[at].num -= L.stack[at+2].num
}

// setList stores the values above a table's register as its fields.
func (L *State) setList(at, n, batch int) {
	t, ok := L.stack[at].ref.(*Table)
	if n == 0 {
		n = L.top - at - 1
		L.top = L.call.top
	}
	if !ok {
		return
	}
	last := (batch-1)*fieldsPerFlush + n
	L.ChargeInstructions(int64(n / 4))
	t.growArray(last)
	for ; n > 0; n-- {
		t.SetInt(last, L.stack[at+n])
		last--
	}
}

// What a closure takes of a script's memory.
const (
	closureBytes = 48
	upvalueBytes = 48
)

// closure makes a function value; the code after the instruction says where its
// upvalues are.
func (L *State) closure(outer *Function, p *Proto, sources []instruction, base int) *Function {
	n := len(p.upvalues)
	L.world.budget.allocate(closureBytes + n*upvalueBytes)
	f := &Function{proto: p, env: outer.env, id: L.nextID()}
	if n > 0 {
		f.upvalues = make([]*upvalue, n)
	}
	for j := range n {
		if i := sources[j]; i.op() == opGetUpvalue {
			f.upvalues[j] = outer.upvalues[i.b()]
		} else {
			f.upvalues[j] = L.capture(base + i.b())
		}
	}
	return f
}
