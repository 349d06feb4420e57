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
	p.also(".")
	if !p.token.is("(") {
		p.options()
	}
	p.want("(")
	for p.err == nil {
		if p.is("PRIMARY") {
			p.primaryKey(s)
		} else {
			p.columnOf(s)
		}
		if !p.is(",") {
			break
		}
	}
	p.want(")")
	p.options()
	return s
}

// options refuses what MariaDB can be told of a table besides its columns: it knows some words, and takes others with a value.
func (p *parser) options() {
	p.also(optionsNotHere...)
	if t := p.token; p.err == nil && t.kind == tokenWord && !p.takes() && !isReserved(t.text) {
		p.advance()
		p.unknownIf(p.token.is("="), called(t))
	}
}

func (p *parser) primaryKey(s *statement) {
	p.want("KEY")
	p.further |= aName
	p.also("USING")
	p.want("(")
	s.key = p.name()
	p.also(",", "(", "ASC")
	p.want(")")
}

func (p *parser) columnOf(s *statement) {
	p.also(inTableNotHere...)
	name := p.name()
	c := p.columnType()
	if c.kind == number && p.is("(") { // how many digits a client may show
		p.unknownIf(p.token.kind == tokenNumber, "the width of a number")
	}
	c.name, c.notNull = name, p.is("NOT", "NULL")
	if p.is("PRIMARY") {
		p.want("KEY")
		s.key = name
	}
	p.also(inColumnNotHere...)
	if strings.EqualFold(s.key, name) {
		c.notNull = true
	}
	s.definition = append(s.definition, c)
}

func (p *parser) columnType() column {
	switch t := p.token; {
	case p.is("BIGINT"):
		return bigintColumn
	case p.is("VARCHAR"):
		p.want("(")
		c := column{kind: text, most: p.integer()}
		p.want(")")
		return c
	case p.is("INT"):
		return intColumn
	default:
		p.also(typesNotHere...)
		if p.err == nil && t.kind == tokenWord && !p.takes() && !isReserved(t.text) {
			p.err = failed(4161, "Unknown data type: '%s'", t.text)
		}
		p.refuse()
		return column{}
	}
}
