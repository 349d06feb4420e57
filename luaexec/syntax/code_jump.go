package syntax

// Jumps that wait for their target are a list: each one's offset leads to the
// next, and the last one points to itself.

func (f *function) jump() int {
	waiting := f.jumpHere
	f.jumpHere = noJump
	j := f.codeAsBx(opJmp, 0, noJump)
	f.concat(&j, waiting)
	return j
}

func (f *function) conditionalJump(op opcode, a, b, c int) int {
	f.codeABC(op, a, b, c)
	return f.jump()
}

// label marks the next instruction as a target, so that it is not merged with
// the one before.
func (f *function) label() int {
	f.lastTarget = f.pc
	return f.pc
}

func (f *function) fixJump(pc, target int) {
	offset := target - (pc + 1)
	if offset > maxSBx || offset < -maxSBx {
		f.parser.syntaxError("control structure too long")
	}
	f.proto.code[pc].setSBx(offset)
}

func (f *function) nextJump(pc int) int {
	offset := f.proto.code[pc].sbx()
	if offset == noJump {
		return noJump
	}
	return pc + 1 + offset
}

// control is the instruction that decides about a jump.
func (f *function) control(pc int) *instruction {
	if pc >= 1 && f.proto.code[pc-1].op().isTest() {
		return &f.proto.code[pc-1]
	}
	return &f.proto.code[pc]
}

// needsValue tells whether a jump of the list leaves no value behind.
func (f *function) needsValue(list int) bool {
	for ; list != noJump; list = f.nextJump(list) {
		if f.control(list).op() != opTestSet {
			return true
		}
	}
	return false
}

func (f *function) patchTest(pc, reg int) bool {
	i := f.control(pc)
	if i.op() != opTestSet {
		return false
	}
	if reg != noRegister && reg != i.b() {
		i.setA(reg)
	} else {
		*i = makeABC(opTest, i.b(), 0, i.c())
	}
	return true
}

func (f *function) removeValues(list int) {
	for ; list != noJump; list = f.nextJump(list) {
		f.patchTest(list, noRegister)
	}
}

// patch sends jumps that leave a value in a register to one target and the others
// to another.
func (f *function) patch(list, withValue, reg, without int) {
	for list != noJump {
		next := f.nextJump(list)
		if f.patchTest(list, reg) {
			f.fixJump(list, withValue)
		} else {
			f.fixJump(list, without)
		}
		list = next
	}
}

func (f *function) patchList(list, target int) {
	if target == f.pc {
		f.patchToHere(list)
	} else {
		f.patch(list, target, noRegister, target)
	}
}

func (f *function) patchToHere(list int) {
	f.label()
	f.concat(&f.jumpHere, list)
}

func (f *function) concat(first *int, second int) {
	switch {
	case second == noJump:
	case *first == noJump:
		*first = second
	default:
		last := *first
		for next := f.nextJump(last); next != noJump; next = f.nextJump(last) {
			last = next
		}
		f.fixJump(last, second)
	}
}

func (f *function) invertJump(e *expression) {
	i := f.control(e.info)
	i.setA(1 - i.a())
}

func (f *function) jumpOn(e *expression, condition int) int {
	if e.kind == expRelocatable {
		if i := *f.instruction(e); i.op() == opNot {
			f.pc-- // the not goes
			return f.conditionalJump(opTest, i.b(), 0, 1-condition)
		}
	}
	f.dischargeToAny(e)
	f.freeExpression(e)
	return f.conditionalJump(opTestSet, noRegister, e.info, condition)
}

func (f *function) goIfTrue(e *expression) {
	f.discharge(e)
	pc := noJump
	switch e.kind {
	case expConstant, expNumber, expTrue:
	case expJump:
		f.invertJump(e)
		pc = e.info
	default:
		pc = f.jumpOn(e, 0)
	}
	f.concat(&e.jumpFalse, pc)
	f.patchToHere(e.jumpTrue)
	e.jumpTrue = noJump
}

func (f *function) goIfFalse(e *expression) {
	f.discharge(e)
	pc := noJump
	switch e.kind {
	case expNil, expFalse:
	case expJump:
		pc = e.info
	default:
		pc = f.jumpOn(e, 1)
	}
	f.concat(&e.jumpTrue, pc)
	f.patchToHere(e.jumpFalse)
	e.jumpFalse = noJump
}
