package luaexec

import (
	"reflect"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"lockstep/luaexec/syntax"
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
	statements []Statement                  // in the order in which they begin
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
	numbered, err := newRewriter(source).compile(chunk, tree, (&numberer{}).block)
	if err != nil {
		return nil, nil, err
	}
	s := &Statements{chunk: chunk, sources: sources{}, statements: statementsOf(tree), of: map[*lua.FunctionProto][]int{}}
	s.pair(proto, numbered)
	s.sources.add(source, proto, 0)
	return proto, s, nil
}

// statementsOf are those of a source. Of a while statement it is the condition.
func statementsOf(tree *syntax.Tree) []Statement {
	var all []Statement
	for _, s := range tree.Statements {
		if s.Condition == 0 && tree.Tokens[s.First].Kind == syntax.TokWhile {
			continue
		}
		found := Statement{Line: int(tree.Tokens[s.First].Line)}
		hidden := map[string]bool{}
		for v := s.Scope; v != nil && v.Fn == s.Fn; v = v.Before {
			if !v.Made && !hidden[v.Name] {
				found.Locals = append(found.Locals, Register{v.Name, v.Index})
			}
			hidden[v.Name] = true
		}
		slices.Reverse(found.Locals)
		all = append(all, found)
	}
	return all
}

func (s *Statements) pair(proto, numbered *lua.FunctionProto) {
	of := slices.Clone(numbered.DbgSourcePositions)
	of[len(of)-1] = 0 // the return at the end
	s.of[proto] = of
	for i, p := range proto.FunctionPrototypes {
		s.pair(p, numbered.FunctionPrototypes[i])
	}
}

// numberer gives the statements of a tree of gopher-lua numbers in place of their lines,
// in the order in which they begin.
type numberer struct {
	begun  int
	number int // of the statement at hand; 0 for what is of none
}

func (n *numberer) begin() {
	n.begun++
	n.number = n.begun
}

func (n *numberer) block(stmts []ast.Stmt) {
	around := n.number
	for _, s := range stmts {
		if isPayment(s) {
			n.number = 0
		} else {
			n.begin()
		}
		n.node(reflect.ValueOf(s))
	}
	n.number = around
}

// node numbers what a node holds, and the node itself.
func (n *numberer) node(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // trees are made of these
	case reflect.Interface:
		n.node(v.Elem())
	case reflect.Slice:
		if stmts, ok := reflect.TypeAssert[[]ast.Stmt](v); ok {
			n.block(stmts)
			return
		}
		for i := range v.Len() {
			n.node(v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if at, ok := reflect.TypeAssert[ast.PositionHolder](v); ok {
			at.SetLine(n.number)
			at.SetLastLine(n.number)
		}
		n.parts(v)
	}
}

func (n *numberer) parts(v reflect.Value) {
	switch s := v.Interface().(type) {
	case *ast.DoBlockStmt:
		if wasOne(s) { // of the source
			for _, part := range s.Stmts {
				n.node(reflect.ValueOf(part))
			}
			return
		}
	case *ast.RepeatStmt:
		n.block(s.Stmts)
		n.begin()
		n.node(reflect.ValueOf(s.Condition))
		return
	}
	for _, field := range v.Elem().Fields() {
		n.node(field)
	}
}
