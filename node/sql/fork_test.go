package sql_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/node/sql"
)

// walk is what clients do at random with two rows.
type walk struct {
	random  *rand.Rand
	waits   map[string]bool
	clients []string
}

func (w *walk) step() (what string, do func(*testing.T, *sql.Node) string) {
	actor := w.clients[w.random.IntN(len(w.clients))]
	show := func(t *testing.T, n *sql.Node, text string) string {
		t.Helper()
		view, err := n.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %+v", text, view)
	}
	switch k := w.random.IntN(30); {
	case k == 0:
		return "crash " + actor, func(t *testing.T, n *sql.Node) string {
			e, err := n.Fault(t.Context(), actor, engine.Crash)
			return show(t, n, fmt.Sprint(e.Answered, err))
		}
	case k == 1 || w.waits[actor]:
		return "wait", func(t *testing.T, n *sql.Node) string {
			due, _ := n.NextDue()
			e, err := n.AdvanceTo(t.Context(), due)
			return show(t, n, fmt.Sprint(e.Answered, err))
		}
	}
	key := []int{10, 15, 20}[w.random.IntN(3)]
	statements := []string{
		"BEGIN", "COMMIT", "ROLLBACK", "SELECT * FROM stock", fmt.Sprintf("SELECT * FROM stock WHERE id = %d FOR UPDATE", key),
		fmt.Sprintf("UPDATE stock SET stock = stock - 1 WHERE id = %d", key), fmt.Sprintf("DELETE FROM stock WHERE id = %d", key),
		fmt.Sprintf("INSERT INTO stock VALUES (%d, 3), (%d, 4)", key, key+1), "SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "SELECT GET_LOCK('a', 0)",
	}
	statement := statements[w.random.IntN(len(statements))]
	return actor + "> " + statement, func(t *testing.T, n *sql.Node) string {
		res, err := n.Exec(t.Context(), engine.Op{From: engine.Client{Actor: actor, Process: actor}, Args: []string{statement}})
		return show(t, n, fmt.Sprint(res, err))
	}
}

func shop(t *testing.T) *sql.Node {
	t.Helper()
	n := sql.NewNode()
	for _, s := range []string{"CREATE TABLE stock (id INT PRIMARY KEY, stock INT)", "INSERT INTO stock VALUES (10, 5), (20, 5)"} {
		if res, err := n.Exec(t.Context(), engine.Op{Args: []string{s}}); err != nil || res.Reply.IsError() {
			t.Fatal(res, err)
		}
	}
	return n
}

// A fork does what the node does from there on, and nothing that one of them does is seen in the other.
func TestForksAreAlikeAndIndependent(t *testing.T) {
	for seed := range uint64(300) {
		w := walk{random: rand.New(rand.NewPCG(seed, 1)), waits: map[string]bool{}, clients: []string{"A", "B", "C"}}
		n := shop(t)
		said := ""
		for range 40 {
			fork := n.Fork().(*sql.Node)
			before := fork.Digest()
			if before != n.Digest() {
				t.Fatalf("seed %d: after\n%sa fork has another digest", seed, said)
			}
			what, do := w.step()
			said += what + "\n"
			got := do(t, n)
			if fork.Digest() != before {
				t.Fatalf("seed %d: after\n%sthe fork has changed with the node", seed, said)
			}
			if diff := cmp.Diff(got, do(t, fork)); diff != "" || fork.Digest() != n.Digest() {
				t.Fatalf("seed %d: after\n%sthe fork goes another way (-node +fork):\n%s", seed, said, diff)
			}
		}
	}
}

// What was long ago does not tell nodes apart: a search ends only if it comes back to where it was.
func TestTheDigestForgets(t *testing.T) {
	n := shop(t)
	was := n.Digest()
	for range 3 {
		for _, s := range []string{"BEGIN", "SELECT * FROM stock", "UPDATE stock SET stock = stock - 1 WHERE id = 10", "COMMIT", "UPDATE stock SET stock = 5 WHERE id = 10"} {
			if _, err := n.Exec(t.Context(), engine.Op{From: engine.Client{Actor: "A", Process: "A"}, Args: []string{s}}); err != nil {
				t.Fatal(err)
			}
			if s == "COMMIT" && n.Digest() == was {
				t.Error("another value has the same digest")
			}
		}
		if _, err := n.Disconnect(t.Context(), "A"); err != nil {
			t.Fatal(err)
		}
		if n.Digest() != was {
			t.Error("the same rows have another digest")
		}
	}
	n.Shift(1)
	if n.Digest() == was {
		t.Error("another instant has the same digest")
	}
}
