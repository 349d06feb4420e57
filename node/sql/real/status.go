package real

import (
	"regexp"
	"strconv"
	"strings"
)

// counters are how many statements wait for locks of rows, and how many ever did. The
// server counts one when it has looked for a deadlock.
type counters struct{ now, ever int64 }

func (c *connection) counters() (counters, error) {
	_, rows, err := c.rows("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_%'")
	var all counters
	for _, r := range rows {
		n, _ := strconv.ParseInt(r.Elems[3].Str, 10, 64) // the others are not used
		switch r.Elems[1].Str {
		case "Innodb_row_lock_current_waits":
			all.now = n
		case "Innodb_row_lock_waits":
			all.ever = n
		}
	}
	return all, err
}

// threads are those of all connections.
func (c *connection) threads() (map[int64]bool, error) {
	_, rows, err := c.rows("SELECT ID FROM information_schema.PROCESSLIST")
	all := map[int64]bool{}
	for _, r := range rows {
		all[r.Elems[1].Int] = true
	}
	return all, err
}

var threadOfTransaction = regexp.MustCompile(`^MariaDB thread id (\d+)`)

// waiting are the threads whose statements wait for a lock. information_schema would tell
// what was true a moment ago.
func (c *connection) waiting() (map[int64]bool, error) {
	text, err := c.text("SHOW ENGINE INNODB STATUS")
	if err != nil {
		return nil, err
	}
	all := map[int64]bool{}
	waits := false
	for line := range strings.Lines(text) {
		switch m := threadOfTransaction.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "---TRANSACTION "):
			waits = false
		case strings.HasPrefix(line, "LOCK WAIT "):
			waits = true
		case m != nil && waits:
			id, _ := strconv.ParseInt(m[1], 10, 64) // it is digits
			all[id] = true
		}
	}
	return all, nil
}
