package syntax

// expKind says where the value of an expression is while it is compiled.
type expKind uint8

const (
	expVoid expKind = iota
	expNil
	expTrue
	expFalse
	expConstant    // info is the index of the constant
	expNumber      // num is its value
	expLocal       // info is the register
	expUpvalue     // info is the index of the upvalue
	expGlobal      // info is the constant with the name
	expIndexed     // info is the register of the table, aux the key
	expJump        // info is the jump after a comparison
	expRelocatable // info is the instruction whose register is still free to choose
	expFixed       // info is the register
	expCall        // info is the instruction
	expVararg      // info is the instruction
)

const noJump = -1

// expression describes an expression whose code is being made. jumpTrue and
// jumpFalse are lists of the jumps that leave it when it is true or false.
type expression struct {
	kind      expKind
	info, aux int
	num       float64
	jumpTrue  int
	jumpFalse int
}

func (e *expression) set(kind expKind, info int) {
	*e = expression{kind: kind, info: info, jumpTrue: noJump, jumpFalse: noJump}
}

func (e *expression) hasJumps() bool { return e.jumpTrue != e.jumpFalse }

func (e *expression) isNumeral() bool {
	return e.kind == expNumber && e.jumpTrue == noJump && e.jumpFalse == noJump
}

func (e *expression) isMulti() bool { return e.kind == expCall || e.kind == expVararg }

// function is the state of the compiler for one function of the source.
type function struct {
	proto      *Proto
	outer      *function
	parser     *parser
	block      *block
	pc         int // where the next instruction goes
	lastTarget int // last instruction that something jumps to
	jumpHere   int // jumps that wait for the next instruction
	freeReg    int
	active     []int // indexes into proto.locals of the locals in scope
	upvalues   []upvalueSource
	constants  map[any]int
}

// upvalueSource is where a closure finds an upvalue when it is made.
type upvalueSource struct {
	kind expKind // expLocal or expUpvalue of the function around
	info int
}

func (f *function) code(i instruction, line int) int {
	f.patch(f.jumpHere, f.pc, noRegister, f.pc)
	f.jumpHere = noJump
	f.proto.code = append(f.proto.code[:f.pc], i)
	f.proto.lines = append(f.proto.lines[:f.pc], int32(line))
	f.pc++
	return f.pc - 1
}

func (f *function) codeABC(op opcode, a, b, c int) int {
	return f.code(makeABC(op, a, b, c), f.parser.lastLine)
}

func (f *function) codeABx(op opcode, a, bx int) int {
	return f.code(makeABx(op, a, bx), f.parser.lastLine)
}

func (f *function) codeAsBx(op opcode, a, sbx int) int { return f.codeABx(op, a, sbx+maxSBx) }

func (f *function) fixLine(line int) { f.proto.lines[f.pc-1] = int32(line) }

func (f *function) instruction(e *expression) *instruction { return &f.proto.code[e.info] }

// loadNil sets n registers to nil, together with the instruction before if it
// does the same.
func (f *function) loadNil(from, n int) {
	if f.pc > f.lastTarget {
		if f.pc == 0 {
			if from >= len(f.active) {
				return // registers of a new function are nil
			}
		} else if previous := &f.proto.code[f.pc-1]; previous.op() == opLoadNil {
			first, last := previous.a(), previous.b()
			if first <= from && from <= last+1 {
				if from+n-1 > last {
					previous.setB(from + n - 1)
				}
				return
			}
		}
	}
	f.codeABC(opLoadNil, from, from+n-1, 0)
}

func (f *function) checkStack(n int) {
	need := f.freeReg + n
	if need > f.proto.registers {
		if need >= maxRegisters {
			f.parser.syntaxError("function or expression too complex")
		}
		f.proto.registers = need
	}
}

func (f *function) reserve(n int) {
	f.checkStack(n)
	f.freeReg += n
}

func (f *function) freeRegister(reg int) {
	if reg&constBit == 0 && reg >= len(f.active) {
		f.freeReg--
	}
}

func (f *function) freeExpression(e *expression) {
	if e.kind == expFixed {
		f.freeRegister(e.info)
	}
}

type nilConstant struct{}

func (f *function) addConstant(key any) int {
	if i, ok := f.constants[key]; ok {
		return i
	}
	i := len(f.proto.constants)
	if i > maxBx {
		f.parser.fail("constant table overflow", 0)
	}
	f.constants[key] = i
	f.proto.constants = append(f.proto.constants, key)
	return i
}

func (f *function) stringConstant(s string) int {
	return f.addConstant(s)
}

// numberConstant finds numbers by their value: 0 and -0 are one.
func (f *function) numberConstant(n float64) int { return f.addConstant(n) }

func (f *function) setReturns(e *expression, n int) {
	switch e.kind {
	case expCall:
		f.instruction(e).setC(n + 1)
	case expVararg:
		f.instruction(e).setB(n + 1)
		f.instruction(e).setA(f.freeReg)
		f.reserve(1)
	default:
	}
}

const multiple = -1 // as many values as there are

func (f *function) setOneReturn(e *expression) {
	switch e.kind {
	case expCall:
		e.kind, e.info = expFixed, f.instruction(e).a()
	case expVararg:
		f.instruction(e).setB(2)
		e.kind = expRelocatable
	default:
	}
}

