package sql_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/node/sql"
)

// Under READ COMMITTED a statement keeps the row that it finds in place of the one it waited for, though
// that does not match. No conversation tells it: B and C, woken at once, race inside a MariaDB.
func TestAStatementThatWaitedKeepsItsRow(t *testing.T) {
	n := sql.NewNode()
	for _, s := range [][2]string{
		{"", "CREATE TABLE stock (id INT PRIMARY KEY, stock INT)"},
		{"B", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"},
		{"A", "BEGIN"},
		{"A", "INSERT INTO stock VALUES (15, 1)"},
		{"C", "INSERT INTO stock VALUES (15, 2)"},
		{"B", "BEGIN"},
		{"B", "UPDATE stock SET stock = 7 WHERE id = 15 AND stock > 100"},
		{"A", "ROLLBACK"},
	} {
		op := engine.Op{Args: []string{s[1]}}
		if s[0] != "" {
			op.From = engine.Client{Actor: s[0], Process: s[0]}
		}
		if res, err := n.Exec(t.Context(), op); err != nil || res.Reply.IsError() {
			t.Fatal(s, res.Reply, err)
		}
	}
	res, err := n.Exec(t.Context(), engine.Op{From: engine.Client{Actor: "D", Process: "D"}, Args: []string{"UPDATE stock SET stock = 3 WHERE id = 15"}})
	if err != nil || !res.Waits {
		t.Errorf("D is told %v, %v, and does not wait for B", res.Reply, err)
	}
}
