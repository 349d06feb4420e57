package lua

// nameOf is what the code calls the value in a register at the current
// instruction: its kind (local, global, field, upvalue, method) and its name, or
// nothing.
func (ci *callInfo) nameOf(register int) (kind, name string) {
	p := ci.proto()
	if p == nil {
		return "", ""
	}
	pc := ci.currentPC()
	if name := p.localName(register+1, pc); name != "" {
		return "local", name
	}
	switch i := p.lastWrite(pc, register); i.op() {
	case opGetGlobal:
		name, _ := p.constants[i.bx()].AsString()
		return "global", name
	case opMove:
		if i.b() < i.a() {
			return ci.nameOf(i.b())
		}
	case opGetTable:
		return "field", p.constantName(i.c())
	case opGetUpvalue:
		return "upvalue", p.upvalues[i.b()]
	case opSelf:
		return "method", p.constantName(i.c())
	default:
	}
	return "", ""
}

func (p *Proto) constantName(operand int) string {
	if operand&constBit != 0 {
		if s, ok := p.constants[operand&^constBit].AsString(); ok {
			return s
		}
	}
	return "?"
}

// lastWrite is the last instruction before one that changed a register, as far as
// reading the code from its start and following jumps ahead tells.
func (p *Proto) lastWrite(until, register int) instruction {
	last := len(p.code) - 1
	for pc := 0; pc < until; pc++ {
		i := p.code[pc]
		op, a := i.op(), i.a()
		if op.setsA() && a == register {
			last = pc
		}
		switch op {
		case opLoadNil:
			if a <= register && register <= i.b() {
				last = pc
			}
		case opSelf:
			if register == a+1 {
				last = pc
			}
		case opTForLoop:
			if register >= a+2 {
				last = pc
			}
		case opForLoop, opForPrep, opJmp:
			if target := pc + 1 + i.sbx(); pc < target && target <= until {
				pc += i.sbx()
			}
		case opCall, opTailCall:
			if register >= a {
				last = pc
			}
		case opSetList:
			if i.c() == 0 {
				pc++
			}
		case opClosure:
			pc += len(p.protos[i.bx()].upvalues)
		default:
		}
	}
	return p.code[last]
}
