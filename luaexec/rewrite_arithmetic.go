package luaexec

import (
	"math"
	"strconv"

	"github.com/yuin/gopher-lua/ast"

	"lockstep/luaexec/libm"
	"lockstep/luaexec/syntax"
)

// arithmetic computes an operation of two numbers, as Lua 5.1's compiler does, or makes
// it a call if gopher-lua has another idea of it.
func arithmetic(e *ast.ArithmeticOpExpr) ast.Expr {
	x, okX := constant(e.Lhs)
	y, okY := constant(e.Rhs)
	if okX && okY {
		if n, ok := folded(e.Operator, x, y); ok {
			return numeral(e, n)
		}
	}
	if name := operatorNames[e.Operator]; name != "" {
		return callTo(name, e, oneValue(e.Lhs), e.Rhs)
	}
	return e
}

// folded is the number that an operation of two constants is compiled to; ok is false
// when Lua 5.1 leaves it for later.
func folded(op string, x, y float64) (n float64, ok bool) {
	switch op {
	case "+":
		n = x + y
	case "-":
		n = x - y
	case "*":
		n = times(x, y)
	case "^":
		n = libm.Pow(x, y)
	case "/":
		n, ok = over(x, y), y != 0
		return n, ok && n == n
	case "%":
		n, ok = syntax.Modulo(x, y), y != 0
		return n, ok && n == n
	}
	return n, n == n
}

// constant is the number that a rewritten expression is.
func constant(e ast.Expr) (float64, bool) {
	minus, negative := e.(*ast.UnaryMinusOpExpr)
	if negative {
		e = minus.Expr
	}
	literal, ok := e.(*ast.NumberExpr)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(literal.Value, 64)
	if negative {
		n = -n
	}
	return n, err == nil
}

// numeral is an expression that is a number. gopher-lua would read the text of -0 as 0.
func numeral(at ast.PositionHolder, n float64) ast.Expr {
	literal := placed(&ast.NumberExpr{Value: strconv.FormatFloat(math.Abs(n), 'g', -1, 64)}, at)
	if !math.Signbit(n) {
		return literal
	}
	return placed(&ast.UnaryMinusOpExpr{Expr: literal}, at)
}
