package real

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/beside"
	"lockstep/node/sql"
)

// compare waits until the server rests, and compares who was told what, and whose
// statements still run without them, with the node beside.
func (n *Node) compare(ctx context.Context, want []engine.Answer) error {
	got, err := n.settle(ctx)
	if err != nil {
		return err
	}
	n.Changed = true
	var told, expected []string
	for _, a := range got {
		told = append(told, a.actor+": "+a.reply.String())
	}
	for _, a := range want {
		expected = append(expected, a.Actor+": "+a.Reply.String())
	}
	for _, c := range n.clients {
		if c.left {
			told = append(told, fmt.Sprintf("a statement without %s", c.actor))
		}
	}
	for _, c := range sql.Connections(n.Beside) {
		if c.Left {
			expected = append(expected, fmt.Sprintf("a statement without %s", c.Client.Actor))
		}
	}
	slices.Sort(told)
	slices.Sort(expected)
	return beside.Same(list(told), list(expected))
}

func list(answers []string) string {
	if len(answers) == 0 {
		return "nothing"
	}
	return strings.Join(answers, "; ")
}

// same compares the rows of the server, and what is written to them, with those of a view. Who
// holds a lock, and who waits for whom, the node beside tells alone.
func (n *Node) same(_ context.Context, view engine.NodeView) error {
	committed, written := map[string]string{}, map[string]string{}
	for _, k := range view.Keys {
		newest := k.Items
		if k.Pending.By != "" {
			newest = k.Pending.Items
		}
		put(committed, k.Name, k.Items)
		put(written, k.Name, newest)
	}
	if err := n.compareTables(n.control, committed, "committed"); err != nil {
		return err
	}
	return n.compareTables(n.dirty, written, "written")
}

// put notes a row, unless there is none.
func put(rows map[string]string, name string, items []engine.Item) {
	if items != nil {
		rows[name] = fmt.Sprint(items)
	}
}

func (n *Node) compareTables(c *connection, want map[string]string, how string) error {
	got := map[string]string{}
	for _, t := range sql.Tables(n.Beside) {
		columns, rows, err := c.rows("SELECT * FROM " + quoted(t.Name))
		if err != nil {
			return err
		}
		for _, r := range rows {
			var items []engine.Item
			for i, column := range columns {
				items = append(items, engine.Item{Name: column, Value: plain(r.Elems[2*i+1])})
			}
			key := slices.IndexFunc(items, func(it engine.Item) bool { return it.Name == t.Key })
			put(got, t.Name+"/"+items[key].Value, items)
		}
	}
	return beside.Same(fmt.Sprintf("%v (%s)", got, how), fmt.Sprintf("%v (%s)", want, how))
}

// plain is a value as a view shows it.
func plain(r reply.Reply) string {
	switch r.Kind { //nolint:exhaustive // no column holds anything else
	case reply.Int:
		return fmt.Sprint(r.Int)
	case reply.Bulk:
		return r.Str
	}
	return "NULL"
}

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
