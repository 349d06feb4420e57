package syntax

func (p *parser) expression(e *expression) { p.subexpression(e, 0) }

// subexpression reads operators that bind tighter than a limit, and gives the
// first that does not.
func (p *parser) subexpression(e *expression, limit int) operator {
	p.enterLevel()
	switch t := p.t.token; t {
	case tokNot, '-', '#':
		p.next()
		p.subexpression(e, unaryPriority)
		p.f.prefix(t, e)
	default:
		p.simple(e)
	}
	op := binaryOperator(p.t.token)
	for op != noOperator && priorities[op].left > limit {
		p.next()
		p.f.infix(op, e)
		var right expression
		next := p.subexpression(&right, priorities[op].right)
		p.f.postfix(op, e, &right)
		op = next
	}
	p.leaveLevel()
	return op
}

func (p *parser) simple(e *expression) {
	switch p.t.token {
	case tokNumber:
		e.set(expNumber, 0)
		e.num = p.t.num
	case tokString:
		e.set(expConstant, p.f.stringConstant(p.t.str))
	case tokNil:
		e.set(expNil, 0)
	case tokTrue:
		e.set(expTrue, 0)
	case tokFalse:
		e.set(expFalse, 0)
	case tokDots:
		if p.f.proto.vararg == 0 {
			p.syntaxError("cannot use '...' outside a vararg function")
		}
		p.f.proto.vararg &^= needsArg
		e.set(expVararg, p.f.codeABC(opVararg, 0, 1, 0))
	case '{':
		p.constructor(e)
		return
	case tokFunction:
		p.next()
		p.body(e, false, p.line)
		return
	default:
		p.primary(e)
		return
	}
	p.next()
}

func (p *parser) prefixExpression(e *expression) {
	switch p.t.token {
	case '(':
		line := p.line
		p.next()
		p.expression(e)
		p.match(')', '(', line)
		p.f.discharge(e)
	case tokName:
		p.variable(e)
	default:
		p.syntaxError("unexpected symbol")
	}
}

func (p *parser) primary(e *expression) {
	p.prefixExpression(e)
	for {
		switch p.t.token {
		case '.':
			p.field(e)
		case '[':
			p.f.toAnyRegister(e)
			var key expression
			p.index(&key)
			p.f.indexed(e, &key)
		case ':':
			p.next()
			key := p.nameConstant()
			p.f.self(e, &key)
			p.arguments(e)
		case '(', tokString, '{':
			p.f.toNextRegister(e)
			p.arguments(e)
		default:
			return
		}
	}
}

func (p *parser) field(e *expression) {
	p.f.toAnyRegister(e)
	p.next()
	key := p.nameConstant()
	p.f.indexed(e, &key)
}

func (p *parser) index(key *expression) {
	p.next()
	p.expression(key)
	p.f.toValue(key)
	p.expect(']')
}

func (p *parser) arguments(e *expression) {
	f := p.f
	line := p.line
	var args expression
	switch p.t.token {
	case '(':
		if line != p.lastLine {
			p.syntaxError("ambiguous syntax (function call x new statement)")
		}
		p.next()
		if p.t.token == ')' {
			args.set(expVoid, 0)
		} else {
			p.expressions(&args)
			f.setReturns(&args, multiple)
		}
		p.match(')', '(', line)
	case '{':
		p.constructor(&args)
	case tokString:
		args.set(expConstant, f.stringConstant(p.t.str))
		p.next()
	default:
		p.syntaxError("function arguments expected")
	}
	base := e.info
	params := multiple
	if !args.isMulti() {
		if args.kind != expVoid {
			f.toNextRegister(&args)
		}
		params = f.freeReg - (base + 1)
	}
	e.set(expCall, f.codeABC(opCall, base, params+1, 2))
	f.fixLine(line)
	f.freeReg = base + 1
}

func (p *parser) expressions(e *expression) int {
	n := 1
	p.expression(e)
	for p.accept(',') {
		p.f.toNextRegister(e)
		p.expression(e)
		n++
	}
	return n
}

// constructing is the state of a table constructor.
type constructing struct {
	item    expression // the last list item, not stored yet
	table   *expression
	array   int
	hash    int
	pending int // list items in registers
}

func (p *parser) constructor(e *expression) {
	f := p.f
	line := p.line
	pc := f.codeABC(opNewTable, 0, 0, 0)
	c := constructing{table: e}
	e.set(expRelocatable, pc)
	c.item.set(expVoid, 0)
	f.toNextRegister(e)
	p.expect('{')
	for p.t.token != '}' {
		p.closeItem(&c)
		switch p.t.token {
		case tokName:
			p.lookahead()
			if p.ahead.token == '=' {
				p.recordField(&c)
			} else {
				p.listField(&c)
			}
		case '[':
			p.recordField(&c)
		default:
			p.listField(&c)
		}
		if !p.accept(',') && !p.accept(';') {
			break
		}
	}
	p.match('}', '{', line)
	p.lastItem(&c)
	f.proto.code[pc].setB(intToByte(c.array))
	f.proto.code[pc].setC(intToByte(c.hash))
}

func (p *parser) recordField(c *constructing) {
	f := p.f
	reg := f.freeReg
	var key, value expression
	if p.t.token == tokName {
		key = p.nameConstant()
	} else {
		p.index(&key)
	}
	c.hash++
	p.expect('=')
	k := f.toOperand(&key)
	p.expression(&value)
	f.codeABC(opSetTable, c.table.info, k, f.toOperand(&value))
	f.freeReg = reg
}

func (p *parser) listField(c *constructing) {
	p.expression(&c.item)
	c.array++
	c.pending++
}

func (p *parser) closeItem(c *constructing) {
	if c.item.kind == expVoid {
		return
	}
	p.f.toNextRegister(&c.item)
	c.item.kind = expVoid
	if c.pending == fieldsPerFlush {
		p.f.setList(c.table.info, c.array, c.pending)
		c.pending = 0
	}
}

func (p *parser) lastItem(c *constructing) {
	if c.pending == 0 {
		return
	}
	if c.item.isMulti() {
		p.f.setReturns(&c.item, multiple)
		p.f.setList(c.table.info, c.array, multiple)
		c.array--
		return
	}
	if c.item.kind != expVoid {
		p.f.toNextRegister(&c.item)
	}
	p.f.setList(c.table.info, c.array, c.pending)
}

// body reads the parameters and statements of a function.
func (p *parser) body(e *expression, self bool, line int) {
	f := p.open()
	f.proto.lineDefined = line
	p.expect('(')
	if self {
		p.newLocal("self", 0)
		p.activate(1, 0)
	}
	p.parameters()
	p.expect(')')
	p.statements()
	p.match(tokEnd, tokFunction, line)
	p.close()
	p.pushClosure(f, e)
}

func (p *parser) parameters() {
	f := p.f
	n := 0
	if p.t.token != ')' {
		for {
			switch p.t.token {
			case tokName:
				p.newLocal(p.name(), n)
			case tokDots:
				p.next()
				p.newLocal("arg", n)
				f.proto.vararg = hasArg | needsArg | isVararg
			default:
				p.syntaxError("<name> or '...' expected")
			}
			n++
			if f.proto.vararg != 0 || !p.accept(',') {
				break
			}
		}
	}
	p.activate(n, 0)
	f.proto.params = len(f.active) - int(f.proto.vararg&hasArg)
	f.reserve(len(f.active))
}
