// Package syntax reads Lua 5.1: it cuts a source into tokens, says what PUC-Rio's
// compiler would have against it, and makes a tree that knows where everything stands.
package syntax

// Tree is a source taken apart. Its parts name tokens by their index.
type Tree struct {
	Source     string
	Tokens     []Token      // without comments; the last one is the end
	Functions  []*Function  // in the order in which they begin; the source itself is one
	Statements []*Statement // in the order in which they begin
	Blocks     []Block
	Exprs      []*Expr // those that are no constants, tables or functions; each after its parts
	Levels     int     // how deep it nests

	gotos []int // tokens that are the key of a field in a constructor
}

// Text is that of a token.
func (t *Tree) Text(token int) string {
	return t.Source[t.Tokens[token].Start:t.Tokens[token].End]
}

// Line is the one that an expression begins on, from 1.
func (t *Tree) Line(e *Expr) int { return int(t.Tokens[e.Token].Line) }

// Function is a function of a source; the outermost is the source itself.
type Function struct {
	Parent   *Function // nil of the source
	Line     int       // 0 of the source
	Params   []string
	Vararg   bool
	Upvalues []*Local // variables of functions around that it, or a function in it, uses
	Sites    []*Site  // in the order in which they run
}

// Local is a local variable, linked to the one before it: a link is all that is in
// scope somewhere.
type Local struct {
	Name   string // empty for those that a loop keeps for itself
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

// Block is what stands between the words that open and close it.
type Block struct {
	First, Close int // tokens
	Depth        int // of what is around it
}

// Statement is a statement, or the condition of an elseif, while or until, which is
// evaluated more often than the statement begins.
type Statement struct {
	First, End int    // tokens: its first, and the one after its last
	Condition  int    // token that the expression of a condition begins at, else 0
	Body       int    // of a loop: token that its body begins at, else 0
	Scope      *Local // last variable in scope before it
	Fn         *Function
	Loop       *Statement // outermost loop of its function around it
	Depth      int        // how many blocks are around it

	Names   []string // that it declares, and which get the values: of local, or of a loop
	Targets []*Expr  // of an assignment
	Values  []*Expr  // of a return too
}

// ExprKind is what an expression is.
type ExprKind uint8

// The kinds of expressions. Other is one whose value only running it tells.
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
	MethodIndex // object:name, which is called
	Call
	Operation // of values or of one, with an operator
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
	Fn     *Function // that has it, or that it makes
	Object *Expr     // of an index; what is called; what is in parentheses
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

// Action is what a site does, named as gopher-lua's messages name it.
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

// Site is a place where an action meets values that may be wrong ones.
type Site struct {
	Op       Action
	Line     int // that Lua 5.1 takes it to be on
	Operands []*Expr
	Key      *Expr // of an index
}

// Name is what messages call the value of an expression: its kind (local, global, field,
// upvalue or method) and its name, or nothing.
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
