package sql_test

import (
	"fmt"
	"testing"

	"lockstep/engine"
	"lockstep/node/sql"
)

// The view tells who waited for whom in the last deadlock, and whose transaction was rolled back.
func TestTheViewTellsOfTheLastDeadlock(t *testing.T) {
	for _, c := range []struct {
		name string
		say  [][2]string
		want string
	}{
		{"none", [][2]string{{"A", "UPDATE stock SET n = 5 WHERE id = 1"}, {"B", "UPDATE stock SET n = 5 WHERE id = 1"}}, "0, victim "},
		{"two, and who asked last is the victim", [][2]string{
			{"A", "UPDATE stock SET n = 5 WHERE id = 1"},
			{"B", "UPDATE stock SET n = 5 WHERE id = 2"},
			{"A", "UPDATE stock SET n = 5 WHERE id = 2"},
			{"B", "UPDATE stock SET n = 5 WHERE id = 1"},
		}, "1 A→B stock/2 B→A stock/1, victim B"},
		{"three, and the lightest is the victim", [][2]string{
			{"A", "UPDATE stock SET n = 5 WHERE id = 1"},
			{"B", "SELECT * FROM stock WHERE id = 2 FOR UPDATE"},
			{"C", "UPDATE stock SET n = 5 WHERE id = 3"},
			{"A", "UPDATE stock SET n = 5 WHERE id = 2"},
			{"B", "UPDATE stock SET n = 5 WHERE id = 3"},
			{"C", "UPDATE stock SET n = 5 WHERE id = 1"},
		}, "1 A→B stock/2 B→C stock/3 C→A stock/1, victim B"},
	} {
		n := sql.NewNode()
		say := func(actor, text string) {
			t.Helper()
			if res, err := n.Exec(t.Context(), engine.Op{From: engine.Client{Actor: actor, Process: actor}, Args: []string{text}}); err != nil {
				t.Fatalf("%s: %s: %v, %v", c.name, text, res, err)
			}
		}
		n.Exec(t.Context(), engine.Op{Args: []string{"CREATE TABLE stock (id INT PRIMARY KEY, n INT)"}})  //nolint:errcheck // it never fails
		n.Exec(t.Context(), engine.Op{Args: []string{"INSERT INTO stock VALUES (1, 1), (2, 1), (3, 1)"}}) //nolint:errcheck // it never fails
		for _, actor := range []string{"A", "B", "C"} {
			say(actor, "BEGIN")
		}
		for _, s := range c.say {
			say(s[0], s[1])
		}
		view, err := n.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(view.Deadlock.N)
		for _, w := range view.Deadlock.Waits {
			got += " " + w.Actor + "→" + w.By[0] + " " + w.Keys[0]
		}
		if got += ", victim " + view.Deadlock.Victim; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
