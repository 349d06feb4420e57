package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
)

// change is one small fault that could be in a file.
type change struct {
	file       string // relative to the module's root
	in         string // the function, or nothing
	line       int
	from, to   int    // offsets of what is replaced
	with       string // and by what
	was, would string // the lines before and after, on one line each
}

// id is the same as long as the lines and their function are.
func (c change) id() string { return c.file + " " + c.in + "\n" + c.was + "\n" + c.would }

// operators are what else somebody might have written.
var operators = map[token.Token][]token.Token{ //nolint:exhaustive // no others are changed
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.AND_NOT: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN},
	token.BREAK: {token.CONTINUE}, token.CONTINUE: {token.BREAK},
}

// source is a file in which changes are found.
type source struct {
	name    string
	text    string
	tokens  *token.File
	in      string
	changes []change
}

// changesIn finds all changes of a Go file. Some of them do not compile.
func changesIn(path, name string) ([]change, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, text: string(text), tokens: set.File(file.Pos())}
	for _, d := range file.Decls {
		s.in = ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.in = functionName(d)
		case *ast.GenDecl:
			if d.Tok == token.IMPORT || d.Tok == token.TYPE {
				continue
			}
		}
		ast.Inspect(d, s.visit)
	}
	return s.changes, nil
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	receiver := d.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if of, ok := receiver.(*ast.IndexExpr); ok {
		receiver = of.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

func (s *source) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		s.swap(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		s.swap(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		if n.Label == nil {
			s.swap(n.TokPos, n.Tok)
		}
	case *ast.AssignStmt:
		s.swap(n.TokPos, n.Tok)
		if n.Tok == token.ASSIGN {
			s.replace(n.Pos(), n.End(), "")
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			s.replace(n.Pos(), n.X.Pos(), "")
		}
	case *ast.IfStmt:
		s.condition(n.Cond)
	case *ast.ExprStmt:
		s.replace(n.Pos(), n.End(), "")
	case *ast.DeferStmt:
		s.replace(n.Pos(), n.End(), "")
	case *ast.Ident:
		switch n.Name {
		case "true":
			s.replace(n.Pos(), n.End(), "false")
		case "false":
			s.replace(n.Pos(), n.End(), "true")
		}
	case *ast.BasicLit:
		if i, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			s.replace(n.Pos(), n.End(), strconv.FormatInt(i+1, 10))
		}
	}
	return true
}

// condition makes an if always true and never, where no change of an operator does
// about the same.
func (s *source) condition(cond ast.Expr) {
	switch c := cond.(type) {
	case *ast.BinaryExpr:
		if c.Op != token.LAND && c.Op != token.LOR {
			return
		}
	case *ast.UnaryExpr:
		return
	}
	text := s.text[s.tokens.Offset(cond.Pos()):s.tokens.Offset(cond.End())]
	s.replace(cond.Pos(), cond.End(), "("+text+") || true")
	s.replace(cond.Pos(), cond.End(), "("+text+") && false")
}

func (s *source) swap(at token.Pos, op token.Token) {
	for _, other := range operators[op] {
		s.replace(at, at+token.Pos(len(op.String())), other.String())
	}
}

func (s *source) replace(from, to token.Pos, with string) {
	c := change{
		file: s.name, in: s.in, line: s.tokens.Line(from),
		from: s.tokens.Offset(from), to: s.tokens.Offset(to), with: with,
	}
	begin := strings.LastIndexByte(s.text[:c.from], '\n') + 1
	end := len(s.text)
	if i := strings.IndexByte(s.text[c.to:], '\n'); i >= 0 {
		end = c.to + i
	}
	c.was = inOneLine(s.text[begin:end])
	c.would = inOneLine(s.text[begin:c.from] + with + s.text[c.to:end])
	if !slices.Contains(s.changes, c) {
		s.changes = append(s.changes, c)
	}
}

func inOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// applied is the file with the change. Its lines keep their numbers.
func (c change) applied(text string) string {
	lost := strings.Count(text[c.from:c.to], "\n") - strings.Count(c.with, "\n")
	return text[:c.from] + c.with + strings.Repeat("\n", max(0, lost)) + text[c.to:]
}
