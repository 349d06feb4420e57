package sql

import "strings"

func (p *parser) createTable() *statement {
	s := &statement{verb: createTable, table: p.name()}
	p.want("(")
	for p.err == nil {
		if p.is("PRIMARY", "KEY", "(") {
			s.key = p.name()
			p.want(")")
		} else {
			p.columnOf(s)
		}
		if !p.is(",") {
			break
		}
	}
	p.want(")")
	return s
}

func (p *parser) columnOf(s *statement) {
	name := p.name()
	var c column
	switch {
	case p.is("BIGINT"):
		c = bigintColumn
	case p.is("VARCHAR"):
		p.want("(")
		c = column{kind: text, most: p.integer()}
		p.want(")")
	case p.is("INT"):
		c = intColumn
	default:
		p.refuse()
	}
	c.name, c.notNull = name, p.is("NOT", "NULL")
	if p.is("PRIMARY", "KEY") {
		s.key = name
	}
	if strings.EqualFold(s.key, name) {
		c.notNull = true
	}
	s.definition = append(s.definition, c)
}
