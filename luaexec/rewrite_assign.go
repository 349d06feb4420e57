package luaexec

import (
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// assign rewrites an assignment to a field, and one to several variables: gopher-lua writes to a local variable as
// soon as it has its value, when others may still need the old one.
func (r *rewriter) assign(s *ast.AssignStmt) ast.Stmt {
	r.exprs(s.Rhs)
	for _, target := range s.Lhs {
		if field, ok := target.(*ast.AttrGetExpr); ok {
			field.Object, field.Key = r.expr(field.Object), r.expr(field.Key)
		}
	}
	if len(s.Lhs) > 1 || len(s.Rhs) > 1 {
		return assignMany(s)
	}
	if field, ok := s.Lhs[0].(*ast.AttrGetExpr); ok {
		return callStmt(s, callTo(setIndexName, s, field.Object, field.Key, s.Rhs[0]))
	}
	// A call gives all its values: for the first alone, gopher-lua would evaluate it in the variable's own
	// register, and its arguments overwrite those behind, where other variables live.
	s.Rhs[0] = adjusted(s.Rhs[0], false)
	return s
}

// assignMany keeps Lua's order: first what is on both sides is evaluated, then the writes happen, from right to left.
func assignMany(s *ast.AssignStmt) ast.Stmt {
	block := placed(&ast.DoBlockStmt{}, s)
	local := func(names []string, exprs ...ast.Expr) {
		block.Stmts = append(block.Stmts, placed(&ast.LocalAssignStmt{Names: names, Exprs: exprs}, s))
	}
	ident := func(name string) ast.Expr { return placed(&ast.IdentExpr{Value: name}, s) }
	type target struct{ object, key, value string }
	targets := make([]target, len(s.Lhs))
	values := make([]string, len(s.Lhs))
	for i, lhs := range s.Lhs {
		n := string(rune('0'+i%10)) + string(rune('0'+i/10))
		t := target{"(object " + n + ")", "(key " + n + ")", "(value " + n + ")"}
		targets[i], values[i] = t, t.value
		if field, ok := lhs.(*ast.AttrGetExpr); ok {
			local([]string{t.object, t.key}, field.Object, oneValue(field.Key))
		}
	}
	local(values, s.Rhs...)
	for i, v := range slices.Backward(s.Lhs) {
		t := targets[i]
		if _, ok := v.(*ast.AttrGetExpr); ok {
			call := callTo(setIndexName, s, ident(t.object), ident(t.key), ident(t.value))
			block.Stmts = append(block.Stmts, callStmt(s, call))
			continue
		}
		a := &ast.AssignStmt{Lhs: []ast.Expr{v}, Rhs: []ast.Expr{ident(t.value)}}
		block.Stmts = append(block.Stmts, placed(a, s))
	}
	return block
}

// wasOne tells whether a block stands for one statement of the source.
func wasOne(block *ast.DoBlockStmt) bool {
	if len(block.Stmts) == 0 {
		return false
	}
	first, ok := block.Stmts[0].(*ast.LocalAssignStmt)
	return ok && strings.HasPrefix(first.Names[0], "(")
}
