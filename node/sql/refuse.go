package sql

import (
	"slices"
	"strings"
)

// mariadbForms is a set of forms that MariaDB accepts in one place and this subset does not.
type mariadbForms uint8

const (
	anOperand  mariadbForms = 1 << iota // of any kind: a function, a formula, a name
	anOperator                          // of a longer formula
	anAlias                             // without AS
	aText                               // as an alias
	aList                               // further tables, a table of another database, a list in brackets
	aName
)

// Signs of formulas: the first characters of operands, and of operators.
const startsOperand, operators = "(-+!~@?:", "=<>+-*/%&|^!."

// mariadbTakes tells whether MariaDB might accept the token, which this subset refuses.
func (p *parser) mariadbTakes() bool {
	t := p.token
	if t.kind == tokenComment || slices.ContainsFunc(p.mariadbWords, t.is) {
		return true
	}
	sign := t.kind == tokenSign
	name := t.kind == tokenWord && (t.quoted || !isReserved(t.text))
	switch {
	case p.mariadb&anOperand != 0 && (name || t.is("NULL") || t.kind == tokenNumber || t.kind == tokenText || sign && strings.Contains(startsOperand, t.text[:1])):
	case p.mariadb&anOperator != 0 && (t.is("AND") || sign && strings.Contains(operators, t.text[:1])):
	case p.mariadb&anAlias != 0 && t.is("="): // which MariaDB has for AS
	case p.mariadb&anOperator != 0 && p.last.kind == tokenText && t.kind == tokenText:
	case p.mariadb&aName != 0 && name:
	case p.mariadb&aList != 0 && sign && strings.Contains(",.()", t.text):
	case t.kind == tokenWord && !t.quoted && slices.Contains(notHere, strings.ToUpper(t.text)):
	default:
		return false
	}
	return true
}

// refuse makes the token an error: 1235 if MariaDB might accept it, else its syntax error.
func (p *parser) refuse() {
	if p.err != nil {
		return
	}
	t := p.token
	if p.mariadbTakes() {
		p.err = unsupported(called(t))
		return
	}
	if p.mariadb&anAlias != 0 && p.accept("AS") {
		p.unknownIf(p.token.kind == tokenWord && (p.token.quoted || !isReserved(p.token.text)), "AS")
		return
	}
	alias := p.mariadb&anAlias != 0 && t.kind == tokenWord && (t.quoted || !isReserved(t.text))
	if alias || p.mariadb&aText != 0 && t.kind == tokenText {
		p.advance()
		if next := p.token; next.kind == tokenEnd || slices.ContainsFunc(afterAlias, next.is) || p.mariadbTakes() {
			p.err = unsupported(t.text + ", an alias without AS")
			return
		}
	}
	p.err = errSyntax(p.source, p.token)
}

// called is a token as refusals name it.
func called(t token) string {
	switch {
	case t.kind == tokenComment:
		return "comments"
	case t.kind == tokenWord && !t.quoted:
		return strings.ToUpper(t.text)
	}
	return t.text
}

// mariadbHas adds words and signs that MariaDB accepts in the place of the token.
func (p *parser) mariadbHas(words ...string) { p.mariadbWords = append(p.mariadbWords, words...) }

// lacks refuses a construct of MariaDB's as unsupported if it stands there.
func (p *parser) lacks(there bool, what string) {
	if there && p.err == nil {
		p.err = unsupported(what)
	}
}

// unknownIf refuses a construct of MariaDB's as unsupported if goesOn is set, and else the token.
func (p *parser) unknownIf(goesOn bool, what string) {
	p.lacks(goesOn, what)
	p.refuse()
}

// access refuses READ ONLY and READ WRITE. READ has been consumed.
func (p *parser) access() {
	p.unknownIf(p.token.is("ONLY") || p.token.is("WRITE"), "READ "+called(p.token))
}

var afterAlias = []string{"FROM", "WHERE", "SET", "FOR", ",", ")"}

func errSyntax(source string, t token) *Error {
	from := t.at
	if t.is(",") || t.is(";") { // MariaDB's parser is one token ahead there
		from++
	}
	near := source[from:]
	if r := []rune(near); len(r) > 80 {
		near = string(r[:77]) + "..."
	}
	line := strings.Count(source[:t.at], "\n") + 1
	return failed(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near '%s' at line %d", near, line)
}
