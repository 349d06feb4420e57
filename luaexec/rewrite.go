package luaexec

import (
	"errors"

	"github.com/yuin/gopher-lua/ast"

	"lockstep/luaexec/syntax"
)

// The functions that rewritten code calls. No script can spell their names as variables.
const (
	setIndexName = "(set index)"
	newKeyName   = "(new key)"
	concatName   = "(concat)"
	payName      = "(pay)"
	lengthName   = "(length)"
	sizedName    = "(sized)"
	boundName    = "(bound)"
)

// maxSyntaxLevels bounds the nesting of statements and expressions: gopher-lua's compiler recurses
// over them.
const maxSyntaxLevels = 500

var errSyntaxLevels = errors.New("chunk has too many syntax levels")

// rewriter replaces operations that gopher-lua does not bound, or does otherwise than Redis, by calls: a write to a
// table respects read-only tables and pays for growth, a concatenation pays for its string. Invariant: every
// statement keeps its line, because errors name it.
type rewriter struct {
	level    int
	line     int  // of the node entered last, for errSyntaxLevels
	varargs  bool // the current function uses its ...
	ordered  bool // the source might see the order of a table's keys
	measured bool // the source might see the length of a table, which may have holes
}

func (r *rewriter) enter(n ast.PositionHolder) {
	r.level++
	r.line = n.Line()
	if r.level > maxSyntaxLevels {
		panic(errSyntaxLevels)
	}
}

func (r *rewriter) block(stmts []ast.Stmt) {
	for i, s := range stmts {
		stmts[i] = r.stmt(s)
	}
}

func (r *rewriter) stmt(s ast.Stmt) ast.Stmt {
	r.enter(s)
	defer func() { r.level-- }()
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.assign(s)
	case *ast.LocalAssignStmt:
		r.exprs(s.Exprs)
	case *ast.FuncCallStmt:
		s.Expr = r.expr(s.Expr)
	case *ast.DoBlockStmt:
		r.block(s.Stmts)
	case *ast.WhileStmt:
		s.Condition = r.expr(s.Condition)
		r.block(s.Stmts)
	case *ast.RepeatStmt:
		s.Condition = r.expr(s.Condition)
		r.block(s.Stmts)
	case *ast.IfStmt:
		s.Condition = r.expr(s.Condition)
		r.block(s.Then)
		r.block(s.Else)
	case *ast.NumberForStmt:
		s.Init, s.Limit = r.bound(s.Init), r.bound(s.Limit)
		if s.Step != nil {
			s.Step = r.bound(s.Step)
		}
		r.block(s.Stmts)
	case *ast.GenericForStmt:
		r.exprs(s.Exprs)
		s.Exprs = threeValues(s, s.Exprs)
		r.block(s.Stmts)
	case *ast.FuncDefStmt:
		return r.funcDef(s)
	case *ast.ReturnStmt:
		r.exprs(s.Exprs)
	}
	return s
}

// threeValues completes the values of a generic for with nils. Of two values with a field as the second,
// gopher-lua takes the third from a stale register.
func threeValues(at ast.PositionHolder, exprs []ast.Expr) []ast.Expr {
	switch last := exprs[len(exprs)-1].(type) {
	case *ast.FuncCallExpr:
		if !last.AdjustRet {
			return exprs
		}
	case *ast.Comma3Expr:
		if !last.AdjustRet {
			return exprs
		}
	}
	for len(exprs) < 3 {
		exprs = append(exprs, placed(&ast.NilExpr{}, at))
	}
	return exprs
}

// bound rewrites a limit of a numeric for: Lua also accepts a text that reads as a number.
func (r *rewriter) bound(e ast.Expr) ast.Expr {
	switch e.(type) {
	case *ast.NumberExpr, *ast.UnaryMinusOpExpr, *ast.UnaryLenOpExpr, *ast.ArithmeticOpExpr:
		return r.expr(e)
	}
	return callTo(boundName, e, r.expr(e))
}

func (r *rewriter) exprs(list []ast.Expr) {
	for i, e := range list {
		list[i] = r.expr(e)
	}
}

func (r *rewriter) expr(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	r.enter(e)
	defer func() { r.level-- }()
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		e.Object, e.Key = r.expr(e.Object), r.expr(e.Key)
	case *ast.TableExpr:
		return r.table(e)
	case *ast.FuncCallExpr:
		e.Func, e.Receiver = r.expr(e.Func), r.expr(e.Receiver)
		r.exprs(e.Args)
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
	case *ast.RelationalOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
		return arithmetic(e)
	case *ast.StringConcatOpExpr:
		return r.concat(e)
	case *ast.NumberExpr:
		if n, ok := syntax.Number(e.Value); ok {
			return numeral(e, n)
		}
	case *ast.UnaryMinusOpExpr:
		e.Expr = r.expr(e.Expr)
		if n, ok := constant(e.Expr); ok {
			return numeral(e, -n)
		}
	case *ast.UnaryNotOpExpr:
		e.Expr = r.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		return callTo(lengthName, e, r.expr(e.Expr))
	case *ast.FunctionExpr:
		r.function(e)
	case *ast.Comma3Expr:
		r.varargs = true
	}
	return e
}

