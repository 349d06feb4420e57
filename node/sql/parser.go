package sql

import "strings"

// parser reads one statement. After an error accept and name consume nothing and refuse keeps the
// error, so that rules go on without checks.
type parser struct {
	source       string
	token        token
	last         token        // the one before token
	next         int          // end of token in source
	mariadb      mariadbForms // forms that only MariaDB accepts in the place of token
	mariadbWords []string     // words and signs that only MariaDB accepts there
	err          *Error
}

// parse reads a statement of the subset. An error has MariaDB's number and words, or is 1235 for
// syntax that MariaDB has and this subset lacks.
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
	p.last, p.mariadb, p.mariadbWords = p.token, 0, nil
	p.token, p.next = tokenAt(p.source, p.next)
}

// accept consumes words or signs: all of them, or none if one is missing.
func (p *parser) accept(words ...string) bool {
	if p.err != nil {
		return false
	}
	before := *p
	for _, w := range words {
		if !p.token.is(w) {
			*p = before
			return false
		}
		p.advance()
	}
	return true
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
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

// column reads a column's name. MariaDB accepts any formula there.
func (p *parser) column() string {
	p.mariadb |= anOperand
	name := p.name()
	if p.err == nil && p.token.is("(") {
		p.err = unsupported(strings.ToUpper(name) + "()")
	}
	p.mariadb |= anOperator
	return name
}

// table reads a table's name. MariaDB accepts more tables and an alias there.
func (p *parser) table() string {
	p.mariadb |= aList
	name := p.name()
	p.mariadb |= anAlias | aList
	return name
}

func (p *parser) names() []string {
	names := []string{p.name()}
	for p.accept(",") {
		names = append(names, p.name())
	}
	return names
}

func (p *parser) statement() *statement {
	p.mariadb = aList
	switch {
	case p.token.kind == tokenEnd:
		p.err = failed(1065, "Query was empty")
		return nil
	case p.accept("BEGIN"):
		return &statement{verb: begin}
	case p.accept("START"):
		p.mariadbHas("SLAVE", "REPLICA")
		p.expect("TRANSACTION")
		if p.accept("READ") {
			p.access()
		}
		return &statement{verb: begin}
	case p.accept("COMMIT"):
		p.mariadb = anOperator // AND CHAIN
		p.mariadbHas("NO")
		return &statement{verb: commit}
	case p.accept("ROLLBACK"):
		p.mariadb = anOperator
		p.mariadbHas("NO")
		return &statement{verb: rollback}
	case p.accept("SET"):
		return p.set()
	case p.accept("SELECT"):
		return p.selects()
	case p.accept("INSERT"):
		return p.inserts()
	case p.accept("UPDATE"):
		s := &statement{verb: updates, table: p.table(), mode: exclusive}
		p.expect("SET")
		for {
			a := assignment{column: p.name()}
			p.expect("=")
			a.to = p.expression()
			s.sets = append(s.sets, a)
			if !p.accept(",") {
				break
			}
		}
		s.where = p.conditions()
		return s
	case p.accept("DELETE"):
		if !p.accept("FROM") {
			p.table()
			p.mariadb &^= anAlias
			p.unknownIf(p.accept("FROM"), "DELETE … FROM")
		}
		s := &statement{verb: deletes, table: p.table(), mode: exclusive}
		p.mariadb &^= anAlias
		s.where = p.conditions()
		return s
	case p.accept("CREATE", "TABLE"):
		return p.createTable()
	}
	p.refuse()
	return nil
}

// set reads SET TRANSACTION and SET of a timeout.
func (p *parser) set() *statement {
	s := &statement{verb: setIsolation}
	switch {
	case p.accept("GLOBAL"):
		s.scope = global
	case p.accept("SESSION"):
		s.scope = session
	}
	for i, name := range timeouts {
		if !p.accept(name, "=") {
			continue
		}
		s.verb, s.timeout = setTimeout, timeout(i)
		if s.scope == nextTransaction {
			s.scope = session
		}
		s.seconds = p.integer()
		p.lacks(s.seconds == 0 && s.timeout != idleTransaction, name+" = 0") // MariaDB does not wait at all, or takes 1
		p.lacks(s.seconds > mostSeconds, name+" of more than a year")
		p.mariadbHas(",")
		return s
	}
	p.mariadb |= anOperand
	p.mariadbHas("CHARACTER")
	p.expect("TRANSACTION")
	if p.accept("READ") {
		p.access()
	}
	p.expect("ISOLATION", "LEVEL")
	if p.accept("READ") {
		p.expect("COMMITTED")
		s.isolation = readCommitted
	} else {
		p.expect("REPEATABLE", "READ")
	}
	if p.accept(",") {
		p.expect("READ")
		p.access()
	}
	return s
}

func (p *parser) selects() *statement {
	s := &statement{verb: selects}
	from := p.token.at
	switch {
	case p.accept("GET_LOCK", "("):
		return p.lockFunction(getLock, from)
	case p.accept("RELEASE_LOCK", "("):
		return p.lockFunction(releaseLock, from)
	case p.accept("COUNT", "(", "*", ")"):
		s.count, s.alias = true, p.as(p.written(from))
	case p.accept("*"):
		p.mariadb = aList
	default:
		for {
			name := p.column()
			s.fields = append(s.fields, field{name, p.as(name)})
			if !p.accept(",") {
				break
			}
		}
	}
	p.lacks(p.token.kind == tokenEnd || p.token.is("WHERE"), "a SELECT without FROM")
	p.expect("FROM")
	s.table = p.table()
	s.where = p.conditions()
	if !s.count {
		p.ordered(s)
	}
	p.locks(s)
	return s
}

func (p *parser) ordered(s *statement) {
	if p.accept("ORDER") {
		p.expect("BY")
		s.order = p.column()
		p.mariadb |= aList
		p.mariadbHas("ASC")
	}
	if !p.accept("LIMIT") {
		return
	}
	s.limit = p.integer()
	p.lacks(s.limit == 0, "LIMIT 0")
	p.mariadb |= aList
	p.mariadbHas("ROWS")
}

// locks reads the locking clause of a SELECT.
func (p *parser) locks(s *statement) {
	switch {
	case p.accept("FOR"):
		p.mariadbHas("SYSTEM_TIME")
		p.expect("UPDATE")
		s.mode = exclusive
	case p.accept("LOCK", "IN", "SHARE", "MODE"):
		s.mode = shared
	default:
		return
	}
	switch s.nowait = p.accept("NOWAIT"); {
	case s.nowait:
	case p.accept("WAIT"):
		p.unknownIf(p.token.kind == tokenNumber, "WAIT")
	case p.accept("SKIP"):
		p.expect("LOCKED")
		s.skips = true
	}
}

// as reads an alias of a result's column; otherwise is the name of one without.
func (p *parser) as(otherwise string) string {
	if p.accept("AS") {
		if p.token.kind == tokenText {
			p.unknownIf(true, "a text as a name")
		}
		return p.name()
	}
	p.mariadb |= anAlias | aText
	return otherwise
}

// written is the source from a byte up to the token.
func (p *parser) written(from int) string { return strings.TrimSpace(p.source[from:p.token.at]) }

// longestLock bounds the name of a lock, in bytes.
const longestLock = 192

// lockFunction reads GET_LOCK(name, 0) or RELEASE_LOCK(name). This subset lacks waits for such locks.
func (p *parser) lockFunction(v verb, from int) *statement {
	s := &statement{verb: v}
	p.mariadb |= aList
	name := p.value()
	p.mariadb |= anOperand // a name for it
	s.name = name.str
	p.lacks(name.kind != text || len(s.name) > longestLock, "a lock whose name is no text, or a long one")
	if v == getLock {
		if p.err == nil && p.token.is(")") {
			p.err = failed(1582, "Incorrect parameter count in the call to native function 'GET_LOCK'")
		}
		p.expect(",")
		p.lacks(p.integer() != 0, "GET_LOCK with a timeout other than 0")
	}
	p.mariadb |= anOperand // a name for it
	p.expect(")")
	s.alias = p.as(p.written(from))
	return s
}

func (p *parser) inserts() *statement {
	ignore := p.accept("IGNORE")
	p.accept("INTO")
	s := &statement{verb: inserts, table: p.name(), mode: exclusive, ignore: ignore}
	p.mariadb |= aList
	if p.accept("(") {
		p.mariadb |= aList
		s.columns = p.names()
		p.expect(")")
		p.mariadb |= aList
	}
	if !p.accept("VALUES") && !p.accept("VALUE") {
		p.unknownIf(p.token.is("SELECT") || p.token.is("SET"), "INSERT … "+strings.ToUpper(p.token.text))
	}
	for {
		p.expect("(")
		p.mariadb |= aList
		row := []Value{p.value()}
		for p.accept(",") {
			row = append(row, p.value())
		}
		p.expect(")")
		s.rows = append(s.rows, row)
		if !p.accept(",") {
			return s
		}
	}
}
