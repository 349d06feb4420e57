package syntax

import "math"

type operator uint8

const (
	operAdd operator = iota
	operSub
	operMul
	operDiv
	operMod
	operPow
	operConcat
	operNe
	operEq
	operLt
	operLe
	operGt
	operGe
	operAnd
	operOr
	noOperator
)

// priorities bind operators on their left and right.
var priorities = [...]struct{ left, right int }{
	operAdd: {6, 6}, operSub: {6, 6}, operMul: {7, 7}, operDiv: {7, 7}, operMod: {7, 7},
	operPow: {10, 9}, operConcat: {5, 4},
	operNe: {3, 3}, operEq: {3, 3}, operLt: {3, 3}, operLe: {3, 3}, operGt: {3, 3}, operGe: {3, 3},
	operAnd: {2, 2}, operOr: {1, 1},
}

const unaryPriority = 8

func binaryOperator(t token) operator {
	switch t {
	case '+':
		return operAdd
	case '-':
		return operSub
	case '*':
		return operMul
	case '/':
		return operDiv
	case '%':
		return operMod
	case '^':
		return operPow
	case tokConcat:
		return operConcat
	case tokNe:
		return operNe
	case tokEq:
		return operEq
	case '<':
		return operLt
	case tokLe:
		return operLe
	case '>':
		return operGt
	case tokGe:
		return operGe
	case tokAnd:
		return operAnd
	case tokOr:
		return operOr
	default:
		return noOperator
	}
}

// arithmetic is what an arithmetic instruction does with two numbers.
func arithmetic(op opcode, a, b float64) float64 {
	var r float64
	switch op {
	case opAdd:
		r = a + b
	case opSub:
		r = a - b
	case opMul:
		r = a * b
	case opDiv:
		r = a / b
	case opMod:
		r = Modulo(a, b)
	case opPow:
		r = math.Pow(a, b)
	default:
		return -a
	}
	return r
}

// Modulo is a % b: by the quotient, with the sign of b. The conversion keeps the
// compiler from fusing the multiplication with the subtraction, which would round once
// only.
func Modulo(a, b float64) float64 { return a - float64(math.Floor(a/b)*b) }

func foldable(op opcode, a, b *expression) bool {
	if !a.isNumeral() || !b.isNumeral() || op == opLen || op == opConcat {
		return false
	}
	if (op == opDiv || op == opMod) && b.num == 0 {
		return false
	}
	r := arithmetic(op, a.num, b.num)
	if r != r {
		return false
	}
	a.num = r
	return true
}

func (f *function) codeArithmetic(op opcode, a, b *expression) {
	if foldable(op, a, b) {
		return
	}
	right := 0
	if op != opUnm && op != opLen {
		right = f.toOperand(b)
	}
	left := f.toOperand(a)
	if left > right {
		f.freeExpression(a)
		f.freeExpression(b)
	} else {
		f.freeExpression(b)
		f.freeExpression(a)
	}
	a.info = f.codeABC(op, 0, left, right)
	a.kind = expRelocatable
}

func (f *function) codeComparison(op opcode, condition int, a, b *expression) {
	left := f.toOperand(a)
	right := f.toOperand(b)
	f.freeExpression(b)
	f.freeExpression(a)
	if condition == 0 && op != opEq {
		left, right = right, left
		condition = 1
	}
	a.info = f.conditionalJump(op, condition, left, right)
	a.kind = expJump
}

func (f *function) codeNot(e *expression) {
	f.discharge(e)
	switch e.kind {
	case expNil, expFalse:
		e.kind = expTrue
	case expConstant, expNumber, expTrue:
		e.kind = expFalse
	case expJump:
		f.invertJump(e)
	default:
		f.dischargeToAny(e)
		f.freeExpression(e)
		e.info = f.codeABC(opNot, 0, e.info, 0)
		e.kind = expRelocatable
	}
	e.jumpFalse, e.jumpTrue = e.jumpTrue, e.jumpFalse
	f.removeValues(e.jumpFalse)
	f.removeValues(e.jumpTrue)
}

func (f *function) prefix(t token, e *expression) {
	var zero expression
	zero.set(expNumber, 0)
	switch t {
	case '-':
		if !e.isNumeral() {
			f.toAnyRegister(e)
		}
		f.codeArithmetic(opUnm, e, &zero)
	case tokNot:
		f.codeNot(e)
	default:
		f.toAnyRegister(e)
		f.codeArithmetic(opLen, e, &zero)
	}
}

// infix is called between the operands of a binary operator.
func (f *function) infix(op operator, e *expression) {
	switch op {
	case operAnd:
		f.goIfTrue(e)
	case operOr:
		f.goIfFalse(e)
	case operConcat:
		f.toNextRegister(e)
	case operAdd, operSub, operMul, operDiv, operMod, operPow:
		if !e.isNumeral() {
			f.toOperand(e)
		}
	default:
		f.toOperand(e)
	}
}

// postfix is called after both operands.
func (f *function) postfix(op operator, a, b *expression) {
	switch op {
	case operAnd:
		f.discharge(b)
		f.concat(&b.jumpFalse, a.jumpFalse)
		*a = *b
	case operOr:
		f.discharge(b)
		f.concat(&b.jumpTrue, a.jumpTrue)
		*a = *b
	case operConcat:
		f.toValue(b)
		if b.kind == expRelocatable && f.instruction(b).op() == opConcat {
			f.freeExpression(a)
			f.instruction(b).setB(a.info)
			a.kind, a.info = expRelocatable, b.info
			return
		}
		f.toNextRegister(b)
		f.codeArithmetic(opConcat, a, b)
	case operAdd, operSub, operMul, operDiv, operMod, operPow:
		f.codeArithmetic(opAdd+opcode(op-operAdd), a, b)
	case operEq:
		f.codeComparison(opEq, 1, a, b)
	case operNe:
		f.codeComparison(opEq, 0, a, b)
	case operLt:
		f.codeComparison(opLt, 1, a, b)
	case operLe:
		f.codeComparison(opLe, 1, a, b)
	case operGt:
		f.codeComparison(opLt, 0, a, b)
	default:
		f.codeComparison(opLe, 0, a, b)
	}
}
