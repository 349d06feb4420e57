package sql

// verb is what a statement does.
type verb uint8

const (
	begin verb = iota
	commit
	rollback
	setIsolation
	setTimeout
	selects
	inserts
	updates
	deletes
	getLock
	releaseLock
	createTable
)

// isolation is how much of what others commit a transaction sees.
type isolation uint8

const (
	repeatableRead isolation = iota
	readCommitted
)

// scope is what a SET is for.
type scope uint8

const (
	nextTransaction scope = iota
	session
	global
)

// mode is how strong a lock is; none: a read takes no lock.
type mode byte

const (
	unlocked  mode = 0
	shared    mode = 'S'
	exclusive mode = 'X'
)

// statement is one that was parsed.
type statement struct {
	verb  verb
	table string

	fields []field // of a SELECT; none: all columns
	count  bool    // SELECT COUNT(*)
	alias  string  // what COUNT(*) or a lock function is called

	columns []string // of an INSERT; none: all
	rows    [][]Value
	ignore  bool // keys that are there already

	sets  []assignment
	where []condition

	order string // the column by which a SELECT orders its rows; empty: it does not say
	limit int64  // how many rows it takes; 0: all

	mode   mode
	nowait bool
	skips  bool // rows that are locked

	isolation isolation
	scope     scope
	timeout   timeout
	seconds   int64
	name      string // of a lock

	definition []column
	key        string
}

// field is a column of a SELECT, and what it is called.
type field struct{ column, alias string }

// expression is a value, a column, or a column and a number that is added to it.
type expression struct {
	column string // empty: a value
	value  Value
	add    int64
	adds   bool
}

type assignment struct {
	column string
	to     expression
}

type condition struct {
	column     string
	comparison string
	right      expression
}
