package syntax

import (
	"fmt"
	"slices"
)

// Limits of Lua 5.1.
const (
	maxLocals   = 200
	maxUpvalues = 60
	maxLevels   = 200
)

// parser reads a source from its first token to its last.
type parser struct {
	lexer
	tree     *Tree
	at       int   // index of the current token
	t        Token // the current token
	lastLine int   // of the token before it
	fn       *Function
	scope    *Local
	loop     *Statement // outermost loop around the current token, in its function
	depth    int        // of blocks
	level    int        // of syntax
}

// Parse parses a source. Messages call it by the name of the chunk. The error is an
// *Error.
func Parse(source, chunk string) (tree *Tree, err error) {
	p := &parser{lexer: lexer{source: source, chunk: chunk, line: 1}, at: -1}
	p.fn = &Function{Vararg: true}
	p.tree = &Tree{Source: source, Functions: []*Function{p.fn}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			tree, err = nil, r
		default:
			panic(r)
		}
	}()
	p.next()
	p.statements()
	p.check(TokEOF)
	p.tree.Tokens = p.tokens
	return p.tree, nil
}

// load reads the source up to a token.
func (p *parser) load(at int) Token {
	for len(p.tokens) <= at {
		t := p.lexer.next()
		if t.err != nil {
			panic(t.err)
		}
		if t.Kind != TokComment {
			p.tokens = append(p.tokens, t)
		}
	}
	return p.tokens[at]
}

func (p *parser) next() {
	p.lastLine = int(p.t.LastLine)
	p.at++
	p.t = p.load(p.at)
}

func (p *parser) fail(message string) {
	panic(&Error{Chunk: p.chunk, Line: int(p.line), Message: message})
}

// wrong ends parsing with a message that shows the current token.
func (p *parser) wrong(message string) {
	t := p.t
	if t.Kind == 0 {
		p.fail(message)
	}
	near := t.Kind.String()
	if TokNumber <= t.Kind && t.Kind <= TokString {
		near = p.source[t.Start:t.End]
		if mark := near[:1]; t.Kind == TokString && mark != "[" {
			near = mark + t.value + mark
		}
	}
	p.err = nil
	p.lexer.fail(message, near)
	panic(p.err)
}

func (p *parser) accept(k Kind) bool {
	if p.t.Kind != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) check(k Kind) {
	if p.t.Kind != k {
		p.wrong("'" + k.String() + "' expected")
	}
}

func (p *parser) expect(k Kind) {
	p.check(k)
	p.next()
}

// match expects the token that closes a construct opened on a line.
func (p *parser) match(closing, opening Kind, line int32) {
	if p.t.Kind != closing && line != p.line {
		p.wrong(fmt.Sprintf("'%v' expected (to close '%v' at line %d)", closing, opening, line))
	}
	p.expect(closing)
}

func (p *parser) name() string {
	p.check(TokName)
	name := p.source[p.t.Start:p.t.End]
	p.next()
	return name
}

func (p *parser) enter() {
	p.level++
	p.tree.Levels = max(p.tree.Levels, p.level)
	if p.level > maxLevels {
		p.fail("chunk has too many syntax levels")
	}
}

func (p *parser) leave() { p.level-- }

func (p *parser) limit(f *Function, n, limit int, what string) {
	switch {
	case n <= limit:
	case f.Line == 0:
		p.fail(fmt.Sprintf("main function has more than %d %s", limit, what))
	default:
		p.fail(fmt.Sprintf("function at line %d has more than %d %s", f.Line, limit, what))
	}
}

// mayDeclare checks that there is room for one more variable besides those that are
// waiting to be declared.
func (p *parser) mayDeclare(waiting int) {
	p.limit(p.fn, p.scope.InScope(p.fn)+waiting+1, maxLocals, "local variables")
}

func (p *parser) declare(names ...string) {
	for _, name := range names {
		p.scope = &Local{Name: name, Made: name == "", Fn: p.fn, Index: p.scope.InScope(p.fn), Before: p.scope}
	}
}

// names reads names that are declared later; waiting is the number of names read before.
func (p *parser) names(waiting int) (names []string) {
	for {
		names = append(names, p.name())
		p.mayDeclare(waiting + len(names) - 1)
		if !p.accept(',') {
			return names
		}
	}
}

// variable reads a name that stands for a value.
func (p *parser) variable() *Expr {
	e := &Expr{Kind: Variable, Token: p.at, Fn: p.fn}
	e.Text = p.name()
	for v := p.scope; v != nil; v = v.Before {
		if v.Name == e.Text {
			e.Local = v
			p.capture(p.fn, v)
			break
		}
	}
	return p.add(e)
}

func (p *parser) add(e *Expr) *Expr {
	p.tree.Exprs = append(p.tree.Exprs, e)
	return e
}

// capture notes that a function uses a variable.
func (p *parser) capture(f *Function, v *Local) {
	if f == v.Fn || slices.Contains(f.Upvalues, v) {
		return
	}
	p.capture(f.Parent, v)
	p.limit(f, len(f.Upvalues)+1, maxUpvalues, "upvalues")
	f.Upvalues = append(f.Upvalues, v)
}

// site records an action at the current place.
func (p *parser) site(op Action, operands ...*Expr) *Site {
	s := &Site{Op: op, Line: p.lastLine, Operands: operands}
	p.fn.Sites = append(p.fn.Sites, s)
	return s
}

// taken records that a field's value is read only here: Lua 5.1 defers it, because the
// field may turn out to be the target of an assignment.
func (p *parser) taken(e *Expr) {
	if e.Kind == Index {
		e.site.Line = p.lastLine
	}
}
