package sql

import "strings"

// What MariaDB has in CREATE TABLE and this subset has not.
var (
	typesNotHere = strings.Fields(`BIT BLOB BOOL BOOLEAN BINARY CHARACTER DEC ENUM FIXED FLOAT4 FLOAT8 GEOMETRY GEOMETRYCOLLECTION INET4 INET6 INT1 INT2
INT3 INT4 INT8 INTEGER JSON LINESTRING LONG LONGBLOB LONGTEXT MEDIUMBLOB MEDIUMINT MEDIUMTEXT MIDDLEINT MULTILINESTRING MULTIPOINT MULTIPOLYGON
NATIONAL NCHAR NUMBER NUMERIC NVARCHAR POINT POLYGON REAL SERIAL TIME TINYBLOB TINYTEXT UUID VARBINARY VARCHAR2 VARCHARACTER YEAR`)
	inColumnNotHere = strings.Fields("NULL KEY COMMENT REFERENCES CHARACTER CHARSET BINARY ASCII UNICODE GENERATED AS INVISIBLE WITHOUT COMPRESSED SERIAL UNSIGNED SIGNED ZEROFILL")
	inTableNotHere  = strings.Fields("KEY CONSTRAINT FOREIGN FULLTEXT SPATIAL")
	optionsNotHere  = strings.Fields("AS SELECT AUTO_INCREMENT AVG_ROW_LENGTH CHARACTER CHARSET CHECKSUM COMMENT ENGINE KEY_BLOCK_SIZE MAX_ROWS MIN_ROWS PACK_KEYS ROW_FORMAT WITH")
)

func (p *parser) createTable() *statement {
	s := &statement{verb: createTable, table: p.name()}
	if p.err == nil && p.token.kind == tokenEnd {
		p.err = failed(1113, "A table must have at least 1 column")
	}
	p.mariadbHas(".")
	if !p.token.is("(") {
		p.options()
	}
	p.expect("(")
	for p.err == nil {
		if p.accept("PRIMARY") {
			p.primaryKey(s)
		} else {
			p.columnOf(s)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	p.options()
	return s
}

// options refuses table options, which this subset lacks. MariaDB accepts unknown ones, too, if they have a value.
func (p *parser) options() {
	p.mariadbHas(optionsNotHere...)
	if t := p.token; p.err == nil && t.kind == tokenWord && !p.mariadbTakes() && !isReserved(t.text) {
		p.advance()
		p.unknownIf(p.token.is("="), called(t))
	}
}

func (p *parser) primaryKey(s *statement) {
	p.expect("KEY")
	p.mariadb |= aName
	p.mariadbHas("USING")
	p.expect("(")
	s.key = p.name()
	p.mariadbHas(",", "(", "ASC")
	p.expect(")")
}

func (p *parser) columnOf(s *statement) {
	p.mariadbHas(inTableNotHere...)
	name := p.name()
	c := p.columnType()
	if c.kind == number && p.accept("(") { // how many digits a client may show
		p.unknownIf(p.token.kind == tokenNumber, "the width of a number")
	}
	c.name, c.notNull = name, p.accept("NOT", "NULL")
	if p.accept("PRIMARY") {
		p.expect("KEY")
		s.key = name
	}
	p.mariadbHas(inColumnNotHere...)
	if strings.EqualFold(s.key, name) {
		c.notNull = true
	}
	s.definition = append(s.definition, c)
}

func (p *parser) columnType() column {
	switch t := p.token; {
	case p.accept("BIGINT"):
		return bigintColumn
	case p.accept("VARCHAR"):
		p.expect("(")
		c := column{kind: text, most: p.integer()}
		p.expect(")")
		return c
	case p.accept("INT"):
		return intColumn
	default:
		p.mariadbHas(typesNotHere...)
		if p.err == nil && t.kind == tokenWord && !p.mariadbTakes() && !isReserved(t.text) {
			p.err = failed(4161, "Unknown data type: '%s'", t.text)
		}
		p.refuse()
		return column{}
	}
}
