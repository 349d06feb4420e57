package sql

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/engine/reply"
)

// valueKind is what a value is.
type valueKind uint8

const (
	null valueKind = iota
	number
	text
)

// Value is what one column of one row holds.
type Value struct {
	kind valueKind
	num  int64
	str  string
}

// String is the value as a result shows it.
func (v Value) String() string {
	switch v.kind {
	case number:
		return strconv.FormatInt(v.num, 10)
	case text:
		return v.str
	case null:
	}
	return "NULL"
}

func (v Value) reply() reply.Reply {
	switch v.kind {
	case number:
		return reply.OfInt(v.num)
	case text:
		return reply.OfBulk(v.str)
	case null:
	}
	return reply.Reply{}
}

// compare orders two values of one kind. Texts are compared byte by byte, as with the
// collation utf8mb4_nopad_bin.
func compare(a, b Value) int {
	if a.kind == number {
		return cmp.Compare(a.num, b.num)
	}
	return cmp.Compare(a.str, b.str)
}

// column is a column of a table.
type column struct {
	name    string
	kind    valueKind
	least   int64 // of a number
	most    int64 // of a number; of a text: how many characters
	notNull bool
}

var (
	intColumn    = column{kind: number, least: math.MinInt32, most: math.MaxInt32}
	bigintColumn = column{kind: number, least: math.MinInt64, most: math.MaxInt64}
)

// hold is a value as the column keeps it, or why it cannot. row is the number of the row in
// its statement, from 1.
func (c *column) hold(v Value, table string, row int) (Value, *Error) {
	switch {
	case v.kind == null:
		if c.notNull {
			return v, failed(1048, "Column '%s' cannot be null", c.name)
		}
	case c.kind == number && v.kind == text:
		n, ok := numberIn(v.str)
		switch {
		case ok:
			return c.hold(Value{kind: number, num: n}, table, row)
		case startsAsNumber(v.str):
			return v, failed(1265, "Data truncated for column '%s' at row %d", c.name, row)
		}
		return v, failed(1366, "Incorrect integer value: '%s' for column `%s`.`%s`.`%s` at row %d", v.str, Schema, table, c.name, row)
	case c.kind == number:
		if v.num < c.least || v.num > c.most {
			return v, failed(1264, "Out of range value for column '%s' at row %d", c.name, row)
		}
	case c.kind == text:
		v = Value{kind: text, str: v.String()}
		if int64(utf8.RuneCountInString(v.str)) > c.most {
			return v, failed(1406, "Data too long for column '%s' at row %d", c.name, row)
		}
	}
	return v, nil
}

// numberIn is the number that a text is, rounded.
func numberIn(s string) (int64, bool) {
	s = strings.Trim(s, blanks)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return int64(math.Round(f)), err == nil && strings.Trim(s, "+-.0123456789eE") == ""
}

func startsAsNumber(s string) bool {
	s = strings.TrimPrefix(strings.TrimLeft(s, blanks+"+-"), ".")
	return s != "" && isDigit(s[0])
}

const blanks = " \t\r\n"