// function makes a vararg function pay for its arguments on each call: a recursive f(...) copies
// thousands with one instruction.
func (r *rewriter) function(e *ast.FunctionExpr) {
	outer := r.varargs
	r.varargs = false
	r.block(e.Stmts)
	if r.varargs {
		all := placed(&ast.Comma3Expr{}, e)
		pay := callTo(payName, e, all)
		all.AdjustRet = false
		e.Stmts = append([]ast.Stmt{callStmt(e, pay)}, e.Stmts...)
	}
	r.varargs = outer
}

// isPayment tells whether a statement is the call of pay that function has put before a body.
func isPayment(s ast.Stmt) bool {
	call, ok := s.(*ast.FuncCallStmt)
	if !ok {
		return false
	}
	fn, ok := call.Expr.(*ast.FuncCallExpr).Func.(*ast.IdentExpr)
	return ok && fn.Value == payName
}

// table rewrites a constructor: a computed key, [k] = v, may grow the array.
func (r *rewriter) table(e *ast.TableExpr) ast.Expr {
	const maxKeys = 50        // so that they fit in the registers of a call
	hash, unusual := 0, false // unusual: a computed key, a hole, or a size that growth would not give
	var keys []ast.Expr       // in source order: gopher-lua loses it if there are numbers among them
	numbers := false
	for _, f := range e.Fields {
		if f.Key != nil {
			hash++
			f.Key = r.expr(f.Key)
			name, fixed := f.Key.(*ast.StringExpr)
			if n, ok := constant(f.Key); ok && len(keys) < maxKeys {
				keys, numbers = append(keys, numeral(f.Key, n)), true
			} else if fixed && len(keys) < maxKeys {
				keys = append(keys, placed(&ast.StringExpr{Value: name.Value}, f.Key))
			}
			if !fixed {
				unusual = true
				f.Key = callTo(newKeyName, f.Key, f.Key)
			}
		}
		if _, hole := f.Value.(*ast.NilExpr); hole && f.Key == nil {
			unusual = true
		}
		f.Value = r.expr(f.Value)
	}
	// A grown array has a power of two of places, a constructed one as many as elements.
	if n := len(e.Fields) - hash; r.measured && n > 2 && n&(n-1) != 0 {
		unusual = true
	}
	if !unusual && (!r.ordered || hash < 2) {
		return e
	}
	sizes := []ast.Expr{e, numeral(e, float64(len(e.Fields)-hash)), numeral(e, float64(hash))}
	if numbers {
		sizes = append(sizes, keys...)
	}
	return callTo(sizedName, e, sizes...)
}

// concat turns a .. b .. c into one call. Operands beyond the registers of a call go into a nested one.
func (r *rewriter) concat(e *ast.StringConcatOpExpr) ast.Expr {
	const maxOperands = 50
	var operands []ast.Expr
	rest := ast.Expr(e)
	for {
		op, ok := rest.(*ast.StringConcatOpExpr)
		if !ok || len(operands) == maxOperands {
			break
		}
		operands = append(operands, r.expr(op.Lhs))
		rest = op.Rhs
	}
	operands = append(operands, r.expr(rest))
	return callTo(concatName, e, operands...)
}

// funcDef rewrites `function a.b()` and `function a:b()`.
func (r *rewriter) funcDef(s *ast.FuncDefStmt) ast.Stmt {
	r.function(s.Func)
	var object, key ast.Expr
	switch {
	case s.Name.Receiver != nil:
		object, key = r.expr(s.Name.Receiver), placed(&ast.StringExpr{Value: s.Name.Method}, s)
		s.Func.ParList.Names = append([]string{"self"}, s.Func.ParList.Names...)
	default:
		field, ok := s.Name.Func.(*ast.AttrGetExpr)
		if !ok {
			return s
		}
		object, key = r.expr(field.Object), r.expr(field.Key)
	}
	return callStmt(s, callTo(setIndexName, s, object, key, s.Func))
}

func callTo(name string, at ast.PositionHolder, args ...ast.Expr) *ast.FuncCallExpr {
	args[len(args)-1] = oneValue(args[len(args)-1])
	fn := placed(&ast.IdentExpr{Value: name}, at)
	return placed(&ast.FuncCallExpr{Func: fn, Args: args, AdjustRet: true}, at)
}

func callStmt(at ast.PositionHolder, call ast.Expr) ast.Stmt {
	return placed(&ast.FuncCallStmt{Expr: call}, at)
}

// oneValue cuts a call or ... at the end of a list to its first value.
func oneValue(e ast.Expr) ast.Expr { return adjusted(e, true) }

func adjusted(e ast.Expr, toOne bool) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = toOne
	case *ast.Comma3Expr:
		e.AdjustRet = toOne
	}
	return e
}

// placed is a node that stands where another does.
func placed[N ast.PositionHolder](n N, at ast.PositionHolder) N {
	n.SetLine(at.Line())
	n.SetLastLine(at.LastLine())
	return n
}
