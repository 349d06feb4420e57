// Package syntax reads Lua 5.1: it cuts a source into tokens, reports the errors that
// PUC-Rio's compiler would report, and builds a tree with the position of everything.
package syntax

// Tree is a parsed source. Its parts refer to tokens by index.
type Tree struct {
	Source     string
	Tokens     []Token      // without comments; the last one is the end
	Functions  []*Function  // in the order in which they begin; the source itself is one
	Statements []*Statement // in the order in which they begin
	Blocks     []Block
	Exprs      []*Expr // without constants, tables and functions; each after its parts
	Levels     int     // depth of nesting
}

// Text is the text of a token.
func (t *Tree) Text(token int) string { return t.Source[t.Tokens[token].Start:t.Tokens[token].End] }

// Line is the line on which an expression begins, from 1.
func (t *Tree) Line(e *Expr) int { return int(t.Tokens[e.Token].Line) }

// Function is a function of a source; the outermost is the source itself.
type Function struct {
	Parent   *Function // nil of the source
	Line     int       // 0 of the source
	Params   []string
	Vararg   bool
	Upvalues []*Local // variables of enclosing functions that it, or a function in it, uses
	Sites    []*Site  // in the order in which they run
}

// Local is a local variable, linked to the one declared before it: a link stands for
// everything in scope at a place.
type Local struct {
	Name   string // empty for the internal variables of a loop
	Made   bool   // by Lua: one of a loop, or the arg of Lua 5.0
	Fn     *Function
	Index  int // among those of its function that are in scope, from 0
	Before *Local
}

// InScope is how many variables of a function are in scope at one.
func (v *Local) InScope(fn *Function) int {
	if v == nil || v.Fn != fn {
		return 0
	}
	return v.Index + 1
}

// Block is the part of the source between the keywords that open and close it.
type Block struct {
	First, Close int // tokens
	Depth        int // number of enclosing blocks
}

// Statement is a statement, or the condition of an elseif, while or until, which is
// evaluated more often than the statement begins.
type Statement struct {
	First, End int    // tokens: its first, and the one after its last
	Condition  int    // of a condition: the token at which its expression begins, else 0
	Body       int    // of a loop: the token at which its body begins, else 0
	Scope      *Local // last variable in scope before it
	Fn         *Function
	Loop       *Statement // outermost loop of its function around it
	Depth      int        // number of enclosing blocks

	Names   []string // of local or a loop: the variables that it declares
	Targets []*Expr  // of an assignment
	Values  []*Expr  // of a return too
}

// ExprKind is what an expression is.
type ExprKind uint8

// The kinds of expressions. The value of Other is known only at run time.
const (
	Other ExprKind = iota
	Nil
	True
	False
	NumberValue
	StringValue
	Variable
	Varargs
	Index       // object.name, object[key]
	MethodIndex // object:name in a call
	Call
	Operation // a unary or binary operator
	TableValue
	FunctionValue
	Paren
)

// Expr is an expression.
type Expr struct {
	Kind   ExprKind
	Token  int       // its first
	Text   string    // of a string, a number or a variable
	Op     Kind      // of an operation
	Line   int       // of a call: that of its arguments' first token
	Local  *Local    // of a variable; nil if it is global
	Fn     *Function // that contains it; of a function expression, the one that it makes
	Object *Expr     // of an index, of a call, or in parentheses
	Key    *Expr     // of an index
	Args   []*Expr   // of a call; of an operation
	site   *Site
}

// Bare is an expression without the parentheses around it.
func (e *Expr) Bare() *Expr {
	for e.Kind == Paren {
		e = e.Object
	}
	return e
}

// Action is what a site does, by the name that gopher-lua's messages use.
type Action string

// The actions besides add, sub, mul, div, mod and pow.
const (
	GetIndex Action = "index"
	SetIndex Action = "set index"
	DoCall   Action = "call"
	Minus    Action = "minus"
	Length   Action = "length"
	Join     Action = "concat"
)

// Site is a place where an action may fail because of the type of a value.
type Site struct {
	Op       Action
	Line     int // the line that Lua 5.1 reports
	Operands []*Expr
	Key      *Expr // of an index
}

// Name is what messages call the value of an expression: its kind (local, global, field,
// upvalue or method) and its name; empty if it has none.
func (e *Expr) Name() (kind, name string) {
	switch e = e.Bare(); e.Kind {
	case Variable:
		switch {
		case e.Local == nil:
			return "global", e.Text
		case e.Local.Fn != e.Fn:
			return "upvalue", e.Text
		}
		return "local", e.Text
	case Index, MethodIndex:
		kind, name = "field", "?"
		if e.Kind == MethodIndex {
			kind = "method"
		}
		if e.Key.Kind == StringValue {
			name = e.Key.Text
		}
		return kind, name
	default:
		return "", ""
	}
}
