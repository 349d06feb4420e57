package syntax

func (p *parser) statements() {
	p.enter()
	for last := false; !last && !p.blockEnds(); {
		last = p.t.Kind == TokReturn || p.t.Kind == TokBreak
		p.statement()
		p.accept(';')
	}
	p.leave()
}

func (p *parser) blockEnds() bool {
	switch p.t.Kind {
	case TokElse, TokElseif, TokEnd, TokUntil, TokEOF:
		return true
	default:
		return false
	}
}

// block reads a block and ends the scope of its variables.
func (p *parser) block() {
	scope := p.scope
	p.inside()
	p.scope = scope
}

// inside reads a block whose variables stay in scope.
func (p *parser) inside() {
	b := Block{First: p.at, Depth: p.depth}
	p.depth++
	p.statements()
	p.depth--
	b.Close = p.at
	p.tree.Blocks = append(p.tree.Blocks, b)
}

func (p *parser) begin(token int) *Statement {
	s := &Statement{First: token, Scope: p.scope, Fn: p.fn, Loop: p.loop, Depth: p.depth}
	p.tree.Statements = append(p.tree.Statements, s)
	return s
}

func (p *parser) statement() {
	s := p.begin(p.at)
	line := p.line
	switch p.t.Kind {
	case TokIf:
		p.ifStatement(line)
	case TokWhile, TokFor, TokRepeat:
		p.loopStatement(s, line)
	case TokDo:
		p.next()
		p.block()
		p.match(TokEnd, TokDo, line)
	case TokFunction:
		p.functionStatement(s, line)
	case TokLocal:
		p.next()
		p.localStatement(s)
	case TokReturn:
		p.next()
		if !p.blockEnds() && p.t.Kind != ';' {
			s.Values = p.expressions()
		}
	case TokBreak:
		p.next()
		if p.loop == nil {
			p.wrong("no loop to break")
		}
	default:
		p.expressionStatement(s)
	}
	s.End = p.at
}

func (p *parser) expressionStatement(s *Statement) {
	e := p.primary()
	if e.Kind == Call {
		return
	}
	s.Targets = []*Expr{e}
	for {
		if e.Kind != Variable && e.Kind != Index {
			p.wrong("syntax error")
		}
		if !p.accept(',') {
			break
		}
		e = p.primary()
		s.Targets = append(s.Targets, e)
		p.limit(p.fn, len(s.Targets)-1, maxLevels-p.level, "variables in assignment")
	}
	p.expect('=')
	s.Values = p.expressions()
	for _, e := range s.Targets {
		p.store(e, p.lastLine)
	}
}

// store turns the last index of a target from a read into a write.
func (p *parser) store(e *Expr, line int) {
	if e.Kind == Index {
		e.site.Op, e.site.Line = SetIndex, line
	}
}

// condition reads a condition that is evaluated more often than its statement begins, such
// as that of while.
func (p *parser) condition() {
	s := p.begin(p.at - 1)
	s.Condition = p.at
	p.expression()
	s.End = p.at
}

func (p *parser) ifStatement(line int32) {
	p.next()
	p.expression()
	p.expect(TokThen)
	p.block()
	for p.accept(TokElseif) {
		p.condition()
		p.expect(TokThen)
		p.block()
	}
	if p.accept(TokElse) {
		p.block()
	}
	p.match(TokEnd, TokIf, line)
}

func (p *parser) loopStatement(s *Statement, line int32) {
	scope, around := p.scope, p.loop
	if p.loop == nil {
		p.loop = s
	}
	word := p.t.Kind
	p.next()
	switch word {
	case TokRepeat:
		s.Body = p.at
		p.inside()
		p.match(TokUntil, TokRepeat, line)
		p.condition()
	case TokWhile:
		p.condition()
	default:
		p.forLoop(s)
	}
	if word != TokRepeat {
		p.expect(TokDo)
		s.Body = p.at
		p.block()
		p.match(TokEnd, word, line)
	}
	p.scope, p.loop = scope, around
}

// forLoop reads a loop up to its body.
func (p *parser) forLoop(s *Statement) {
	hidden := []string{"", "", ""} // the three variables that Lua keeps internally for a loop
	p.mayDeclare(len(hidden) - 1)
	s.Names = []string{p.name()}
	p.mayDeclare(len(hidden))
	switch p.t.Kind {
	case '=':
		p.next()
		p.expression()
		p.expect(',')
		p.expression()
		if p.accept(',') {
			p.expression()
		}
	case ',', TokIn:
		if p.accept(',') {
			s.Names = append(s.Names, p.names(len(hidden)+1)...)
		}
		p.expect(TokIn)
		line := int(p.line)
		s.Values = p.expressions()
		p.site(DoCall, &Expr{Object: s.Values[0]}).Line = line
	default:
		p.wrong("'=' or 'in' expected")
	}
	p.declare(hidden...)
	p.declare(s.Names...)
}

func (p *parser) localStatement(s *Statement) {
	if p.accept(TokFunction) {
		s.Names = []string{p.name()}
		p.mayDeclare(0)
		p.declare(s.Names...)
		s.Values = []*Expr{p.body(false, p.line)}
		return
	}
	s.Names = p.names(0)
	if p.accept('=') {
		s.Values = p.expressions()
	}
	p.declare(s.Names...)
}

func (p *parser) functionStatement(s *Statement, line int32) {
	p.next()
	e := p.variable()
	for p.t.Kind == '.' {
		e = p.field(e, Index)
	}
	method := p.t.Kind == ':'
	if method {
		e = p.field(e, Index)
	}
	s.Targets, s.Values = []*Expr{e}, []*Expr{p.body(method, line)}
	p.store(e, int(line))
}
