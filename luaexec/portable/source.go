package portable

import (
	"reflect"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"lockstep/luaexec/syntax"
)

// source is what a piece of Lua says of itself without being run.
type source struct {
	calls   []call
	names   map[string]int // of fields and variables, with the line of the first
	refused []Refusal      // what is wrong with it, whatever it is given
	depends bool           // what it is given, or finds, may be wrong too

	spelled   string // what it does with the letters of a name from KEYS
	spelledAt int    // the line; 0: nothing
}

// call is a call of a command whose name stands there.
type call struct {
	name  string   // in lower case
	words []string // in capitals: the arguments that stand there too
	line  int
}

// read takes a source apart. One that does not compile says nothing: whoever runs it
// tells why.
func read(text string) *source {
	s := &source{names: map[string]int{}}
	text = strings.TrimRight(text, " \t\r\n")
	if strings.HasPrefix(text, "#!") {
		_, rest, _ := strings.Cut(text, "\n")
		text = "\n" + rest
	}
	tree, err := syntax.Parse(text, "") // which bounds how deep it nests
	if err != nil {
		return s
	}
	block, err := parse.Parse(strings.NewReader(tree.ForGopher()), "")
	if err != nil {
		return s
	}
	r := &reader{source: s, callers: map[string]bool{}}
	walk(reflect.ValueOf(block), r.alias)
	walk(reflect.ValueOf(block), r.call)
	walk(reflect.ValueOf(block), r.note)
	s.spell(block)
	return s
}

// walk meets each statement and expression below a node, each before what it holds. It
// keeps a list of its own, since browsers have little stack.
func walk(root reflect.Value, meet func(any)) {
	next := []reflect.Value{root}
	for len(next) > 0 {
		v := next[len(next)-1]
		next = next[:len(next)-1]
		switch v.Kind() { //nolint:exhaustive // trees are made of these
		case reflect.Interface:
			next = append(next, v.Elem())
		case reflect.Slice:
			for i := v.Len() - 1; i >= 0; i-- {
				next = append(next, v.Index(i))
			}
		case reflect.Pointer:
			if v.IsNil() {
				continue
			}
			meet(v.Interface())
			node := v.Elem()
			for i := node.NumField() - 1; i >= 0; i-- {
				next = append(next, node.Field(i))
			}
		}
	}
}

// reader fills a source in.
type reader struct {
	*source
	callers map[string]bool // variables that are redis.call
}

// alias finds variables that are redis.call.
func (r *reader) alias(n any) {
	var names []string
	var values []ast.Expr
	switch n := n.(type) {
	case *ast.LocalAssignStmt:
		names, values = n.Names, n.Exprs
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			ident, _ := left.(*ast.IdentExpr)
			if ident == nil {
				return
			}
			names = append(names, ident.Value)
		}
		values = n.Rhs
	}
	for i, v := range values {
		if i < len(names) && isCall(v) {
			r.callers[names[i]] = true
		}
	}
}

// isCall tells whether an expression is redis.call or redis.pcall, by whatever name
// the table goes.
func isCall(e ast.Expr) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return false
	}
	key, ok := get.Key.(*ast.StringExpr)
	return ok && (key.Value == "call" || key.Value == "pcall")
}

func (r *reader) isCaller(e ast.Expr) bool {
	ident, ok := e.(*ast.IdentExpr)
	return isCall(e) || ok && r.callers[ident.Value]
}

// call notes a call of a command whose name stands there.
func (r *reader) call(n any) {
	c, ok := n.(*ast.FuncCallExpr)
	if !ok || c.Func == nil {
		return
	}
	args := c.Args
	if ident, ok := c.Func.(*ast.IdentExpr); ok && ident.Value == "pcall" && len(args) > 0 && r.isCaller(args[0]) {
		args = args[1:] // pcall(redis.call, …)
	} else if !r.isCaller(c.Func) {
		return
	}
	if len(args) == 0 {
		return
	}
	name, ok := args[0].(*ast.StringExpr)
	if !ok {
		return
	}
	found := call{name: strings.ToLower(name.Value), line: c.Line()}
	for _, arg := range args[1:] {
		if word, ok := arg.(*ast.StringExpr); ok {
			found.words = append(found.words, strings.ToUpper(word.Value))
		}
	}
	r.calls = append(r.calls, found)
}

// note notes names of variables and fields.
func (r *reader) note(n any) {
	switch n := n.(type) {
	case *ast.IdentExpr:
		r.add(n.Value, n.Line())
	case *ast.AttrGetExpr:
		if key, ok := n.Key.(*ast.StringExpr); ok {
			r.add(key.Value, n.Line())
		}
	}
}

func (r *reader) add(name string, line int) {
	if _, ok := r.names[name]; !ok {
		r.names[name] = line
	}
}
