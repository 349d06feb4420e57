package sql

import (
	"fmt"

	"lockstep/engine/reply"
)

// Error is a refusal as MariaDB 10.11 words it.
type Error struct {
	Number int
	State  string // SQLSTATE
	Text   string
}

// Error is the refusal as the mysql client shows it.
func (e *Error) Error() string { return fmt.Sprintf("ERROR %d (%s): %s", e.Number, e.State, e.Text) }

func (e *Error) reply() reply.Reply { return reply.OfError(e.Error()) }

// Schema is the name of the one database, which some errors tell.
const Schema = "lockstep"

// states are the SQLSTATEs of the errors that this package knows.
var states = map[int]string{
	1048: "23000", 1050: "42S01", 1054: "42S22", 1060: "42S21", 1062: "23000", 1064: "42000", 1065: "42000", 1072: "42000", 1110: "42000", 1113: "42000",
	1136: "21S01", 1146: "42S02", 1205: "HY000", 1213: "40001", 1235: "42000", 1264: "22003", 1265: "01000",
	1364: "HY000", 1366: "22007", 1406: "22001", 1568: "25001", 1582: "42000", 1690: "22003", 2006: "HY000", 4161: "HY000",
}

func failed(number int, format string, args ...any) *Error {
	return &Error{number, states[number], fmt.Sprintf(format, args...)}
}

// unsupported refuses what MariaDB has and this server does not, with MariaDB's number for that.
func unsupported(what string) *Error {
	return failed(1235, "This playground doesn't support '%s'", what)
}

func errGone() *Error { return failed(2006, "Server has gone away") }

func errLockWait() *Error {
	return failed(1205, "Lock wait timeout exceeded; try restarting transaction")
}

func errNoColumn(name, where string) *Error {
	return failed(1054, "Unknown column '%s' in '%s'", name, where)
}

func errOutOfRange(table string, e expression) *Error {
	sign, n := '+', uint64(e.add)
	if e.add < 0 {
		sign, n = '-', -n
	}
	return failed(1690, "BIGINT value is out of range in '`%s`.`%s`.`%s` %c %d'", Schema, table, e.column, sign, n)
}
