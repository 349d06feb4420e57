package syntax

import "strconv"

// Operation is what an instruction does to a value that may be the wrong one.
type Operation uint8

// The operations whose errors name the value.
const (
	Index Operation = iota
	SetIndex
	Call
	Add
	Sub
	Mul
	Div
	Mod
	Pow
	Minus
	Length
	Concat
)

// operation is what an instruction does, if it can fail with a name.
func (op opcode) operation() (Operation, bool) {
	switch op {
	case opGetTable, opSelf:
		return Index, true
	case opSetTable:
		return SetIndex, true
	case opCall, opTailCall, opTForLoop:
		return Call, true
	case opAdd:
		return Add, true
	case opSub:
		return Sub, true
	case opMul:
		return Mul, true
	case opDiv:
		return Div, true
	case opMod:
		return Mod, true
	case opPow:
		return Pow, true
	case opUnm:
		return Minus, true
	case opLen:
		return Length, true
	case opConcat:
		return Concat, true
	default:
		return 0, false
	}
}

// Site is a place in the code where an operation meets its operands.
type Site struct {
	Line     int
	Operands []Operand // one; two of arithmetic; two or more of a concatenation
	Key      string    // of an Index, if it is a constant
}

// Operand is a value that an instruction works on.
type Operand struct {
	proto    *Proto
	pc       int
	register int // or the index of a constant
	shown    int // the register that messages name
}

// Frame is an activation of the function as it is while it runs.
type Frame interface {
	// Local is a local variable, in the register that Lua 5.1 has it in.
	Local(name string, register int) (any, bool)
	Upvalue(name string) (any, bool)
	Global(name string) (any, bool)
	// Field is a field of a value that Frame has given, of a constant key.
	Field(object, key any) (any, bool)
	// Constant is a string, a number, a boolean or nil of the source.
	Constant(c any) any
	// Table and Function stand for ones that the source makes.
	Table() any
	Function() any
}

// Inner is a function inside this one, in the order of the source; nil beyond the
// last one.
func (p *Proto) Inner(i int) *Proto {
	if i >= len(p.protos) {
		return nil
	}
	return p.protos[i]
}

// Sites are where the function does an operation, in the order of the code.
func (p *Proto) Sites(op Operation) []Site {
	var sites []Site
	for pc := 0; pc < len(p.code); pc++ {
		i := p.code[pc]
		if found, ok := i.op().operation(); ok && found == op {
			sites = append(sites, p.site(pc, i))
		}
		switch i.op() {
		case opClosure:
			pc += len(p.protos[i.bx()].upvalues)
		case opSetList:
			if i.c() == 0 {
				pc++
			}
		default:
		}
	}
	return sites
}

func (p *Proto) site(pc int, i instruction) Site {
	s := Site{Line: int(p.lines[pc])}
	at := func(register int) Operand { return Operand{p, pc, register, register} }
	switch i.op() {
	case opGetTable, opSelf:
		s.Operands = []Operand{at(i.b())}
		switch key := p.constantAt(i.c()).(type) {
		case string:
			s.Key = key
		case float64:
			s.Key = strconv.FormatFloat(key, 'g', 14, 64)
		}
	case opSetTable, opCall, opTailCall:
		s.Operands = []Operand{at(i.a())}
	case opTForLoop:
		s.Operands = []Operand{{p, pc, i.a(), i.a() + 3}}
	case opUnm, opLen:
		s.Operands = []Operand{at(i.b())}
	case opConcat:
		for r := i.b(); r <= i.c(); r++ {
			s.Operands = append(s.Operands, at(r))
		}
	default:
		s.Operands = []Operand{at(i.b()), at(i.c())}
	}
	return s
}

func (p *Proto) constantAt(operand int) any {
	if operand&constBit == 0 {
		return nil
	}
	return p.constants[operand&^constBit]
}

// Name is what messages call the operand: its kind (local, global, field, upvalue
// or method) and its name, or nothing.
func (o Operand) Name() (kind, name string) {
	if o.shown&constBit != 0 {
		return "", ""
	}
	return o.proto.nameOf(o.pc, o.shown)
}

func (p *Proto) nameOf(pc, register int) (kind, name string) {
	if name := p.localName(register+1, pc); name != "" {
		return "local", name
	}
	_, i := p.lastWrite(pc, register)
	switch i.op() {
	case opGetGlobal:
		name, _ := p.constants[i.bx()].(string)
		return "global", name
	case opMove:
		if i.b() < i.a() {
			return p.nameOf(pc, i.b())
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
	if s, ok := p.constantAt(operand).(string); ok {
		return s
	}
	return "?"
}

// localName is the nth local that is active at an instruction, from 1.
func (p *Proto) localName(n, pc int) string {
	for _, l := range p.locals {
		if l.start > pc {
			break
		}
		if pc < l.until {
			if n--; n == 0 {
				return l.name
			}
		}
	}
	return ""
}

// Value is the operand's value as far as the code and a frame tell.
func (o Operand) Value(f Frame) (v any, known bool) { return o.proto.value(o.pc, o.register, f, 0) }

func (p *Proto) value(pc, register int, f Frame, depth int) (v any, known bool) {
	const deep = 20
	if depth > deep {
		return nil, false
	}
	if register&constBit != 0 {
		return f.Constant(p.constants[register&^constBit]), true
	}
	if name := p.localName(register+1, pc); name != "" && name[0] != '(' {
		return f.Local(name, register)
	}
	at, i := p.lastWrite(pc, register)
	switch i.op() {
	case opLoadK:
		return f.Constant(p.constants[i.bx()]), true
	case opLoadBool:
		return f.Constant(i.b() != 0), true
	case opLoadNil:
		return f.Constant(nilConstant{}), true
	case opNewTable:
		return f.Table(), true
	case opClosure:
		return f.Function(), true
	case opMove:
		if i.b() < i.a() {
			return p.value(at, i.b(), f, depth+1)
		}
	case opGetGlobal:
		name, _ := p.constants[i.bx()].(string)
		return f.Global(name)
	case opGetUpvalue:
		return f.Upvalue(p.upvalues[i.b()])
	case opGetTable, opSelf:
		if i.op() == opSelf && register != i.a() {
			return p.value(at, i.b(), f, depth+1)
		}
		object, ok := p.value(at, i.b(), f, depth+1)
		if !ok {
			return nil, false
		}
		key, ok := p.value(at, i.c(), f, depth+1)
		if !ok {
			return nil, false
		}
		return f.Field(object, key)
	default:
	}
	return nil, false
}

// lastWrite is the last instruction before one that changed a register, as far as
// reading the code from its start and following jumps ahead tells, and where it is.
func (p *Proto) lastWrite(until, register int) (int, instruction) {
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
	return last, p.code[last]
}
