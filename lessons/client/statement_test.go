package client_test

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons/client"
	"lockstep/node/sql"
)

// playSQL runs programs on a SQL server with two rows, and returns the trace.
func playSQL(t *testing.T, programs map[string]string, schedule ...string) string {
	t.Helper()
	s := engine.Scenario{Resolution: 100 * time.Millisecond, Nodes: []engine.NodeSpec{{
		Name: "db", Node: sql.NewNode(), Given: []engine.Op{
			{Args: []string{"CREATE TABLE stock (id INT PRIMARY KEY, stock INT, title VARCHAR(20))"}},
			{Args: []string{"INSERT INTO stock VALUES (10, 5, 'book'), (20, 5, NULL)"}},
		},
	}}}
	setup := client.Setup{Node: "db", Opens: map[string]string{"db": sql.Kind.Prelude}}
	for _, name := range []string{"A", "B"} {
		source, there := programs[name]
		if !there {
			continue
		}
		p, err := client.Compile(setup, client.Chunk{Name: name, Source: "local db = node(\"db\")\n" + source})
		if err != nil {
			t.Fatal(err)
		}
		s.Actors = append(s.Actors, engine.ActorSpec{Name: name, Process: "p" + name, New: func() engine.Actor { return p.Start(name, "p"+name) }})
	}
	var choices []engine.Choice
	for _, text := range schedule {
		c, err := engine.ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		choices = append(choices, c)
	}
	_, trace, err := engine.Replay(t.Context(), s, choices)
	if err != nil {
		t.Fatal(err)
	}
	return trace.String()
}

func has(t *testing.T, trace string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(trace, part) {
			t.Errorf("the trace does not have %q:\n%s", part, trace)
		}
	}
}

func TestRowsAreTables(t *testing.T) {
	trace := playSQL(t, map[string]string{"A": `
		local rows = db.query("SELECT id, stock AS n, title FROM stock WHERE title <> ?", "it's ?")
		say(#rows .. " " .. rows[1].id + rows[1].n .. " " .. rows[1].title)
		say(tostring(db.query("SELECT title FROM stock WHERE id = ?", 20)[1].title))
		say("changed " .. db.exec("UPDATE stock SET title = ?, stock = ? WHERE id = ?", nil, int64("7"), 10))`}, "run A", "run A", "run A")
	has(t, trace, `sends SELECT id, stock AS n, title FROM stock WHERE title <> 'it''s ?'`, "A says: 1 15 book", "A says: nil", "A says: changed 1", "title: book → NULL")
}

func TestErrorsOfSQLHaveNumbers(t *testing.T) {
	trace := playSQL(t, map[string]string{"A": `
		local ok, err = pcall(db.exec, "INSERT INTO stock VALUES (10, 1, 'x')")
		say(tostring(ok) .. " " .. db.errno(err) .. " " .. tostring(db.errno("no error of a server")))
		db.query("SELECT * FROM other")`}, "run A", "run A")
	has(t, trace, "A says: false 1062 nil", "A fails: ERROR 1146 (42S02): Table 'lockstep.other' doesn't exist")
}

func TestAStatementNeedsItsValues(t *testing.T) {
	for program, why := range map[string]string{
		`db.query("SELECT * FROM stock WHERE id = ?")`:      `each ? of a statement needs a value, and "SELECT * FROM stock WHERE id = ?" has another number of them than the 0 given`,
		`db.query("SELECT * FROM stock WHERE id = ?", {})`:  "a value of a statement is a text, a number or nil, not a table",
		`db.query("SELECT '?' FROM stock WHERE id = 1", 1)`: "than the 1 given",
		`node("db").call("GET", "x")`:                       "attempt to call",
	} {
		has(t, playSQL(t, map[string]string{"A": program}), "A fails: ", why)
	}
}

// A program that ends closes its connection, within the same step: what it has not committed
// is rolled back, and who waits for it goes on.
func TestTheEndOfAProgramRollsBack(t *testing.T) {
	trace := playSQL(t, map[string]string{
		"A": `db.begin() db.exec("UPDATE stock SET stock = 1 WHERE id = 10") sleep("1s")`,
		"B": `say("B reads " .. db.query("SELECT stock FROM stock WHERE id = 10 FOR UPDATE")[1].stock)`,
	}, "run A", "run A", "run B", "tick", "run B")
	has(t, trace, "A ends", "db answers B: [{stock: 5}]", "stock/10: A has nothing uncommitted there any more", "B says: B reads 5")
}

// So does a task, whose connection is its own.
func TestATaskHasAConnectionOfItsOwn(t *testing.T) {
	trace := playSQL(t, map[string]string{
		"A": `db.begin()
			spawn("other", function() db.begin() db.exec("UPDATE stock SET stock = 1 WHERE id = 10") sleep("9s") end)
			db.exec("UPDATE stock SET stock = 2 WHERE id = 20")
			cancel("other")
			db.exec("UPDATE stock SET stock = 3 WHERE id = 10")
			db.commit()`,
	}, "run A", "run A:other", "run A:other", "run A", "run A", "run A")
	has(t, trace, "stock/10: A:other has written stock: 5 → 1, uncommitted", "stock/10: A:other has nothing uncommitted there any more", "stock/10: stock: 5 → 3", "stock/20: stock: 5 → 2")
}

func TestIsolationOfOneTransaction(t *testing.T) {
	trace := playSQL(t, map[string]string{
		"A": `db.begin("READ COMMITTED") db.query("SELECT stock FROM stock WHERE id = 10") say("now " .. db.query("SELECT stock FROM stock WHERE id = 10")[1].stock)`,
		"B": `db.exec("UPDATE stock SET stock = 1 WHERE id = 10")`,
	}, "run A", "run A", "run A", "run B", "run A")
	has(t, trace, "A sends SET TRANSACTION ISOLATION LEVEL READ COMMITTED → OK", "A says: now 1")
}

// TestThreadsShareAConnection: what is sent on a connection of a pool is in the transaction of whoever used it last.
func TestThreadsShareAConnection(t *testing.T) {
	trace := playSQL(t, map[string]string{
		"A": `
		local c1 = node("db", {connection = "c1"})
		c1.begin()
		c1.exec("UPDATE stock SET stock = 4 WHERE id = 10")
		spawn("task", function()
			say("the task sees " .. c1.query("SELECT stock FROM stock WHERE id = 10")[1].stock)
			say("another connection sees " .. db.query("SELECT stock FROM stock WHERE id = 10")[1].stock)
		end)`,
	}, "run A", "run A", "run A:task", "run A:task")
	has(t, trace, "BEGIN by c1", "the task sees 4", "another connection sees 5")
}
