package portable

import (
	"reflect"
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Spelled is where a script looks at the letters of a name from KEYS: where names have
// a prefix, it would see that. line is 0 if it does not.
func Spelled(text string) (what string, line int) {
	s := readSources.read(text)
	return s.spelled, s.spelledAt
}

// speller follows the names from KEYS through a source: what a variable holds is told
// by its name alone, wherever it stands.
type speller struct {
	*source
	names     map[string]bool              // variables that hold names of keys
	functions map[string]*ast.FunctionExpr // of the source's own
	grown     bool
}

// spell looks for uses of names as texts.
func (s *source) spell(block []ast.Stmt) {
	p := &speller{source: s, names: map[string]bool{}, functions: map[string]*ast.FunctionExpr{}}
	for p.grown = true; p.grown; {
		p.grown = false
		walk(reflect.ValueOf(block), p.follow)
	}
	walk(reflect.ValueOf(block), p.judge)
}

// isKeys tells whether an expression is KEYS itself.
func isKeys(e ast.Expr) bool {
	ident, ok := e.(*ast.IdentExpr)
	return ok && ident.Value == "KEYS"
}

// isName tells whether an expression is the name of a key, or made from one.
func (p *speller) isName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return p.names[e.Value]
	case *ast.AttrGetExpr:
		return isKeys(e.Object)
	case *ast.StringConcatOpExpr:
		return p.isName(e.Lhs) || p.isName(e.Rhs)
	case *ast.LogicalOpExpr:
		return p.isName(e.Lhs) || p.isName(e.Rhs)
	case *ast.FuncCallExpr:
		library, name := called(e)
		return (library+name == "tostring" || library == "string" && name == "format") && p.anyName(e.Args)
	}
	return false
}

func (p *speller) anyName(args []ast.Expr) bool {
	return slices.ContainsFunc(args, p.isName)
}

// called is what a call calls: a function of a library or of none.
func called(c *ast.FuncCallExpr) (library, name string) {
	switch f := c.Func.(type) {
	case *ast.IdentExpr:
		return "", f.Value
	case *ast.AttrGetExpr:
		object, ok := f.Object.(*ast.IdentExpr)
		key, is := f.Key.(*ast.StringExpr)
		if ok && is {
			return object.Value, key.Value
		}
	}
	return "", ""
}

// follow notes the variables to which names are passed on.
func (p *speller) follow(n any) {
	switch n := n.(type) {
	case *ast.LocalAssignStmt:
		p.assign(n.Names, n.Exprs)
	case *ast.AssignStmt:
		var names []string
		for _, left := range n.Lhs {
			ident, ok := left.(*ast.IdentExpr)
			if !ok {
				return
			}
			names = append(names, ident.Value)
		}
		p.assign(names, n.Rhs)
	case *ast.FuncDefStmt:
		if ident, ok := n.Name.Func.(*ast.IdentExpr); ok {
			p.functions[ident.Value] = n.Func
		}
	case *ast.GenericForStmt:
		if overKeys(n.Exprs) && len(n.Names) > 1 {
			p.hold(n.Names[1])
		}
	case *ast.FuncCallExpr:
		if _, name := called(n); p.functions[name] != nil {
			for i, arg := range n.Args {
				if params := p.functions[name].ParList.Names; i < len(params) && p.isName(arg) {
					p.hold(params[i])
				}
			}
		}
	}
}

func (p *speller) assign(names []string, values []ast.Expr) {
	if overKeys(values) { // local a, b = unpack(KEYS)
		for _, name := range names {
			p.hold(name)
		}
		return
	}
	for i, v := range values {
		if i >= len(names) {
			return
		}
		if f, ok := v.(*ast.FunctionExpr); ok {
			p.functions[names[i]] = f
		}
		if p.isName(v) {
			p.hold(names[i])
		}
	}
}

// overKeys tells whether values are those of ipairs(KEYS), pairs(KEYS) or unpack(KEYS).
func overKeys(values []ast.Expr) bool {
	if len(values) != 1 {
		return false
	}
	c, ok := values[0].(*ast.FuncCallExpr)
	return ok && len(c.Args) > 0 && isKeys(c.Args[0])
}

func (p *speller) hold(name string) {
	p.grown = p.grown || !p.names[name]
	p.names[name] = true
}

// texts are the libraries whose functions read what they are given, letter by letter.
var texts = map[string]bool{"string": true, "cjson": true, "cmsgpack": true, "struct": true}

// judge notes the first use of a name as a text.
func (p *speller) judge(n any) {
	switch n := n.(type) {
	case *ast.UnaryLenOpExpr:
		if p.isName(n.Expr) {
			p.note("#", n.Line())
		}
	case *ast.RelationalOpExpr:
		if p.isName(n.Lhs) != p.isName(n.Rhs) && !isNil(n.Lhs) && !isNil(n.Rhs) {
			p.note(n.Operator, n.Line())
		}
	case *ast.FuncCallExpr:
		library, name := called(n)
		reads := texts[library] && !(library == "string" && name == "format") || library+"."+name == "redis.sha1hex" || library+name == "tonumber"
		if reads && (p.anyName(n.Args) || len(n.Args) > 0 && isKeys(n.Args[0])) {
			p.note(name, n.Line())
		}
		if n.Receiver != nil && p.isName(n.Receiver) {
			p.note(n.Method, n.Line())
		}
	}
}

func isNil(e ast.Expr) bool {
	switch e.(type) {
	case *ast.NilExpr, *ast.FalseExpr, *ast.TrueExpr:
		return true
	}
	return false
}

func (p *speller) note(what string, line int) {
	if p.spelledAt == 0 {
		p.spelled, p.spelledAt = what, line
	}
}
