package sql

import "strings"

// parser reads one statement. After its first error it reads nothing more.
type parser struct {
	source  string
	token   token
	last    token    // the one before
	next    int      // where the token after this one may begin
	further further  // what MariaDB has for the token
	words   []string // that MariaDB takes in the place of the token
	err     *Error
}

// parse reads a statement of the subset. An error is 1064, as MariaDB words it, or 1235 for
// what MariaDB has and this subset has not.
func parse(source string) (*statement, *Error) {
	p := &parser{source: strings.TrimRight(source, "; \t\r\n")}
	p.advance()
	s := p.statement()
	if p.err == nil && p.token.kind != tokenEnd {
		p.refuse()
	}
	return s, p.err
}

func (p *parser) advance() {
	p.last, p.further, p.words = p.token, 0, nil
	p.token, p.next = tokenAt(p.source, p.next)
}

// is reads words or signs, all of them or none.
func (p *parser) is(words ...string) bool {
	if p.err != nil {
		return false
	}
	was := *p
	for _, w := range words {
		if !p.token.is(w) {
			*p = was
			return false
		}
		p.advance()
	}
	return true
}

func (p *parser) want(words ...string) {
	for _, w := range words {
		if !p.is(w) {
			p.refuse()
		}
	}
}

func (p *parser) name() string {
	t := p.token
	if p.err != nil {
		return ""
	}
	if t.kind != tokenWord || !t.quoted && isReserved(t.text) {
		p.refuse()
		return ""
	}
	p.advance()
	return t.text
}

// column reads the name of one, where MariaDB takes any formula.
func (p *parser) column() string {
	p.further |= anOperand
	name := p.name()
	if p.err == nil && p.token.is("(") {
		p.err = unsupported(strings.ToUpper(name) + "()")
	}
	p.further |= anOperator
	return name
}

// table reads the name of one.
func (p *parser) table() string {
	p.further |= aList
	name := p.name()
	p.further |= anAlias | aList
	return name
}

// names reads names between commas.
func (p *parser) names() []string {
	names := []string{p.name()}
	for p.is(",") {
		names = append(names, p.name())
	}
	return names
}

func (p *parser) statement() *statement {
	p.further = aList
	switch {
	case p.token.kind == tokenEnd:
		p.err = failed(1065, "Query was empty")
		return nil
	case p.is("BEGIN"):
		return &statement{verb: begin}
	case p.is("START"):
		p.also("SLAVE", "REPLICA")
		p.want("TRANSACTION")
		if p.is("READ") {
			p.access()
		}
		return &statement{verb: begin}
	case p.is("COMMIT"):
		p.further = anOperator // AND CHAIN
		p.also("NO")
		return &statement{verb: commit}
	case p.is("ROLLBACK"):
		p.further = anOperator
		p.also("NO")
		return &statement{verb: rollback}
	case p.is("SET"):
		return p.set()
	case p.is("SELECT"):
		return p.selects()
	case p.is("INSERT"):
		return p.inserts()
	case p.is("UPDATE"):
		s := &statement{verb: updates, table: p.table(), mode: exclusive}
		p.want("SET")
		for {
			a := assignment{column: p.name()}
			p.want("=")
			a.to = p.expression()
			s.sets = append(s.sets, a)
			if !p.is(",") {
				break
			}
		}
		s.where = p.conditions()
		return s
	case p.is("DELETE"):
		if !p.is("FROM") {
			p.table()
			p.further &^= anAlias
			if p.is("FROM") {
				p.err = unsupported("DELETE … FROM")
			}
			p.refuse()
		}
		s := &statement{verb: deletes, table: p.table(), mode: exclusive}
		p.further &^= anAlias
		s.where = p.conditions()
		return s
	case p.is("CREATE", "TABLE"):
		return p.createTable()
	}
	p.refuse()
	return nil
}

