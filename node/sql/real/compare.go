package real

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/process"
	"lockstep/node/sql"
)

// compare waits until the server rests, and compares who was told what, and whose
// statements still run without them, with the node beside.
func (n *Node) compare(ctx context.Context, want []engine.Answer) error {
	got, err := n.settle(ctx)
	if err != nil {
		return err
	}
	n.changed = true
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
	for _, c := range sql.Connections(n.beside) {
		if c.Left {
			expected = append(expected, fmt.Sprintf("a statement without %s", c.Client.Actor))
		}
	}
	slices.Sort(told)
	slices.Sort(expected)
	if !slices.Equal(told, expected) {
		return &process.Difference{Got: list(told), Want: list(expected)}
	}
	return nil
}

func list(answers []string) string {
	if len(answers) == 0 {
		return "nothing"
	}
	return strings.Join(answers, "; ")
}

// View implements engine.Node. Rows and what is written to them are those of the server:
// the node beside must have the same. Who holds a lock, and who waits for whom, it tells alone.
func (n *Node) View(ctx context.Context) (v engine.NodeView, err error) {
	err = n.own.Do(ctx, func() error {
		err := n.compareRows(ctx)
		for try := 1; try < maxTries && differs(err); try++ {
			if _, err = n.again(ctx); err == nil {
				err = n.compareRows(ctx)
			}
		}
		if err == nil {
			v, err = n.beside.View(ctx)
		}
		return err
	})
	return v, err
}

func (n *Node) compareRows(ctx context.Context) error {
	if !n.changed {
		return nil
	}
	view, err := n.beside.View(ctx)
	if err != nil {
		return err
	}
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
	if err := n.compareTables(n.dirty, written, "written"); err != nil {
		return err
	}
	n.changed = false
	return nil
}

// put notes a row, unless there is none.
func put(rows map[string]string, name string, items []engine.Item) {
	if items != nil {
		rows[name] = fmt.Sprint(items)
	}
}

// compareTables compares the rows that a connection sees.
func (n *Node) compareTables(c *connection, want map[string]string, how string) error {
	got := map[string]string{}
	for _, t := range sql.Tables(n.beside) {
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
	if !maps.Equal(got, want) {
		return &process.Difference{Got: fmt.Sprintf("%v (%s)", got, how), Want: fmt.Sprint(want)}
	}
	return nil
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
