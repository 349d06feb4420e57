package sql_test

import (
	"strings"
	"testing"

	"lockstep/engine"
)

// FuzzStatements has two clients send anything, in turns, line by line. Each statement is
// answered, refused or waits, and when all time has passed, nobody waits any more.
func FuzzStatements(f *testing.F) {
	for _, s := range []string{
		"BEGIN\nBEGIN\nUPDATE stock SET stock = stock - 1 WHERE id = 10\nSELECT * FROM stock WHERE id >= 10 FOR UPDATE",
		"START TRANSACTION;\nINSERT INTO stock (id, stock) VALUES (1, -2), (3, NULL)\nROLLBACK\nDELETE FROM stock WHERE id <> 10 AND stock < 7",
		"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED\nSELECT COUNT(*) AS n FROM stock LOCK IN SHARE MODE NOWAIT",
		"SELECT GET_LOCK('a', 0)\nSELECT GET_LOCK(\"a\", 0) AS got\nSELECT RELEASE_LOCK('a')\nSELECT GET_LOCK('", "SET innodb_lock_wait_timeout = 3\nSELECT `id` FROM `stock`",
		"UPDATE stock SET id = 9223372036854775807 + 1\nINSERT INTO stock VALUES (-9223372036854775808, 99999999999999999999)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := shop(t)
		waits := map[string]bool{}
		for i, line := range strings.Split(text, "\n") {
			actor := []string{"A", "B"}[i%2]
			if waits[actor] {
				continue
			}
			res, err := n.Exec(t.Context(), engine.Op{From: engine.Client{Actor: actor, Process: actor}, Args: []string{line}})
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			waits[actor] = res.Waits
			for _, a := range res.Answered {
				waits[a.Actor] = false
			}
		}
		for {
			due, is := n.NextDue()
			if !is {
				break
			}
			e, err := n.AdvanceTo(t.Context(), due)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range e.Answered {
				waits[a.Actor] = false
			}
		}
		if waits["A"] || waits["B"] {
			t.Errorf("somebody waits for ever: %v", waits)
		}
	})
}
