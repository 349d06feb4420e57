package luaprobe

// expr is what is known of an expression.
type expr struct {
	call     bool // it is a call, and nothing around it
	redis    bool // it is redis.call(…) or redis.pcall(…)
	callLine int  // line that Lua takes the last call of the expression to be on
}

func (p *parser) expressions() {
	p.expression()
	for p.accept(",") {
		p.expression()
	}
}

var binary = map[string]bool{
	"+": true, "-": true, "*": true, "/": true, "%": true, "^": true, "..": true, "==": true, "~=": true,
	"<": true, ">": true, "<=": true, ">=": true, "and": true, "or": true,
}

// expression needs no precedence: only where it ends.
func (p *parser) expression() expr {
	level := p.level
	defer func() { p.level = level }()
	var e expr
	for operands := 1; ; operands++ {
		p.enter()
		alone := operands == 1
		for p.is("-") || p.is("not") || p.is("#") {
			p.enter()
			p.at++
			alone = false
		}
		e = p.operand()
		if !alone {
			e = expr{}
		}
		t := p.peek()
		if !binary[t.text] || t.kind != keywordToken && t.kind != symbolToken {
			return e
		}
		p.at++
		if t.text != ".." && t.text != "^" { // which nest to the right
			p.level = level
		}
	}
}

func (p *parser) operand() expr {
	t := p.peek()
	switch {
	case t.kind == numberToken, t.kind == stringToken, t.is("nil"), t.is("true"), t.is("false"):
		p.at++
	case t.is("..."):
		p.varargs()
	case t.is("{"):
		p.table()
	case t.is("function"):
		p.at++
		p.functionBody(false)
	default:
		return p.suffixed(false)
	}
	return expr{}
}

// varargs of the script itself are none: Redis passes nothing. The probed script
// is a function in which they may not be used, see Rewrite.
func (p *parser) varargs() {
	if p.fn.parent == nil {
		p.insert(p.at, instead, noValues, 0)
	} else if !p.fn.vararg {
		panic(&SyntaxError{Line: p.peek().line, Message: "cannot use '...' outside a vararg function near '...'"})
	}
	p.at++
}

// suffixed is a variable or a call: a name or an expression in parentheses, and
// what is applied to it. A target may be assigned to.
func (p *parser) suffixed(target bool) expr {
	var e expr
	redis := false
	if p.accept("(") {
		p.enter()
		p.expression()
		p.leave()
		p.expect(")")
		// (a) is a value and no variable.
		e.call = target && (p.is("=") || p.is(","))
	} else {
		var parsed bool
		if parsed, redis = p.redis(target); !parsed {
			p.use(p.name())
		}
	}
	p.enter()
	defer p.leave()
	for {
		t := p.peek()
		switch {
		case t.is("."):
			p.at++
			p.name()
			e.call = false
		case t.is("["):
			p.at++
			p.expression()
			p.expect("]")
			e.call = false
		case t.is(":"):
			p.at++
			p.name()
			e = expr{call: true, callLine: p.arguments()}
		case t.is("("), t.is("{"), t.kind == stringToken:
			e = expr{call: true, callLine: p.arguments()}
			e.redis = redis
		default:
			return e
		}
		redis = false
	}
}

// arguments parses those of a call and returns the line of its first token.
func (p *parser) arguments() int {
	t := p.peek()
	switch {
	case t.kind == stringToken:
		p.at++
		return t.lastLine
	case t.is("{"):
		p.table()
		return t.line
	}
	if p.at > 0 && p.tokens[p.at-1].lastLine != t.line {
		panic(&SyntaxError{Line: t.line, Message: "ambiguous syntax (function call x new statement) near '('"})
	}
	p.expect("(")
	if !p.is(")") {
		p.expressions()
	}
	p.expect(")")
	return t.line
}

func (p *parser) table() {
	p.enter()
	p.expect("{")
	for !p.is("}") {
		switch {
		case p.is("["):
			p.at++
			p.expression()
			p.expect("]")
			p.expect("=")
			p.expression()
		case p.peek().kind == nameToken && p.peekAt(1).is("="):
			p.at += 2
			p.expression()
		default:
			p.expression()
		}
		if !p.accept(",") && !p.accept(";") {
			break
		}
	}
	p.expect("}")
	p.leave()
}

func (p *parser) functionBody(method bool) {
	p.enter()
	outer, scope := p.fn, p.scope
	p.fn = &function{parent: outer, loop: noLoop}
	if method {
		p.declare("self")
	}
	p.expect("(")
	for !p.is(")") {
		if p.accept("...") {
			p.fn.vararg = true
			break
		}
		p.declare(p.name())
		if !p.accept(",") {
			break
		}
		if p.is(")") {
			p.unexpected("<name>")
		}
	}
	p.expect(")")
	p.body()
	p.expect("end")
	p.fn, p.scope = outer, scope
	p.leave()
}

// redis parses redis.call and redis.pcall where redis is the global one, and
// tells whether such a call follows.
//
// What is assigned to stays as it is, so that Redis itself refuses it. So does
// what is only looked at: a message names the variable that a value was in.
func (p *parser) redis(target bool) (parsed, call bool) {
	if p.peek().text != "redis" || !p.isGlobal("redis") {
		return false, false
	}
	start, field, next := p.at, p.peekAt(2), p.peekAt(3)
	if !p.peekAt(1).is(".") || field.text != "call" && field.text != "pcall" {
		if !target && p.isPassedOn(start) {
			p.insert(start, instead, redisValue, 0)
		}
		return false, false
	}
	if target && (next.is("=") || next.is(",")) {
		return false, false
	}
	p.at += 3
	p.insert(start, instead, nothing, 0)
	p.insert(start+1, instead, nothing, 0)
	protected := field.text == "pcall"
	switch {
	case next.is("(") && protected:
		p.insert(start+2, instead, pcallHere, 0)
	case next.is("("):
		p.insert(start+2, instead, callHere, 0)
	case protected:
		p.insert(start+2, instead, pcallValue, 0)
		return true, false
	default:
		p.insert(start+2, instead, callValue, 0)
		return true, false
	}
	p.insert(start+3, after, siteNumber, len(p.sites))
	p.sites = append(p.sites, site{start + 3})
	return true, true
}

func (p *parser) isGlobal(name string) bool {
	for v := p.scope; v != nil; v = v.prev {
		if v.name == name {
			return false
		}
	}
	return true
}

// isPassedOn tells whether the name at a token is all there is of a value that is
// assigned or returned.
func (p *parser) isPassedOn(at int) bool {
	previous, next := p.tokens[max(at-1, 0)], p.tokens[at+1]
	if !previous.is("=") && !previous.is(",") && !previous.is("{") && !previous.is("return") {
		return false
	}
	if next.kind == keywordToken {
		return !binary[next.text]
	}
	return next.kind == nameToken || next.kind == eofToken || next.is(",") || next.is(";") || next.is("}")
}
