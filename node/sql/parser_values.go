package sql

import (
	"slices"
	"strconv"
)

// value reads NULL, a number or a text.
func (p *parser) value() Value {
	p.mariadb |= anOperand
	minus := p.accept("-")
	p.mariadb |= anOperand
	t := p.token
	switch {
	case p.err != nil:
	case t.kind == tokenNumber:
		digits := t.text
		if minus {
			digits = "-" + digits
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			p.err = unsupported("a number of more than 64 bits")
			return Value{}
		}
		p.advance()
		p.mariadb |= anOperator
		return Value{kind: number, num: n}
	case minus:
		p.refuse()
	case t.kind == tokenText:
		p.advance()
		p.mariadb |= anOperator
		return Value{kind: text, str: t.text}
	case !p.accept("NULL"):
		p.refuse()
	}
	p.mariadb |= anOperator
	return Value{}
}

// integer reads a number that is not below zero.
func (p *parser) integer() int64 {
	p.mariadb |= anOperand
	if p.token.kind != tokenNumber {
		p.refuse()
		return 0
	}
	return p.value().num
}

// number reads a number that may have a minus.
func (p *parser) number() int64 {
	p.mariadb |= anOperand
	if p.token.kind != tokenNumber && !p.token.is("-") {
		p.refuse()
		return 0
	}
	return p.value().num
}

// expression reads a value, or a column with a number that is added or taken away.
func (p *parser) expression() expression {
	if p.token.kind != tokenWord || p.token.is("NULL") {
		return expression{value: p.value()}
	}
	e := expression{column: p.column()}
	switch {
	case p.accept("+"):
		e.add, e.adds = p.number(), true
	case p.accept("-"):
		e.add, e.adds = -p.number(), true
	}
	return e
}

var comparisons = []string{"=", "<", ">", "<=", ">=", "<>", "!="}

func (p *parser) conditions() []condition {
	if !p.accept("WHERE") {
		return nil
	}
	var all []condition
	for {
		c := condition{column: p.column(), comparison: p.token.text}
		if p.token.kind != tokenSign || !slices.Contains(comparisons, c.comparison) {
			p.unknownIf(p.token.kind == tokenEnd || p.token.is("LOCK"), "a condition that compares nothing")
			return all
		}
		p.advance()
		c.right = p.expression()
		all = append(all, c)
		if !p.accept("AND") {
			return all
		}
	}
}
