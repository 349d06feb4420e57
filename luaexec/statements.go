package luaexec

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// Statement is a statement of a source.
type Statement struct {
	Line   int
	Locals []Register // in scope before it, in the order in which they were declared
}

// Register is where a function keeps a local variable.
type Register struct {
	Name  string
	Index int // from 0
}

// Statements says which statement each instruction of a compiled source is of.
// What gopher-lua itself knows of local variables holds for the first block of a
// function alone: blocks after it overwrite where those before them end.
type Statements struct {
	chunk      string
	sources    sources
	statements []Statement
	of         map[*lua.FunctionProto][]int // index of the statement, from 1, by instruction
}

// At is the statement of an instruction of a function; nil for what is of none,
// such as the return at the end of a function.
func (s *Statements) At(proto *lua.FunctionProto, pc int) *Statement {
	of := s.of[proto]
	if pc < 0 || pc >= len(of) || of[pc] < 1 || of[pc] > len(s.statements) {
		return nil
	}
	return &s.statements[of[pc]-1]
}

// CompileStatements is Compile with the statements of the source. It compiles it
// twice, the second time with the numbers of statements in place of lines.
func CompileStatements(chunk, source string) (*lua.FunctionProto, *Statements, error) {
	source = strings.TrimRight(source, " \t\r\n")
	proto, tree, err := compile(chunk, source)
	if err != nil {
		return nil, nil, err
	}
	stmts, err := parse.Parse(strings.NewReader(tree.ForGopher()), chunk)
	if err != nil {
		return nil, nil, syntaxError(chunk, err)
	}
	newRewriter(source).block(stmts)
	n := &numberer{}
	n.block(stmts, nil)
	numbered, err := lua.Compile(stmts, chunk)
	if err != nil {
		return nil, nil, syntaxError(chunk, err)
	}
	s := &Statements{chunk: chunk, sources: sources{}, statements: n.statements, of: map[*lua.FunctionProto][]int{}}
	s.pair(proto, numbered)
	s.sources.pair(proto, tree.Main)
	return proto, s, nil
}

func (s *Statements) pair(proto, numbered *lua.FunctionProto) {
	of := slices.Clone(numbered.DbgSourcePositions)
	of[len(of)-1] = 0 // the return at the end
	s.of[proto] = of
	for i, p := range proto.FunctionPrototypes {
		s.pair(p, numbered.FunctionPrototypes[i])
	}
}

// numberer gives the statements of a tree numbers in place of their lines. Scope
// is the local variables of the function at hand, by register.
type numberer struct {
	statements []Statement
	number     int // of the statement at hand
}

// begin gives the next number to what follows.
func (n *numberer) begin(line int, scope []string) {
	s := Statement{Line: line}
	for i, name := range scope {
		// A variable hides others of its name; what the compiler keeps for itself
		// has a name in brackets.
		if !strings.HasPrefix(name, "(") && !slices.Contains(scope[i+1:], name) {
			s.Locals = append(s.Locals, Register{name, i})
		}
	}
	n.statements = append(n.statements, s)
	n.number = len(n.statements)
}

// block returns the scope at its end.
func (n *numberer) block(stmts []ast.Stmt, scope []string) []string {
	for _, s := range stmts {
		n.begin(s.Line(), scope)
		number := n.number
		scope = n.stmt(s, slices.Clip(scope))
		n.number = number
		n.set(s)
	}
	return scope
}

// parts are what the rewriter has made of one statement.
func (n *numberer) parts(stmts []ast.Stmt, scope []string) {
	for _, s := range stmts {
		scope = n.stmt(s, slices.Clip(scope))
		n.set(s)
	}
}

func (n *numberer) set(node ast.PositionHolder) {
	node.SetLine(n.number)
	node.SetLastLine(n.number)
}

// stmt returns the scope after a statement.
func (n *numberer) stmt(s ast.Stmt, scope []string) []string {
	switch s := s.(type) {
	case *ast.AssignStmt:
		n.exprs(s.Lhs, scope)
		n.exprs(s.Rhs, scope)
	case *ast.LocalAssignStmt:
		n.exprs(s.Exprs, scope)
		return append(scope, s.Names...)
	case *ast.FuncCallStmt:
		n.expr(s.Expr, scope)
	case *ast.DoBlockStmt:
		if wasOne(s) {
			n.parts(s.Stmts, scope)
		} else {
			n.block(s.Stmts, scope)
		}
	case *ast.WhileStmt:
		n.expr(s.Condition, scope)
		n.block(s.Stmts, scope)
	case *ast.RepeatStmt:
		line := s.Condition.Line()
		inside := n.block(s.Stmts, scope)
		n.begin(line, inside)
		n.expr(s.Condition, inside)
	case *ast.IfStmt:
		n.expr(s.Condition, scope)
		n.block(s.Then, scope)
		n.block(s.Else, scope)
	case *ast.NumberForStmt:
		n.exprs([]ast.Expr{s.Init, s.Limit, s.Step}, scope)
		n.block(s.Stmts, append(scope, "(index)", "(limit)", "(step)", s.Name))
	case *ast.GenericForStmt:
		n.exprs(s.Exprs, scope)
		n.block(s.Stmts, append(append(scope, "(generator)", "(state)", "(control)"), s.Names...))
	case *ast.FuncDefStmt:
		n.exprs([]ast.Expr{s.Name.Func, s.Name.Receiver}, scope)
		n.expr(s.Func, scope)
	case *ast.ReturnStmt:
		n.exprs(s.Exprs, scope)
	}
	return scope
}

func (n *numberer) exprs(list []ast.Expr, scope []string) {
	for _, e := range list {
		n.expr(e, scope)
	}
}

func (n *numberer) expr(e ast.Expr, scope []string) {
	if e == nil {
		return
	}
	n.set(e)
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		n.exprs([]ast.Expr{e.Object, e.Key}, scope)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			n.exprs([]ast.Expr{f.Key, f.Value}, scope)
		}
	case *ast.FuncCallExpr:
		n.exprs([]ast.Expr{e.Func, e.Receiver}, scope)
		n.exprs(e.Args, scope)
	case *ast.LogicalOpExpr:
		n.exprs([]ast.Expr{e.Lhs, e.Rhs}, scope)
	case *ast.RelationalOpExpr:
		n.exprs([]ast.Expr{e.Lhs, e.Rhs}, scope)
	case *ast.ArithmeticOpExpr:
		n.exprs([]ast.Expr{e.Lhs, e.Rhs}, scope)
	case *ast.UnaryMinusOpExpr:
		n.expr(e.Expr, scope)
	case *ast.UnaryNotOpExpr:
		n.expr(e.Expr, scope)
	case *ast.FunctionExpr:
		n.function(e)
	}
}

// function numbers the body of a function, which has registers of its own.
func (n *numberer) function(e *ast.FunctionExpr) {
	around := n.number
	scope := slices.Clone(e.ParList.Names)
	if e.ParList.HasVargs {
		scope = append(scope, "(arg)")
	}
	stmts := e.Stmts
	if len(stmts) > 0 && isOwn(stmts[0]) {
		n.number = 0
		n.parts(stmts[:1], scope)
		stmts = stmts[1:]
	}
	n.block(stmts, scope)
	n.number = around
}
