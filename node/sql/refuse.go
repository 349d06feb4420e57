package sql

import (
	"slices"
	"strings"
)

// further is what MariaDB takes at a place besides what this subset has there.
type further uint8

const (
	anOperand  further = 1 << iota // of any kind: a function, a formula, a name
	anOperator                     // and so a longer formula
	anAlias                        // without AS
	aText                          // as an alias
	aList                          // more tables, a table of another database, a list in brackets
	aName
)

// startsOperand and isOperator tell what else formulas are made of.
const startsOperand, operators = "(-+!~@?:", "=<>+-*/%&|^!."

// takes tells whether MariaDB could go on with the token, for which there is no rule here.
func (p *parser) takes() bool {
	t := p.token
	if t.kind == tokenComment || slices.ContainsFunc(p.words, t.is) {
		return true
	}
	sign := t.kind == tokenSign
	name := t.kind == tokenWord && (t.quoted || !isReserved(t.text))
	switch {
	case p.further&anOperand != 0 && (name || t.is("NULL") || t.kind == tokenNumber || t.kind == tokenText || sign && strings.Contains(startsOperand, t.text[:1])):
	case p.further&anOperator != 0 && (t.is("AND") || sign && strings.Contains(operators, t.text[:1])):
	case p.further&anAlias != 0 && t.is("="): // which MariaDB has for AS
	case p.further&anOperator != 0 && p.last.kind == tokenText && t.kind == tokenText:
	case p.further&aName != 0 && name:
	case p.further&aList != 0 && sign && strings.Contains(",.()", t.text):
	case t.kind == tokenWord && !t.quoted && slices.Contains(notHere, strings.ToUpper(t.text)):
	default:
		return false
	}
	return true
}

// refuse reports that the token cannot stand here.
func (p *parser) refuse() {
	if p.err != nil {
		return
	}
	t := p.token
	if p.takes() {
		p.err = unsupported(called(t))
		return
	}
	if p.further&anAlias != 0 && p.is("AS") {
		p.unknownIf(p.token.kind == tokenWord && (p.token.quoted || !isReserved(p.token.text)), "AS")
		return
	}
	alias := p.further&anAlias != 0 && t.kind == tokenWord && (t.quoted || !isReserved(t.text))
	if alias || p.further&aText != 0 && t.kind == tokenText {
		p.advance()
		if next := p.token; next.kind == tokenEnd || slices.ContainsFunc(afterAlias, next.is) || p.takes() {
			p.err = unsupported(t.text + ", an alias without AS")
			return
		}
	}
	p.err = errSyntax(p.source, p.token)
}

// called is a token in a refusal.
func called(t token) string {
	switch {
	case t.kind == tokenComment:
		return "comments"
	case t.kind == tokenWord && !t.quoted:
		return strings.ToUpper(t.text)
	}
	return t.text
}

// also tells which words and signs MariaDB takes in the place of the token.
func (p *parser) also(words ...string) { p.words = append(p.words, words...) }

// unknownIf refuses what MariaDB goes on with if it does, and else the token.
func (p *parser) unknownIf(goesOn bool, what string) {
	switch {
	case p.err != nil:
	case goesOn:
		p.err = unsupported(what)
	default:
		p.refuse()
	}
}

// access refuses READ ONLY and READ WRITE, of which READ was read.
func (p *parser) access() {
	p.unknownIf(p.token.is("ONLY") || p.token.is("WRITE"), "READ "+called(p.token))
}

// afterAlias is what can follow an alias.
var afterAlias = []string{"FROM", "WHERE", "SET", "FOR", ",", ")"}

func errSyntax(source string, t token) *Error {
	from := t.at
	if t.is(",") || t.is(";") { // MariaDB has read on, to know what they are
		from++
	}
	near := source[from:]
	if r := []rune(near); len(r) > 80 {
		near = string(r[:77]) + "..."
	}
	line := strings.Count(source[:t.at], "\n") + 1
	return failed(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near '%s' at line %d", near, line)
}
