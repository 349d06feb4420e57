package syntax

// instruction is one step of the register machine: an operation of 6 bits and
// its operands A (8 bits), C and B (9 bits each), or A and Bx (18 bits).
type instruction uint32

type opcode uint8

const (
	opMove opcode = iota
	opLoadK
	opLoadBool
	opLoadNil
	opGetUpvalue
	opGetGlobal
	opGetTable
	opSetGlobal
	opSetUpvalue
	opSetTable
	opNewTable
	opSelf
	opAdd
	opSub
	opMul
	opDiv
	opMod
	opPow
	opUnm
	opNot
	opLen
	opConcat
	opJmp
	opEq
	opLt
	opLe
	opTest
	opTestSet
	opCall
	opTailCall
	opReturn
	opForLoop
	opForPrep
	opTForLoop
	opSetList
	opClose
	opClosure
	opVararg
)

const (
	maxBx      = 1<<18 - 1
	maxSBx     = maxBx >> 1
	maxC       = 1<<9 - 1
	constBit   = 1 << 8 // marks an operand as the index of a constant
	maxIndexRK = constBit - 1
	noRegister = 1<<8 - 1

	fieldsPerFlush = 50
	maxRegisters   = 250
)

func makeABC(op opcode, a, b, c int) instruction {
	return instruction(op) | instruction(a)<<6 | instruction(c)<<14 | instruction(b)<<23
}

func makeABx(op opcode, a, bx int) instruction {
	return instruction(op) | instruction(a)<<6 | instruction(bx)<<14
}

func (i instruction) op() opcode { return opcode(i & 0x3f) }
func (i instruction) a() int     { return int(i >> 6 & 0xff) }
func (i instruction) b() int     { return int(i >> 23) }
func (i instruction) c() int     { return int(i >> 14 & 0x1ff) }
func (i instruction) bx() int    { return int(i >> 14) }
func (i instruction) sbx() int   { return int(i>>14) - maxSBx }

func (i *instruction) setOp(op opcode) { *i = *i&^0x3f | instruction(op) }
func (i *instruction) setA(a int)      { *i = *i&^(0xff<<6) | instruction(a)<<6 }
func (i *instruction) setB(b int)      { *i = *i&^(0x1ff<<23) | instruction(b)<<23 }
func (i *instruction) setC(c int)      { *i = *i&^(0x1ff<<14) | instruction(c)<<14 }
func (i *instruction) setSBx(s int)    { *i = *i&^(maxBx<<14) | instruction(s+maxSBx)<<14 }

// isTest tells whether the operation skips the jump that follows it.
func (op opcode) isTest() bool {
	switch op {
	case opEq, opLt, opLe, opTest, opTestSet, opTForLoop:
		return true
	default:
		return false
	}
}

// setsA tells whether the operation writes register A.
func (op opcode) setsA() bool {
	switch op {
	case opSetGlobal, opSetUpvalue, opSetTable, opJmp, opEq, opLt, opLe, opReturn, opTForLoop, opSetList, opClose:
		return false
	default:
		return true
	}
}

// intToByte writes a size in a byte, rounded up: three bits times a power of two.
func intToByte(n int) int {
	e := 0
	for n >= 16 {
		n = (n + 1) >> 1
		e++
	}
	if n < 8 {
		return n
	}
	return (e+1)<<3 | (n - 8)
}
