package syntax

// statements reads the statements of a block.
func (p *parser) statements() {
	p.enterLevel()
	for last := false; !last && !p.blockEnds(); {
		last = p.statement()
		p.accept(';')
		p.f.freeReg = len(p.f.active)
	}
	p.leaveLevel()
}

func (p *parser) blockEnds() bool {
	switch p.t.token {
	case tokElse, tokElseif, tokEnd, tokUntil, tokEOS:
		return true
	default:
		return false
	}
}

func (p *parser) block() {
	var b block
	p.enterBlock(&b, false)
	p.statements()
	p.leaveBlock()
}

// statement reads one statement and tells whether it must be the last one.
func (p *parser) statement() bool {
	line := p.line
	switch p.t.token {
	case tokIf:
		p.ifStatement(line)
	case tokWhile:
		p.whileStatement(line)
	case tokDo:
		p.next()
		p.block()
		p.match(tokEnd, tokDo, line)
	case tokFor:
		p.forStatement(line)
	case tokRepeat:
		p.repeatStatement(line)
	case tokFunction:
		p.functionStatement(line)
	case tokLocal:
		p.next()
		if p.accept(tokFunction) {
			p.localFunction()
		} else {
			p.localStatement()
		}
	case tokReturn:
		p.returnStatement()
		return true
	case tokBreak:
		p.next()
		p.breakStatement()
		return true
	default:
		p.expressionStatement()
	}
	return false
}

// target is what an assignment assigns to; outer is the one on its left.
type target struct {
	outer *target
	e     expression
}

func (p *parser) expressionStatement() {
	var t target
	p.primary(&t.e)
	if t.e.kind == expCall {
		p.f.instruction(&t.e).setC(1)
		return
	}
	p.assignment(&t, 1)
}

func (p *parser) assignment(t *target, variables int) {
	var e expression
	if t.e.kind < expLocal || t.e.kind > expIndexed {
		p.syntaxError("syntax error")
	}
	if p.accept(',') {
		next := target{outer: t}
		p.primary(&next.e)
		if next.e.kind == expLocal {
			p.resolveConflict(t, &next.e)
		}
		p.limit(p.f, variables, maxLevels-p.level, "variables in assignment")
		p.assignment(&next, variables+1)
	} else {
		p.expect('=')
		values := p.expressions(&e)
		if values == variables {
			p.f.setOneReturn(&e)
			p.f.store(&t.e, &e)
			return
		}
		p.adjust(variables, values, &e)
		if values > variables {
			p.f.freeReg -= values - variables
		}
	}
	e.set(expFixed, p.f.freeReg-1)
	p.f.store(&t.e, &e)
}

// resolveConflict copies a local that is assigned to while an earlier target of
// the same assignment still needs its old value.
func (p *parser) resolveConflict(t *target, local *expression) {
	f := p.f
	extra := f.freeReg
	conflict := false
	for ; t != nil; t = t.outer {
		if t.e.kind != expIndexed {
			continue
		}
		if t.e.info == local.info {
			conflict = true
			t.e.info = extra
		}
		if t.e.aux == local.info {
			conflict = true
			t.e.aux = extra
		}
	}
	if conflict {
		f.codeABC(opMove, f.freeReg, local.info, 0)
		f.reserve(1)
	}
}

// condition reads an expression and gives the jumps that leave when it is false.
func (p *parser) condition() int {
	var e expression
	p.expression(&e)
	if e.kind == expNil {
		e.kind = expFalse
	}
	p.f.goIfTrue(&e)
	return e.jumpFalse
}

func (p *parser) breakStatement() {
	f := p.f
	b := f.block
	captured := false
	for b != nil && !b.breakable {
		captured = captured || b.captured
		b = b.outer
	}
	if b == nil {
		p.syntaxError("no loop to break")
		return
	}
	if captured {
		f.codeABC(opClose, b.active, 0, 0)
	}
	f.concat(&b.breaks, f.jump())
}

func (p *parser) whileStatement(line int) {
	f := p.f
	p.next()
	start := f.label()
	exit := p.condition()
	var b block
	p.enterBlock(&b, true)
	p.expect(tokDo)
	p.block()
	f.patchList(f.jump(), start)
	p.match(tokEnd, tokWhile, line)
	p.leaveBlock()
	f.patchToHere(exit)
}

func (p *parser) repeatStatement(line int) {
	f := p.f
	start := f.label()
	var loop, scope block
	p.enterBlock(&loop, true)
	p.enterBlock(&scope, false)
	p.next()
	p.statements()
	p.match(tokUntil, tokRepeat, line)
	exit := p.condition()
	if !scope.captured {
		p.leaveBlock()
		f.patchList(exit, start)
	} else {
		p.breakStatement()
		f.patchToHere(exit)
		p.leaveBlock()
		f.patchList(f.jump(), start)
	}
	p.leaveBlock()
}

