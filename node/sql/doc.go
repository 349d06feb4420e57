// Package sql is an embedded SQL server: tables in memory with the row locks and the
// snapshots of InnoDB, as MariaDB 10.11 has them, for the statements that lessons need. Everything
// else is refused in MariaDB's words or with error 1235.
//
// It is written here because embeddable servers for Go have no row locks, and parsers of all of
// SQL are larger than the whole player. Rules that lessons can notice: purge is held back, so a
// deleted row keeps its record; a request for a lock never passes those that wait; the victim of a
// deadlock is the lightest transaction, and on a tie the one that asked last; a statement that
// waits when its client crashes goes on waiting, as MariaDB notices only when it answers. The last
// deadlock, who waited for whom and who was the victim, is part of what a node shows.
package sql
