package luaprobe

// report begins a statement at a token.
func (p *parser) report(token int) (index int) {
	p.statements = append(p.statements, statement{token: token, scope: p.scope, fn: p.fn})
	return len(p.statements) - 1
}

// block parses statements up to the end of their block, which it leaves.
func (p *parser) block() {
	scope := p.scope
	p.run()
	p.scope = scope
}

// run parses the statements of a block. Their locals stay in scope.
func (p *parser) run() {
	p.enter()
	defer p.leave()
	for {
		t := p.peek()
		if t.endsBlock() {
			return
		}
		p.indents[p.at] = p.indent
		last := t.is("return") || t.is("break")
		p.statement()
		p.accept(";")
		if last {
			return
		}
	}
}

func (t token) endsBlock() bool {
	return t.kind == eofToken || t.is("end") || t.is("else") || t.is("elseif") || t.is("until")
}

// body is a block in another one, one step further in.
func (p *parser) body() {
	start := p.at
	p.indent++
	p.block()
	p.indent--
	p.closes(start)
}

// closes puts what closes a block on a line of its own, unless the block that
// began at a token is empty.
func (p *parser) closes(start int) {
	if p.at > start {
		p.indents[p.at] = p.indent
	}
}

func (p *parser) statement() {
	p.enter()
	defer p.leave()
	if p.is("while") { // of which every evaluation of the condition is reported
		p.whileStatement()
		return
	}
	index := p.report(p.at)
	p.insert(p.at, before, reportLine, index)
	switch t := p.peek(); {
	case t.is("if"):
		p.ifStatement()
	case t.is("do"):
		p.at++
		p.body()
		p.expect("end")
	case t.is("for"):
		p.forStatement()
	case t.is("repeat"):
		p.repeatStatement()
	case t.is("function"):
		p.functionStatement()
	case t.is("local"):
		p.localStatement()
	case t.is("return"):
		p.returnStatement(index)
	case t.is("break"):
		p.at++
	default:
		p.expressionStatement()
	}
	p.statements[index].end = p.at
}

// condition parses one of which every evaluation is reported, as part of the
// statement that a keyword begins.
func (p *parser) condition(keyword int) {
	index := p.report(keyword)
	p.insert(p.at, before, openCondition, index)
	p.expression()
	p.statements[index].end = p.at
	p.insert(p.at-1, after, closeCondition, index)
}

func (p *parser) ifStatement() {
	p.at++
	p.expression()
	p.expect("then")
	p.body()
	for p.accept("elseif") {
		p.condition(p.at - 1)
		p.expect("then")
		p.body()
	}
	if p.accept("else") {
		p.body()
	}
	p.expect("end")
}

// enterLoop begins a loop at the next token.
func (p *parser) enterLoop() (index, outermost int) {
	index, outermost = len(p.loops), p.fn.loop
	p.loops = append(p.loops, loop{first: p.at})
	p.insert(p.at, before, enterLoop, index)
	if outermost == noLoop {
		p.fn.loop = index
	}
	return index, outermost
}

func (p *parser) leaveLoop(index, outermost int) {
	p.fn.loop = outermost
	p.loops[index].end = p.at
	p.insert(p.at-1, after, leaveLoop, index)
}

// loopBody parses what each pass of a loop runs.
func (p *parser) loopBody(index int) {
	p.insert(p.at, after, beginPass, index)
	p.expect("do")
	p.body()
	p.expect("end")
}

func (p *parser) whileStatement() {
	index, outermost := p.enterLoop()
	p.at++
	p.condition(p.at - 1)
	p.loopBody(index)
	p.leaveLoop(index, outermost)
}

func (p *parser) repeatStatement() {
	index, outermost := p.enterLoop()
	p.insert(p.at, after, beginPass, index)
	p.at++
	scope, start := p.scope, p.at
	p.indent++
	p.run()
	p.indent--
	p.closes(start)
	p.expect("until")
	p.condition(p.at - 1)
	p.scope = scope
	p.leaveLoop(index, outermost)
}

func (p *parser) forStatement() {
	const hidden = 3 // variables that Lua itself keeps for the loop
	index, outermost := p.enterLoop()
	p.at++
	names := []string{p.name()}
	if p.accept("=") {
		p.expression()
		p.expect(",")
		p.expression()
		if p.accept(",") {
			p.expression()
		}
	} else {
		for p.accept(",") {
			names = append(names, p.name())
		}
		p.expect("in")
		p.expressions()
	}
	scope := p.scope
	for range hidden {
		p.declare("")
	}
	for _, name := range names {
		p.declare(name)
	}
	p.loopBody(index)
	p.scope = scope
	p.leaveLoop(index, outermost)
}

func (p *parser) functionStatement() {
	p.at++
	p.use(p.name())
	method := false
	for p.is(".") || p.is(":") {
		method = p.is(":")
		p.at++
		p.name()
		if method {
			break
		}
	}
	p.functionBody(method)
}

func (p *parser) localStatement() {
	p.at++
	if p.accept("function") {
		p.declare(p.name())
		p.functionBody(false)
		return
	}
	names := []string{p.name()}
	for p.accept(",") {
		names = append(names, p.name())
	}
	if p.accept("=") {
		p.expressions()
	}
	for _, name := range names {
		p.declare(name)
	}
}

func (p *parser) returnStatement(index int) {
	start := p.at
	if p.fn.loop != noLoop {
		p.insert(start, before, leaveByReturn, p.fn.loop)
	}
	p.at++
	if p.is(";") || p.peek().endsBlock() {
		return
	}
	e := p.expression()
	if p.is(",") {
		for p.accept(",") {
			p.expression()
		}
		return
	}
	if !e.call {
		return
	}
	if e.redis {
		// redis.call gives one value, so that this changes nothing but keeps the
		// line of the call on Lua's stack.
		p.insert(start+1, before, openParen, 0)
		p.insert(p.at-1, after, closeParen, 0)
		return
	}
	p.statements[index].tailLine = e.callLine
}

func (p *parser) expressionStatement() {
	e := p.suffixed(true)
	if p.is("=") || p.is(",") {
		if e.call {
			p.unexpected("=")
		}
		for p.accept(",") {
			if p.suffixed(true).call {
				p.unexpected("=")
			}
		}
		p.expect("=")
		p.expressions()
		return
	}
	if !e.call {
		p.unexpected("=")
	}
}
