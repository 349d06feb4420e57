package real

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/node/conversation"
	"lockstep/node/sql"
)

// conversations are those that the embedded node keeps, too.
var conversations = conversation.Suite{Texts: os.DirFS(".."), Args: func(said string) []string { return []string{said} }}

// scheduleLength is how many lines a random conversation has after its tables.
const scheduleLength = 40

// random is a conversation that is drawn from a seed: transactions of two to four clients
// on a few rows of two tables, with crashes and with waits that end. What the embedded node
// answers stands in it.
func random(ctx context.Context, seed uint64) (string, error) {
	d := drawer{Rand: rand.New(rand.NewPCG(seed, 1)), node: sql.NewNode()}
	lines := []string{
		"== " + strconv.FormatUint(seed, 10),
		"> CREATE TABLE stock (id INT PRIMARY KEY, stock INT NOT NULL, version INT)",
		"> CREATE TABLE locks (name VARCHAR(8) PRIMARY KEY, owner VARCHAR(8) NOT NULL)",
		"> INSERT INTO stock VALUES (10, 1, 1), (20, 5, 1)",
	}
	who := []string{"A", "B", "C", "D"}[:2+d.IntN(3)]
	for _, w := range who {
		if d.IntN(3) == 0 {
			lines = append(lines, w+"> SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
		}
		if d.IntN(2) == 0 {
			lines = append(lines, w+"> BEGIN")
		}
	}
	return conversations.Draw(ctx, d.node, lines, scheduleLength, func(ctx context.Context) (string, error) { return d.draw(ctx, who) })
}

// drawer draws what happens to a node.
type drawer struct {
	*rand.Rand
	node *sql.Node
}

func (d *drawer) pick(of ...string) string { return of[d.IntN(len(of))] }

// draw is what happens next: mostly somebody who does not wait says something.
func (d *drawer) draw(ctx context.Context, who []string) (string, error) {
	view, err := d.node.View(ctx)
	if err != nil {
		return "", err
	}
	waits := map[string]bool{}
	for _, w := range view.Waits {
		waits[w.Actor] = true
	}
	var free []string
	for _, w := range who {
		if !waits[w] {
			free = append(free, w)
		}
	}
	due, some := d.node.NextDue()
	switch {
	case len(free) == 0 || some && d.IntN(15) == 0:
		return "$ at " + engine.FormatSpan(due), nil
	case d.IntN(10) == 0:
		return "$ look", nil
	case d.IntN(30) == 0:
		return "$ " + d.pick("crash ", "disconnect ") + d.pick(append(who, "app")...), nil
	case d.IntN(60) == 0: // it gives up on its last statement, if that waits
		return d.pick(who...) + "> " + d.statement("X"), nil
	}
	w := d.pick(free...)
	if d.IntN(15) == 0 {
		return w + "@app/c1> " + d.statement(w), nil
	}
	return w + "> " + d.statement(w), nil
}

func (d *drawer) statement(owner string) string {
	id, name := d.pick("5", "10", "20", "30"), d.pick("order", "pay")
	of := " WHERE id = " + id
	switch d.IntN(27) {
	case 0, 1, 2:
		return "BEGIN"
	case 3, 4, 5:
		return "COMMIT"
	case 6:
		return "ROLLBACK"
	case 7:
		return "SELECT stock, version FROM stock" + of
	case 8:
		return "SELECT * FROM " + d.pick("stock", "locks", "stock WHERE stock > 0", "locks WHERE owner <> 'A'")
	case 9, 10:
		return "SELECT stock FROM stock" + of + d.pick("", " AND stock > 1") + " FOR UPDATE" + d.pick("", "", "", " NOWAIT", " SKIP LOCKED")
	case 11:
		return "SELECT stock FROM stock" + of + d.pick("", " AND stock > 1") + " LOCK IN SHARE MODE"
	case 12, 13:
		return "UPDATE stock SET stock = stock - 1" + of + d.pick("", " AND stock > 0", " AND stock = 1")
	case 14:
		return "UPDATE stock SET stock = stock - 1, version = version + 1" + of + " AND version = " + d.pick("1", "2")
	case 15, 16:
		return fmt.Sprintf("INSERT "+d.pick("", "", "IGNORE ")+"INTO stock VALUES (%s, %d, %s)", id, d.IntN(9), d.pick("1", "NULL"))
	case 17:
		return "DELETE FROM stock" + of + d.pick("", " AND stock < 3")
	case 18, 19:
		return fmt.Sprintf("INSERT INTO locks VALUES ('%s', '%s')", name, owner)
	case 20:
		return fmt.Sprintf("DELETE FROM locks WHERE name = '%s'", name) + d.pick("", " AND owner = '"+owner+"'")
	case 21:
		return fmt.Sprintf("SELECT * FROM locks WHERE name = '%s' FOR UPDATE", name)
	case 22:
		return strings.ReplaceAll(d.pick("SELECT GET_LOCK('?', 0)", "SELECT RELEASE_LOCK('?')"), "?", name)
	case 23, 24:
		return d.scan("stock", " WHERE stock > 0", "id") + d.pick(" FOR UPDATE", " LOCK IN SHARE MODE") + d.pick("", " SKIP LOCKED", " NOWAIT")
	case 25:
		return d.scan("locks", " WHERE owner <> '"+owner+"'", "name") + d.pick("", " FOR UPDATE SKIP LOCKED")
	default:
		return d.pick("UPDATE stock SET version = NULL"+of, "INSERT INTO locks (name) VALUES ('order')", "SELECT price FROM stock", "INSERT "+d.pick("", "IGNORE ")+"INTO stock VALUES (30, 1, 1), ("+id+", 2, 2)",
			"UPDATE stock SET stock = NULL"+of, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET innodb_lock_wait_timeout = 3", "SET idle_transaction_timeout = "+d.pick("2", "30"), "SET wait_timeout = 40")
	}
}

// scan is a SELECT that looks at all rows, without a locking clause.
func (d *drawer) scan(table, where, key string) string {
	return "SELECT * FROM " + table + d.pick("", where) + d.pick("", " ORDER BY "+key) + d.pick("", " LIMIT 1", " LIMIT 2")
}

// broken is a statement that is drawn from a seed and was damaged: a word or a sign of it is
// gone, stands twice, or is another one.
func broken(seed uint64) string {
	d := drawer{Rand: rand.New(rand.NewPCG(seed, 2))}
	words := strings.Fields(strings.NewReplacer(",", " , ", "(", " ( ", ")", " ) ").Replace(d.statement("A")))
	i := d.IntN(len(words))
	switch d.IntN(3) {
	case 0:
		words = append(words[:i], words[i+1:]...)
	case 1:
		words = append(words[:i+1], words[i:]...)
	default:
		words[i] = d.pick("SELECT", "FROM", "WHERE", "AND", "=", "(", ")", ",", "stock", "id", "'", "7", "-", "NULL", "*", "UPDATE", "FORM", "SET", "VALUES", "'x'", "`id`", "<>", "+")
	}
	return strings.Join(words, " ")
}