// set reads SET TRANSACTION and the two settings of a server that matter here.
func (p *parser) set() *statement {
	s := &statement{verb: setIsolation}
	switch {
	case p.is("GLOBAL"):
		s.scope = global
	case p.is("SESSION"):
		s.scope = session
	}
	if p.is("innodb_lock_wait_timeout", "=") {
		s.verb = setLockWait
		if s.scope == nextTransaction {
			s.scope = session
		}
		s.seconds = p.integer()
		p.also(",")
		return s
	}
	p.further |= anOperand
	p.also("CHARACTER")
	p.want("TRANSACTION")
	if p.is("READ") {
		p.access()
	}
	p.want("ISOLATION", "LEVEL")
	if p.is("READ") {
		p.want("COMMITTED")
		s.isolation = readCommitted
	} else {
		p.want("REPEATABLE", "READ")
	}
	if p.is(",") {
		p.want("READ")
		p.access()
	}
	return s
}

func (p *parser) selects() *statement {
	s := &statement{verb: selects}
	from := p.token.at
	switch {
	case p.is("GET_LOCK", "("):
		return p.lockFunction(getLock, from)
	case p.is("RELEASE_LOCK", "("):
		return p.lockFunction(releaseLock, from)
	case p.is("COUNT", "(", "*", ")"):
		s.count, s.alias = true, p.as(p.written(from))
	case p.is("*"):
		p.further = aList
	default:
		for {
			name := p.column()
			s.fields = append(s.fields, field{name, p.as(name)})
			if !p.is(",") {
				break
			}
		}
	}
	if p.err == nil && (p.token.kind == tokenEnd || p.token.is("WHERE")) {
		p.err = unsupported("a SELECT without FROM")
	}
	p.want("FROM")
	s.table = p.table()
	s.where = p.conditions()
	p.locks(s)
	return s
}

// locks reads how a SELECT locks its rows.
func (p *parser) locks(s *statement) {
	switch {
	case p.is("FOR"):
		p.also("SYSTEM_TIME")
		p.want("UPDATE")
		s.mode = exclusive
	case p.is("LOCK", "IN", "SHARE", "MODE"):
		s.mode = shared
	default:
		return
	}
	switch s.nowait = p.is("NOWAIT"); {
	case s.nowait:
	case p.is("WAIT"):
		p.unknownIf(p.token.kind == tokenNumber, "WAIT")
	case p.is("SKIP"):
		p.unknownIf(p.token.is("LOCKED"), "SKIP")
	}
}

// as reads what a column of a result is called.
func (p *parser) as(otherwise string) string {
	if p.is("AS") {
		if p.token.kind == tokenText {
			p.unknownIf(true, "a text as a name")
		}
		return p.name()
	}
	p.further |= anAlias | aText
	return otherwise
}

// written is what is written from a byte to the token.
func (p *parser) written(from int) string { return strings.TrimSpace(p.source[from:p.token.at]) }

// longestLock is how many bytes the name of a lock may have.
const longestLock = 192

// lockFunction reads GET_LOCK(name, 0) or RELEASE_LOCK(name). Waiting for such a lock is not here.
func (p *parser) lockFunction(v verb, from int) *statement {
	s := &statement{verb: v}
	p.further |= aList
	name := p.value()
	p.further |= anOperand // a name for it
	s.name = name.str
	if p.err == nil && (name.kind != text || len(s.name) > longestLock) {
		p.err = unsupported("a lock whose name is no text, or a long one")
	}
	if v == getLock {
		if p.err == nil && p.token.is(")") {
			p.err = failed(1582, "Incorrect parameter count in the call to native function 'GET_LOCK'")
		}
		p.want(",")
		if seconds := p.integer(); seconds != 0 && p.err == nil {
			p.err = unsupported("GET_LOCK with a timeout other than 0")
		}
	}
	p.further |= anOperand // a name for it
	p.want(")")
	s.alias = p.as(p.written(from))
	return s
}

func (p *parser) inserts() *statement {
	p.is("INTO")
	s := &statement{verb: inserts, table: p.name(), mode: exclusive}
	p.further |= aList
	if p.is("(") {
		p.further |= aList
		s.columns = p.names()
		p.want(")")
		p.further |= aList
	}
	if !p.is("VALUES") && !p.is("VALUE") {
		if p.token.is("SELECT") || p.token.is("SET") {
			p.err = unsupported("INSERT … " + strings.ToUpper(p.token.text))
		}
		p.refuse()
	}
	for {
		p.want("(")
		p.further |= aList
		row := []Value{p.value()}
		for p.is(",") {
			row = append(row, p.value())
		}
		p.want(")")
		s.rows = append(s.rows, row)
		if !p.is(",") {
			return s
		}
	}
}
