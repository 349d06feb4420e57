package syntax

// priorities bind operators on their left and right.
var priorities = map[Kind]struct {
	left, right int
	op          Action
}{
	'+': {6, 6, "add"}, '-': {6, 6, "sub"}, '*': {7, 7, "mul"}, '/': {7, 7, "div"}, '%': {7, 7, "mod"},
	'^': {10, 9, "pow"}, TokConcat: {5, 4, Join},
	TokUnequal: {3, 3, ""}, TokEqual: {3, 3, ""}, '<': {3, 3, ""}, TokLessEqual: {3, 3, ""}, '>': {3, 3, ""}, TokGreaterEqual: {3, 3, ""},
	TokAnd: {2, 2, ""}, TokOr: {1, 1, ""},
}

const unaryPriority = 8

var unary = map[Kind]Action{TokNot: "", '-': Minus, '#': Length}

func (p *parser) expression() *Expr { return p.subexpression(0) }

// subexpression reads operators that bind tighter than a limit.
func (p *parser) subexpression(limit int) *Expr {
	p.enter()
	start := p.at
	e := p.operand()
	for {
		b := priorities[p.t.Kind]
		if b.left <= limit {
			p.leave()
			return e
		}
		op := p.t.Kind
		p.next()
		p.taken(e)
		right := p.subexpression(b.right)
		p.taken(right)
		e = p.add(&Expr{Kind: Operation, Token: start, Op: op, Args: []*Expr{e, right}})
		switch joined := right.Bare(); {
		case b.op == Join && joined.Op == TokConcat: // a .. (b .. c) is done at once
			e.site = joined.site
			e.site.Operands = append([]*Expr{e.Args[0]}, e.site.Operands...)
		case b.op != "":
			e.site = p.site(b.op, e.Args...)
		}
	}
}

// operand is what stands between binary operators.
func (p *parser) operand() *Expr {
	action, ok := unary[p.t.Kind]
	if !ok {
		return p.simple()
	}
	e := &Expr{Kind: Operation, Token: p.at, Op: p.t.Kind}
	p.next()
	e.Args = []*Expr{p.subexpression(unaryPriority)}
	if action != "" {
		p.site(action, e.Args...)
	}
	return p.add(e)
}

var constants = map[Kind]ExprKind{TokNil: Nil, TokTrue: True, TokFalse: False, TokNumber: NumberValue, TokString: StringValue}

func (p *parser) simple() *Expr {
	e := &Expr{Token: p.at, Fn: p.fn}
	switch k := p.t.Kind; k {
	case TokNumber, TokString, TokNil, TokTrue, TokFalse:
		e.Kind, e.Text = constants[k], p.t.value
		if k == TokNumber {
			e.Text = p.source[p.t.Start:p.t.End]
		}
	case TokDots:
		if !p.fn.Vararg {
			p.wrong("cannot use '...' outside a vararg function")
		}
		e.Kind = Varargs
		p.add(e)
	case '{':
		e.Kind = TableValue
		p.constructor()
		return e
	case TokFunction:
		p.next()
		return p.body(false, p.line)
	default:
		return p.primary()
	}
	p.next()
	return e
}

// primary is a name or an expression in parentheses, with the indexes and calls that follow.
func (p *parser) primary() *Expr {
	var e *Expr
	switch p.t.Kind {
	case '(':
		start, line := p.at, p.line
		p.next()
		e = &Expr{Kind: Paren, Token: start, Object: p.expression()}
		p.match(')', '(', line)
		p.taken(e.Object)
	case TokName:
		e = p.variable()
	default:
		p.wrong("unexpected symbol")
	}
	for {
		switch p.t.Kind {
		case '.':
			e = p.field(e, Index)
		case '[':
			p.next()
			key := p.expression()
			p.taken(key)
			p.expect(']')
			e = p.index(e, Index, key)
		case ':':
			e = p.arguments(p.field(e, MethodIndex))
		case '(', TokString, '{':
			e = p.arguments(e)
		default:
			return e
		}
	}
}

func (p *parser) field(object *Expr, kind ExprKind) *Expr {
	p.next()
	return p.index(object, kind, &Expr{Kind: StringValue, Text: p.name()})
}

func (p *parser) index(object *Expr, kind ExprKind, key *Expr) *Expr {
	e := &Expr{Kind: kind, Token: object.Token, Object: object, Key: key}
	e.site = p.site(GetIndex, object)
	e.site.Key = key
	return p.add(e)
}

func (p *parser) arguments(fn *Expr) *Expr {
	line := p.line
	e := &Expr{Kind: Call, Token: fn.Token, Line: int(line), Object: fn}
	switch p.t.Kind {
	case '(':
		if int(line) != p.lastLine {
			p.wrong("ambiguous syntax (function call x new statement)")
		}
		p.next()
		if p.t.Kind != ')' {
			e.Args = p.expressions()
			p.match(')', '(', line)
			p.taken(e.Args[len(e.Args)-1])
		} else {
			p.next()
		}
	case '{', TokString:
		e.Args = []*Expr{p.simple()}
	default:
		p.wrong("function arguments expected")
	}
	p.site(DoCall, fn).Line = int(line)
	return p.add(e)
}

func (p *parser) expressions() []*Expr {
	list := []*Expr{p.expression()}
	for p.accept(',') {
		p.taken(list[len(list)-1])
		list = append(list, p.expression())
	}
	return list
}

func (p *parser) constructor() {
	line := p.line
	p.expect('{')
	for p.t.Kind != '}' {
		switch {
		case p.t.Kind == TokName && p.load(p.at+1).Kind == '=':
			p.next()
			p.expect('=')
		case p.t.Kind == '[':
			p.next()
			p.taken(p.expression())
			p.expect(']')
			p.expect('=')
		}
		e := p.expression()
		if !p.accept(',') && !p.accept(';') {
			break
		}
		p.taken(e)
	}
	p.match('}', '{', line)
}

// body reads the parameters and statements of a function.
func (p *parser) body(method bool, line int32) *Expr {
	e := &Expr{Kind: FunctionValue, Token: p.at}
	around, scope, loop := p.fn, p.scope, p.loop
	p.fn, p.loop = &Function{Parent: around, Line: int(line)}, nil
	p.tree.Functions = append(p.tree.Functions, p.fn)
	p.expect('(')
	if method {
		p.declare("self")
	}
	p.parameters()
	p.expect(')')
	p.block()
	p.match(TokEnd, TokFunction, line)
	e.Fn = p.fn
	p.fn, p.scope, p.loop = around, scope, loop
	return e
}

func (p *parser) parameters() {
	if p.t.Kind == ')' {
		return
	}
	for {
		switch p.t.Kind {
		case TokName:
			name := p.name()
			p.mayDeclare(0)
			p.declare(name)
			p.fn.Params = append(p.fn.Params, name)
		case TokDots:
			p.next()
			p.mayDeclare(0)
			p.declare("arg")
			p.scope.Made = true
			p.fn.Vararg = true
		default:
			p.wrong("<name> or '...' expected")
		}
		if p.fn.Vararg || !p.accept(',') {
			return
		}
	}
}