// discharge makes a variable a value.
func (f *function) discharge(e *expression) {
	switch e.kind {
	case expLocal:
		e.kind = expFixed
	case expUpvalue:
		e.info = f.codeABC(opGetUpvalue, 0, e.info, 0)
		e.kind = expRelocatable
	case expGlobal:
		e.info = f.codeABx(opGetGlobal, 0, e.info)
		e.kind = expRelocatable
	case expIndexed:
		f.freeRegister(e.aux)
		f.freeRegister(e.info)
		e.info = f.codeABC(opGetTable, 0, e.info, e.aux)
		e.kind = expRelocatable
	case expCall, expVararg:
		f.setOneReturn(e)
	default:
	}
}

func (f *function) dischargeTo(e *expression, reg int) {
	f.discharge(e)
	switch e.kind {
	case expNil:
		f.loadNil(reg, 1)
	case expTrue:
		f.codeABC(opLoadBool, reg, 1, 0)
	case expFalse:
		f.codeABC(opLoadBool, reg, 0, 0)
	case expConstant:
		f.codeABx(opLoadK, reg, e.info)
	case expNumber:
		f.codeABx(opLoadK, reg, f.numberConstant(e.num))
	case expRelocatable:
		f.instruction(e).setA(reg)
	case expFixed:
		if reg != e.info {
			f.codeABC(opMove, reg, e.info, 0)
		}
	default:
		return
	}
	e.kind, e.info = expFixed, reg
}

func (f *function) dischargeToAny(e *expression) {
	if e.kind != expFixed {
		f.reserve(1)
		f.dischargeTo(e, f.freeReg-1)
	}
}

// toRegister puts the value into a register, that of its jumps included.
func (f *function) toRegister(e *expression, reg int) {
	f.dischargeTo(e, reg)
	if e.kind == expJump {
		f.concat(&e.jumpTrue, e.info)
	}
	if e.hasJumps() {
		loadFalse, loadTrue := noJump, noJump
		if f.needsValue(e.jumpTrue) || f.needsValue(e.jumpFalse) {
			over := noJump
			if e.kind != expJump {
				over = f.jump()
			}
			loadFalse = f.codeLabel(reg, 0, 1)
			loadTrue = f.codeLabel(reg, 1, 0)
			f.patchToHere(over)
		}
		end := f.label()
		f.patch(e.jumpFalse, end, reg, loadFalse)
		f.patch(e.jumpTrue, end, reg, loadTrue)
	}
	e.set(expFixed, reg)
}

func (f *function) codeLabel(a, b, jump int) int {
	f.label()
	return f.codeABC(opLoadBool, a, b, jump)
}

func (f *function) toNextRegister(e *expression) {
	f.discharge(e)
	f.freeExpression(e)
	f.reserve(1)
	f.toRegister(e, f.freeReg-1)
}

func (f *function) toAnyRegister(e *expression) int {
	f.discharge(e)
	if e.kind == expFixed {
		if !e.hasJumps() {
			return e.info
		}
		if e.info >= len(f.active) {
			f.toRegister(e, e.info)
			return e.info
		}
	}
	f.toNextRegister(e)
	return e.info
}

func (f *function) toValue(e *expression) {
	if e.hasJumps() {
		f.toAnyRegister(e)
	} else {
		f.discharge(e)
	}
}

// toOperand puts a value into a register or, if it fits, among the constants.
func (f *function) toOperand(e *expression) int {
	f.toValue(e)
	switch e.kind {
	case expNumber, expTrue, expFalse, expNil:
		if len(f.proto.constants) <= maxIndexRK {
			switch e.kind {
			case expNil:
				e.info = f.addConstant(nilConstant{})
			case expNumber:
				e.info = f.numberConstant(e.num)
			default:
				e.info = f.addConstant(e.kind == expTrue)
			}
			e.kind = expConstant
			return e.info | constBit
		}
	case expConstant:
		if e.info <= maxIndexRK {
			return e.info | constBit
		}
	default:
	}
	return f.toAnyRegister(e)
}

func (f *function) store(variable, e *expression) {
	switch variable.kind {
	case expLocal:
		f.freeExpression(e)
		f.toRegister(e, variable.info)
		return
	case expUpvalue:
		f.codeABC(opSetUpvalue, f.toAnyRegister(e), variable.info, 0)
	case expGlobal:
		f.codeABx(opSetGlobal, f.toAnyRegister(e), variable.info)
	default:
		value := f.toOperand(e)
		f.codeABC(opSetTable, variable.info, variable.aux, value)
	}
	f.freeExpression(e)
}

// self prepares the call of a method.
func (f *function) self(e, key *expression) {
	f.toAnyRegister(e)
	f.freeExpression(e)
	fn := f.freeReg
	f.reserve(2)
	f.codeABC(opSelf, fn, e.info, f.toOperand(key))
	f.freeExpression(key)
	e.kind, e.info = expFixed, fn
}

func (f *function) indexed(table, key *expression) {
	table.aux = f.toOperand(key)
	table.kind = expIndexed
}

func (f *function) setList(base, elements, pending int) {
	c := (elements-1)/fieldsPerFlush + 1
	b := pending
	if pending == multiple {
		b = 0
	}
	if c <= maxC {
		f.codeABC(opSetList, base, b, c)
	} else {
		f.codeABC(opSetList, base, b, 0)
		f.code(instruction(c), f.parser.lastLine)
	}
	f.freeReg = base + 1
}
