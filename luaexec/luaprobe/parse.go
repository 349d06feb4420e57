package luaprobe

import (
	"fmt"
	"slices"
)

// local is a local variable, linked to the one declared before it: a link is all
// that is in scope at some point.
type local struct {
	name  string // empty for those that a loop keeps for itself
	owner *function
	prev  *local
}

// function is a function of the source; the outermost is the script itself.
type function struct {
	parent *function
	vararg bool
	outer  []*local // locals of enclosing functions that it or a function in it uses
	loop   int      // outermost loop around the current statement, or noLoop
}

const noLoop = -1

// loop is a loop statement.
type loop struct {
	first, end int // tokens: its first, and the one after its last
}

// statement is a place where a line is reported: a statement, or the condition of
// an elseif, while or until.
type statement struct {
	token    int // it begins at
	end      int // token after its last; of a condition, after the condition
	scope    *local
	fn       *function
	tailLine int // line of the call of a `return f(…)`, else 0
}

// site is a call that the source spells redis.call(…) or redis.pcall(…).
type site struct{ token int }

// insertion is a probe to put before, after or in place of a token.
type insertion struct {
	token int
	place place
	what  what
	index int // of the statement, loop or site
	fn    *function
}

type place uint8

const (
	before place = iota
	instead
	after
)

type what uint8

const (
	reportLine     what = iota // before a statement
	openCondition              // before a condition
	closeCondition             // after a condition
	enterLoop                  // before a loop
	beginPass                  // after do or repeat
	leaveLoop                  // after a loop
	leaveByReturn              // before a return in a loop
	nothing                    // in place of a token that goes
	callHere                   // in place of `call` of redis.call(
	pcallHere                  // in place of `pcall` of redis.pcall(
	siteNumber                 // after the ( of such a call
	callValue                  // in place of `call` of redis.call
	pcallValue                 // in place of `pcall` of redis.pcall
	redisValue                 // in place of `redis` that is passed on
	openParen                  // before a call that must not be a tail call
	closeParen                 // after it
	noValues                   // in place of the ... of the script
)

// parser finds what the probes need to know: statements, scopes and calls. It
// builds no tree, because the probes go into the source as it is.
type parser struct {
	source     string
	tokens     []token
	at         int
	level      int
	scope      *local
	fn         *function
	statements []statement
	loops      []loop
	sites      []site
	insertions []insertion
	indents    map[int]int // of tokens that LayOut puts at the beginning of a line
	indent     int
}

// maxLevel leaves room for the levels that probes add to the 200 that Lua's own
// parser allows.
const maxLevel = 185

func parse(source string) (p *parser, err error) {
	tokens, err := scan(source)
	if err != nil {
		return nil, err
	}
	p = &parser{source: source, tokens: tokens, fn: &function{loop: noLoop}, indents: map[int]int{}}
	defer func() {
		if r := recover(); r != nil {
			syntax, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			p, err = nil, syntax
		}
	}()
	p.block()
	if p.peek().kind != eofToken {
		p.unexpected("<eof>")
	}
	return p, nil
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) peekAt(offset int) token {
	return p.tokens[min(p.at+offset, len(p.tokens)-1)]
}

// is tells whether the next token is a certain keyword or symbol.
func (p *parser) is(text string) bool { return p.peek().is(text) }

func (t token) is(text string) bool {
	return t.text == text && (t.kind == keywordToken || t.kind == symbolToken)
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.unexpected(text)
	}
}

func (p *parser) name() string {
	t := p.peek()
	if t.kind != nameToken {
		p.unexpected("<name>")
	}
	p.at++
	return t.text
}

func (p *parser) unexpected(want string) {
	t := p.peek()
	near := t.text
	if t.kind == eofToken {
		near = "<eof>"
	}
	panic(&SyntaxError{Line: t.line, Message: fmt.Sprintf("'%s' expected near '%s'", want, near)})
}

func (p *parser) enter() {
	p.level++
	if p.level > maxLevel {
		panic(&SyntaxError{Line: p.peek().line, Message: "too many syntax levels to fit probes in"})
	}
}

func (p *parser) leave() { p.level-- }

func (p *parser) insert(token int, place place, what what, index int) {
	p.insertions = append(p.insertions, insertion{token, place, what, index, p.fn})
}

func (p *parser) declare(name string) {
	p.scope = &local{name: name, owner: p.fn, prev: p.scope}
}

// use notes that the current function reads or writes a variable, and tells
// whether it is a global one.
func (p *parser) use(name string) (global bool) {
	for v := p.scope; v != nil; v = v.prev {
		if v.name != name {
			continue
		}
		for f := p.fn; f != v.owner; f = f.parent {
			if !f.uses(v) {
				f.outer = append(f.outer, v)
			}
		}
		return false
	}
	return true
}

func (f *function) uses(v *local) bool {
	return slices.Contains(f.outer, v)
}