func (p *parser) forStatement(line int) {
	var b block
	p.enterBlock(&b, true)
	p.next()
	name := p.name()
	switch p.t.token {
	case '=':
		p.numericFor(name, line)
	case ',', tokIn:
		p.genericFor(name)
	default:
		p.syntaxError("'=' or 'in' expected")
	}
	p.match(tokEnd, tokFor, line)
	p.leaveBlock()
}

func (p *parser) numericFor(name string, line int) {
	f := p.f
	base := f.freeReg
	for i, local := range []string{"(for index)", "(for limit)", "(for step)", name} {
		p.newLocal(local, i)
	}
	p.expect('=')
	p.toNext()
	p.expect(',')
	p.toNext()
	if p.accept(',') {
		p.toNext()
	} else {
		f.codeABx(opLoadK, f.freeReg, f.numberConstant(1))
		f.reserve(1)
	}
	p.forBody(base, line, 1, true)
}

func (p *parser) toNext() {
	var e expression
	p.expression(&e)
	p.f.toNextRegister(&e)
}

func (p *parser) genericFor(name string) {
	f := p.f
	base := f.freeReg
	n := 0
	for _, local := range []string{"(for generator)", "(for state)", "(for control)", name} {
		p.newLocal(local, n)
		n++
	}
	for p.accept(',') {
		p.newLocal(p.name(), n)
		n++
	}
	p.expect(tokIn)
	line := p.line
	var e expression
	values := p.expressions(&e)
	p.adjust(3, values, &e)
	f.checkStack(3)
	p.forBody(base, line, n-3, false)
}

func (p *parser) forBody(base, line, variables int, numeric bool) {
	f := p.f
	p.activate(3, variables)
	p.expect(tokDo)
	var prepare, end int
	if numeric {
		prepare = f.codeAsBx(opForPrep, base, noJump)
	} else {
		prepare = f.jump()
	}
	var b block
	p.enterBlock(&b, false)
	p.activate(variables, 0)
	f.reserve(variables)
	p.block()
	p.leaveBlock()
	f.patchToHere(prepare)
	if numeric {
		end = f.codeAsBx(opForLoop, base, noJump)
		f.fixLine(line)
	} else {
		f.codeABC(opTForLoop, base, 0, variables)
		f.fixLine(line)
		end = f.jump()
	}
	f.patchList(end, prepare+1)
}

func (p *parser) ifStatement(line int) {
	f := p.f
	escape := noJump
	next := p.testThen()
	for p.t.token == tokElseif {
		f.concat(&escape, f.jump())
		f.patchToHere(next)
		next = p.testThen()
	}
	if p.t.token == tokElse {
		f.concat(&escape, f.jump())
		f.patchToHere(next)
		p.next()
		p.block()
	} else {
		f.concat(&escape, next)
	}
	f.patchToHere(escape)
	p.match(tokEnd, tokIf, line)
}

func (p *parser) testThen() int {
	p.next()
	exit := p.condition()
	p.expect(tokThen)
	p.block()
	return exit
}

func (p *parser) localFunction() {
	f := p.f
	p.newLocal(p.name(), 0)
	var variable, fn expression
	variable.set(expLocal, f.freeReg)
	f.reserve(1)
	p.activate(1, 0)
	p.body(&fn, false, p.line)
	f.store(&variable, &fn)
	f.proto.locals[f.active[len(f.active)-1]].start = f.pc
}

func (p *parser) localStatement() {
	n := 0
	for {
		p.newLocal(p.name(), n)
		n++
		if !p.accept(',') {
			break
		}
	}
	var e expression
	values := 0
	if p.accept('=') {
		values = p.expressions(&e)
	} else {
		e.set(expVoid, 0)
	}
	p.adjust(n, values, &e)
	p.activate(n, 0)
}

func (p *parser) functionStatement(line int) {
	p.next()
	var variable, fn expression
	p.variable(&variable)
	for p.t.token == '.' {
		p.field(&variable)
	}
	self := p.t.token == ':'
	if self {
		p.field(&variable)
	}
	p.body(&fn, self, line)
	p.f.store(&variable, &fn)
	p.f.fixLine(line)
}

func (p *parser) returnStatement() {
	f := p.f
	p.next()
	first, n := 0, 0
	if !p.blockEnds() && p.t.token != ';' {
		var e expression
		n = p.expressions(&e)
		switch {
		case e.isMulti():
			f.setReturns(&e, multiple)
			if e.kind == expCall && n == 1 {
				f.instruction(&e).setOp(opTailCall)
			}
			first, n = len(f.active), multiple
		case n == 1:
			first = f.toAnyRegister(&e)
		default:
			f.toNextRegister(&e)
			first = len(f.active)
		}
	}
	f.codeABC(opReturn, first, n+1, 0)
}
