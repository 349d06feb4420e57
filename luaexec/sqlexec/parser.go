package sqlexec

import (
	"slices"
	"strconv"
	"strings"
)

// parser reads one statement. After its first error it reads nothing more.
type parser struct {
	source string
	token  token
	next   int // where the token after this one may begin
	err    *Error
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

func (p *parser) advance() { p.token, p.next = tokenAt(p.source, p.next) }

// notHere are words of MariaDB's SQL that this subset has not.
var notHere = []string{
	"ORDER", "LIMIT", "GROUP", "HAVING", "JOIN", "INNER", "LEFT", "RIGHT", "OR", "IN", "BETWEEN", "LIKE", "IS", "NOT", "SKIP", "DISTINCT",
	"UNION", "REPLACE", "ON", "IGNORE", "SAVEPOINT", "LOCK", "UNLOCK", "ALTER", "DROP", "TRUNCATE", "CREATE", "SHOW", "EXPLAIN", "CALL", "WITH",
	"MAX", "MIN", "SUM", "AVG", "NOW", "IF", "CASE", "DEFAULT", "RETURNING", "FOR", "OFFSET", "AUTO_INCREMENT", "UNIQUE", "INDEX", "SLEEP",
	"USE", "DATE", "DATETIME", "TIMESTAMP", "DECIMAL", "TEXT", "CHAR", "TINYINT", "SMALLINT", "FLOAT", "DOUBLE", "KILL", "SERIALIZABLE", "XA",
}

// refuse reports that the token cannot stand here.
func (p *parser) refuse() {
	if p.err != nil {
		return
	}
	word := strings.ToUpper(p.token.text)
	if p.token.kind == tokenWord && slices.Contains(notHere, word) {
		p.err = unsupported(word)
		return
	}
	near := p.source[p.token.at:]
	if r := []rune(near); len(r) > 80 {
		near = string(r[:80])
	}
	line := strings.Count(p.source[:p.token.at], "\n") + 1
	p.err = failed(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near '%s' at line %d", near, line)
}

// is reads words or signs, all of them or none.
func (p *parser) is(words ...string) bool {
	if p.err != nil {
		return false
	}
	was, next := p.token, p.next
	for _, w := range words {
		if p.token.kind != tokenWord && p.token.kind != tokenSign || !strings.EqualFold(p.token.text, w) {
			p.token, p.next = was, next
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

// reserved are words that cannot name a table or a column.
var reserved = []string{
	"SELECT", "FROM", "WHERE", "INSERT", "INTO", "VALUES", "UPDATE", "SET", "DELETE", "AND", "OR", "NULL", "FOR", "LOCK", "IN", "CREATE", "TABLE",
	"PRIMARY", "KEY", "NOT", "AS", "ORDER", "LIMIT", "GROUP", "JOIN", "ON", "LIKE", "BETWEEN", "IS", "INT", "BIGINT", "VARCHAR", "DISTINCT",
}

func (p *parser) name() string {
	t := p.token
	if p.err != nil {
		return ""
	}
	if t.kind != tokenWord || p.source[t.at] != '`' && slices.Contains(reserved, strings.ToUpper(t.text)) {
		p.refuse()
		return ""
	}
	p.advance()
	return t.text
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
	switch {
	case p.is("BEGIN"), p.is("START", "TRANSACTION"):
		return &statement{verb: begin}
	case p.is("COMMIT"):
		return &statement{verb: commit}
	case p.is("ROLLBACK"):
		return &statement{verb: rollback}
	case p.is("SET"):
		return p.set()
	case p.is("SELECT"):
		return p.selects()
	case p.is("INSERT"):
		return p.inserts()
	case p.is("UPDATE"):
		s := &statement{verb: updates, table: p.name(), mode: exclusive}
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
		p.want("FROM")
		return &statement{verb: deletes, table: p.name(), mode: exclusive, where: p.conditions()}
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
		return s
	}
	p.want("TRANSACTION", "ISOLATION", "LEVEL")
	if p.is("READ", "COMMITTED") {
		s.isolation = readCommitted
	} else {
		p.want("REPEATABLE", "READ")
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
	default:
		for {
			name := p.name()
			s.fields = append(s.fields, field{name, p.as(name)})
			if !p.is(",") {
				break
			}
		}
	}
	p.want("FROM")
	s.table = p.name()
	s.where = p.conditions()
	switch {
	case p.is("FOR", "UPDATE"):
		s.mode = exclusive
	case p.is("LOCK", "IN", "SHARE", "MODE"):
		s.mode = shared
	}
	s.nowait = s.mode != unlocked && p.is("NOWAIT")
	return s
}

// as reads what a column of a result is called.
func (p *parser) as(otherwise string) string {
	if p.is("AS") {
		return p.name()
	}
	return otherwise
}

// written is what is written from a byte to the token.
func (p *parser) written(from int) string { return strings.TrimSpace(p.source[from:p.token.at]) }

// longestLock is how many bytes the name of a lock may have.
const longestLock = 192

// lockFunction reads GET_LOCK(name, 0) or RELEASE_LOCK(name). Waiting for such a lock is not here.
func (p *parser) lockFunction(v verb, from int) *statement {
	s := &statement{verb: v}
	name := p.value()
	s.name = name.str
	if p.err == nil && (name.kind != text || len(s.name) > longestLock) {
		p.err = unsupported("a lock whose name is no text, or a long one")
	}
	if v == getLock {
		p.want(",")
		if seconds := p.integer(); seconds != 0 && p.err == nil {
			p.err = unsupported("GET_LOCK with a timeout other than 0")
		}
	}
	p.want(")")
	s.alias = p.as(p.written(from))
	return s
}

func (p *parser) inserts() *statement {
	p.want("INTO")
	s := &statement{verb: inserts, table: p.name(), mode: exclusive}
	if p.is("(") {
		s.columns = p.names()
		p.want(")")
	}
	if !p.is("VALUES") {
		p.want("VALUE")
	}
	for {
		p.want("(")
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

// value reads NULL, a number or a text.
func (p *parser) value() Value {
	minus := p.is("-")
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
		return Value{kind: number, num: n}
	case minus:
		p.refuse()
	case t.kind == tokenText:
		p.advance()
		return Value{kind: text, str: t.text}
	case !p.is("NULL"):
		p.refuse()
	}
	return Value{}
}

// integer reads a number that is not below zero.
func (p *parser) integer() int64 {
	if p.token.kind != tokenNumber {
		p.refuse()
		return 0
	}
	return p.value().num
}

// number reads a number that may have a minus.
func (p *parser) number() int64 {
	if minus := p.token.kind == tokenSign && p.token.text == "-"; p.token.kind != tokenNumber && !minus {
		p.refuse()
		return 0
	}
	return p.value().num
}

// expression reads a value, or a column with a number that is added or taken away.
func (p *parser) expression() expression {
	if p.token.kind != tokenWord || strings.EqualFold(p.token.text, "NULL") {
		return expression{value: p.value()}
	}
	e := expression{column: p.name()}
	switch {
	case p.is("+"):
		e.add, e.adds = p.number(), true
	case p.is("-"):
		e.add, e.adds = -p.number(), true
	}
	return e
}

var comparisons = []string{"=", "<", ">", "<=", ">=", "<>", "!="}

func (p *parser) conditions() []condition {
	if !p.is("WHERE") {
		return nil
	}
	var all []condition
	for {
		c := condition{column: p.name(), comparison: p.token.text}
		if p.token.kind != tokenSign || !slices.Contains(comparisons, c.comparison) {
			p.refuse()
			return all
		}
		p.advance()
		c.right = p.expression()
		all = append(all, c)
		if !p.is("AND") {
			return all
		}
	}
}

func (p *parser) createTable() *statement {
	s := &statement{verb: createTable, table: p.name()}
	p.want("(")
	for p.err == nil {
		if p.is("PRIMARY", "KEY", "(") {
			s.key = p.name()
			p.want(")")
		} else {
			p.column(s)
		}
		if !p.is(",") {
			break
		}
	}
	p.want(")")
	return s
}

func (p *parser) column(s *statement) {
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
